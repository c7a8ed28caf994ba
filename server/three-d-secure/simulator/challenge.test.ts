import { deepEqual, equal, match } from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { decoded, encoded, formOf, type Json, requestorOf } from '../../../test/support/three-ds-requestor.ts'
import type { RunningSimulator } from '../../gateway/simulator/start-simulator.ts'
import { startSimulators } from '../../serve/start-simulators.ts'
import { type ThreeDsSimulatorControl, threeDsSimulatorControl } from './control.ts'
import { threeDsTestCard } from './test-cards.ts'

const BY_HAND = threeDsTestCard('visa', '2072')
const NOTIFICATION_URL = 'http://localhost:4001/customer/ddd/done/ddd_1'

let simulator: RunningSimulator
let requestor: ReturnType<typeof requestorOf>
let control: ThreeDsSimulatorControl
before(async () => {
  simulator = await startSimulators({ environment: 'staging', timeScale: 0.001 })
  requestor = requestorOf(simulator)
  control = threeDsSimulatorControl(simulator)
})
beforeEach(() => control.reset())
after(() => simulator.close())

describe('A challenge by hand', () => {
  const press = (acsTransID: string, fields: Record<string, string>) =>
    requestor.page('challenge/submit', { acsTransID, ...fields })

  test('shows merchant, amount and card, and a field for the code that browsers and keyboards know', async () => {
    const { first } = await requestor.challenge(BY_HAND)
    equal(first.status, 200)
    for (const text of ['Maple &#38; Co', 'CA$39.55', 'ending in 0007']) equal(first.html.includes(text), true, text)
    match(first.html, /<label for="code">/)
    match(first.html, /<input id="code"[^>]* inputmode="numeric" autocomplete="one-time-code"/)
    equal(first.html.includes(BY_HAND), false)
    equal(first.html.includes('<script'), false)
  })

  test('with 123456 returns the browser with the session data, and the result is at the server', async () => {
    const { acsTransID, threeDSServerTransID, ares } = await requestor.challenge(BY_HAND)
    const { html, headers } = await press(acsTransID, { code: '123 456', action: 'submit' })
    const { action, fields } = formOf(html)
    deepEqual([action, fields.threeDSSessionData], [NOTIFICATION_URL, 'c2Vzc2lvbg'])
    equal(fields.cres?.includes('='), false)
    deepEqual(decoded(fields.cres), {
      messageType: 'CRes',
      messageVersion: '2.2.0',
      threeDSServerTransID,
      acsTransID,
      challengeCompletionInd: 'Y',
      transStatus: 'Y',
    })
    match(headers.get('content-security-policy') ?? '', /; form-action http:\/\/localhost:4001; /)
    const { status, body } = await requestor.postauth(threeDSServerTransID)
    const { authenticationValue, ...rest } = body
    match(String(authenticationValue), /^[A-Za-z0-9+/]{27}=$/)
    equal(status, 200)
    deepEqual(rest, {
      messageType: 'RReq',
      messageVersion: '2.2.0',
      messageCategory: '01',
      threeDSServerTransID,
      acsTransID,
      dsTransID: ares.dsTransID,
      interactionCounter: '01',
      authenticationType: '02',
      transStatus: 'Y',
      eci: '05',
    })
  })

  test('with 000000 fails at once', async () => {
    const { acsTransID, threeDSServerTransID } = await requestor.challenge(BY_HAND)
    const { html } = await press(acsTransID, { code: '000000', action: 'submit' })
    equal(decoded(formOf(html).fields.cres).transStatus, 'N')
    const { body } = await requestor.postauth(threeDSServerTransID)
    deepEqual([body.transStatus, body.transStatusReason, body.eci], ['N', '01', '07'])
  })

  test('with another code may be repeated, and the third wrong one fails', async () => {
    const { acsTransID, threeDSServerTransID } = await requestor.challenge(BY_HAND)
    match((await press(acsTransID, { code: '1', action: 'submit' })).html, /role="alert">Wrong code. You have 2 more/)
    match((await press(acsTransID, { code: '', action: 'submit' })).html, /role="alert">Enter the code/)
    match((await press(acsTransID, { code: '654321', action: 'submit' })).html, /Wrong code. You have one more try/)
    equal((await requestor.postauth(threeDSServerTransID)).status, 404)
    const { html } = await press(acsTransID, { code: '999999', action: 'submit' })
    equal(decoded(formOf(html).fields.cres).transStatus, 'N')
    const { body } = await requestor.postauth(threeDSServerTransID)
    deepEqual([body.transStatus, body.transStatusReason, body.interactionCounter], ['N', '19', '04'])
  })

  test('after a wrong code passes with the right one', async () => {
    const { acsTransID, threeDSServerTransID } = await requestor.challenge(BY_HAND)
    await press(acsTransID, { code: '111111', action: 'submit' })
    await press(acsTransID, { code: '123456', action: 'submit' })
    equal((await requestor.postauth(threeDSServerTransID)).body.transStatus, 'Y')
  })

  for (const [digits, reason] of [
    ['2072', '26'],
    ['1072', '01'],
  ] as const) {
    test(`that the payer cancels is N with reason ${reason} in version ${digits[0] === '1' ? '2.1.0' : '2.2.0'}`, async () => {
      const { acsTransID, threeDSServerTransID } = await requestor.challenge(threeDsTestCard('visa', digits))
      const { html } = await press(acsTransID, { code: '123456', action: 'cancel' })
      equal(decoded(formOf(html).fields.cres).transStatus, 'N')
      const { body } = await requestor.postauth(threeDSServerTransID)
      deepEqual([body.transStatus, body.transStatusReason, body.challengeCancel], ['N', reason, '01'])
    })
  }

  test('is over when it has ended: neither a code nor a request changes its result', async () => {
    const { acsTransID, threeDSServerTransID, creq } = await requestor.challenge(BY_HAND)
    await press(acsTransID, { code: '000000', action: 'submit' })
    equal((await press(acsTransID, { code: '123456', action: 'submit' })).status, 400)
    equal((await requestor.page('challenge', { creq: encoded(creq) })).status, 400)
    equal((await requestor.postauth(threeDSServerTransID)).body.transStatus, 'N')
  })

  for (const [language, texts] of [
    ['fr-CA', ['lang="fr-CA"', 'Confirmez votre achat', '39,55']],
    ['es-MX', ['lang="es-US"', 'Confirme su compra', 'CAD']],
    ['de', ['lang="en-US"', 'Confirm your purchase', 'CA$39.55']],
  ] as const) {
    test(`is in the language of the browser: ${language}`, async () => {
      const { first } = await requestor.challenge(BY_HAND, { browserLanguage: language })
      for (const text of texts) equal(first.html.includes(text), true, text)
    })
  }

  test('escapes what the merchant is called', async () => {
    const { first } = await requestor.challenge(BY_HAND, { merchantName: '<img src=x onerror="alert(1)">' })
    equal(first.html.includes('<img'), false)
    match(first.html, /&#60;img src=x/)
  })
})

describe('A challenge request', () => {
  const WRONG: [what: string, change: (creq: Json) => Record<string, string>][] = [
    ['that is missing', () => ({})],
    ['that is padded', (creq) => ({ creq: `${encoded({ ...creq, x: 'xx' })}==` })],
    ['that is not base64url', () => ({ creq: '{"messageType":"CReq"}' })],
    ['that is not JSON', () => ({ creq: Buffer.from('hello').toString('base64url') })],
    ['of another type', (creq) => ({ creq: encoded({ ...creq, messageType: 'CRes' }) })],
    ['of another version', (creq) => ({ creq: encoded({ ...creq, messageVersion: '2.1.0' }) })],
    ['of another transaction', (creq) => ({ creq: encoded({ ...creq, threeDSServerTransID: 'x' }) })],
    ['of an unknown challenge', (creq) => ({ creq: encoded({ ...creq, acsTransID: 'x' }) })],
    ['without a window size', ({ challengeWindowSize: _, ...creq }) => ({ creq: encoded(creq) })],
    ['with too much session data', (creq) => ({ creq: encoded(creq), threeDSSessionData: 'x'.repeat(1_025) })],
  ]
  for (const [what, change] of WRONG) {
    test(`${what} opens nothing`, async () => {
      const { body: ares } = await requestor.authenticate(BY_HAND)
      const { acsTransID, threeDSServerTransID, messageVersion } = ares
      const creq = { messageType: 'CReq', messageVersion, threeDSServerTransID, acsTransID, challengeWindowSize: '02' }
      const { status, html } = await requestor.page('challenge', change(creq))
      equal(status, 400)
      match(html, /Nothing to confirm/)
      const [last] = (await control.received()).challenges
      equal(last?.accepted, false)
      equal((await requestor.page('challenge', { creq: encoded(creq) })).status, 200, 'the right one still opens it')
    })
  }

  test('of a card without a challenge opens nothing', async () => {
    const { body: ares } = await requestor.authenticate('4242424242424242')
    const { acsTransID, threeDSServerTransID, messageVersion } = ares
    const creq = { messageType: 'CReq', messageVersion, threeDSServerTransID, acsTransID, challengeWindowSize: '02' }
    equal((await requestor.page('challenge', { creq: encoded(creq) })).status, 400)
  })

  test('without session data returns none', async () => {
    const { body: ares } = await requestor.authenticate(threeDsTestCard('visa', '2070'))
    const { acsTransID, threeDSServerTransID, messageVersion } = ares
    const creq = { messageType: 'CReq', messageVersion, threeDSServerTransID, acsTransID, challengeWindowSize: '05' }
    const { html } = await requestor.page('challenge', { creq: encoded(creq) })
    deepEqual(Object.keys(formOf(html).fields), ['cres'])
  })

  test("of a card whose bank's page fails is 500, and one that never returns has no way back", async () => {
    equal((await requestor.challenge(threeDsTestCard('visa', '2079'))).first.status, 500)
    const { first } = await requestor.challenge(threeDsTestCard('visa', '2074'))
    equal(first.status, 200)
    equal(/<form|<script/.test(first.html), false)
    match(first.headers.get('content-security-policy') ?? '', /form-action 'none'/)
  })
})

describe('The method', () => {
  const run = async (digits: string, change: Json = {}) => {
    const { body: card } = await requestor.preauth(threeDsTestCard('visa', digits))
    const data = {
      threeDSServerTransID: card.threeDSServerTransID,
      threeDSMethodNotificationURL: 'http://localhost:4001/customer/ddd/method-done/ddd_1',
      ...change,
    }
    return { card, ...(await requestor.page('method', { threeDSMethodData: encoded(data) })) }
  }

  test('notifies the requestor of the transaction', async () => {
    const { card, status, html, headers } = await run('2000')
    const { action, fields } = formOf(html)
    equal(status, 200)
    equal(action, 'http://localhost:4001/customer/ddd/method-done/ddd_1')
    deepEqual(decoded(fields.threeDSMethodData), { threeDSServerTransID: card.threeDSServerTransID })
    equal(fields.threeDSMethodData?.includes('='), false)
    match(html, /<script>document\.forms\[0\]\.submit\(\)<\/script>/)
    match(
      headers.get('content-security-policy') ?? '',
      /script-src 'sha256-[^']+'; form-action http:\/\/localhost:4001;/,
    )
  })

  test('of another card never calls back', async () => {
    const { status, html } = await run('2200')
    equal(status, 200)
    equal(/<form|<script/.test(html), false)
  })

  test('of another card is at a host that refuses the connection', async () => {
    const { body: card } = await requestor.preauth(threeDsTestCard('visa', '2300'))
    const outcome = await fetch(String(card.threeDSMethodURL), { method: 'POST' }).then(
      () => 'connected',
      (error: Error) => (error.cause as { code?: string } | undefined)?.code,
    )
    equal(outcome, 'ECONNREFUSED')
  })

  for (const [what, change] of [
    ['of an unknown transaction', { threeDSServerTransID: 'x' }],
    ['without a notification URL', { threeDSMethodNotificationURL: undefined }],
    ['with a script as notification URL', { threeDSMethodNotificationURL: 'javascript:alert(1)' }],
    [
      'with a notification URL that is too long',
      { threeDSMethodNotificationURL: `https://x.example/${'x'.repeat(256)}` },
    ],
  ] as const) {
    test(`${what} does nothing`, async () => equal((await run('2000', change)).status, 400))
  }
})

describe("The bank's pages", () => {
  test('are not for other hosts, and only for POST', async () => {
    equal(await statusWithHost('attacker.example'), 403)
    equal((await fetch(`${simulator.url}/sim/acs/challenge`)).status, 405)
    equal((await requestor.page('other', {})).status, 404)
  })

  test('are reached at the public origin', async () => {
    const other = await startSimulators({ environment: 'staging', publicUrl: 'https://bank.example' })
    try {
      const { body: ares } = await requestorOf(other).authenticate(BY_HAND)
      equal(ares.acsURL, 'https://bank.example/sim/acs/challenge')
      equal(await statusWithHost('bank.example', other.port), 400)
      equal(await statusWithHost(`localhost:${other.port}`, other.port), 400)
      equal(await statusWithHost('attacker.example', other.port), 403)
    } finally {
      await other.close()
    }
  })
})

/** Sends a request with a given `Host`, which `fetch` would set itself. */
async function statusWithHost(host: string, port = simulator.port): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const options = { port, host: '127.0.0.1', path: '/sim/acs/challenge', method: 'POST', headers: { host } }
  request(options, (response) => {
    response.resume()
    resolve(response.statusCode)
  }).end()
  return promise
}
