import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addSeconds } from '../../server/lib/clock.ts'
import { newId } from '../../server/lib/ids.ts'
import {
  authenticationRow,
  changeAuthentication,
  recordAuthentication,
  recordChallenge,
} from '../support/authentication-row.ts'
import { BANK, bridgeOf, CHALLENGE, METHOD } from '../support/bridge-documents.ts'
import { type Merchant, merchantOf, type Response, send } from '../support/merchant.ts'
import { setBusiness } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// The documents between the payment page and the bank's pages (TDS-23, TDS-24).

let service: TestService
let merchant: Merchant
let bridge: ReturnType<typeof bridgeOf>
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
  bridge = bridgeOf(service)
})
after(() => service.close())

const policyOf = ({ headers }: Response) => (headers.get('content-security-policy') ?? '').split('; ')
const ruleOf = (response: Response, name: string) =>
  policyOf(response).find((rule) => rule.startsWith(`${name} `)) ?? null
const fieldOf = ({ body }: Response, name: string) =>
  JSON.parse(Buffer.from(new RegExp(`name="${name}" value="([\\w-]+)"`).exec(body)?.[1] ?? '', 'base64url').toString())

describe('the bridge documents', () => {
  test('the method’s has one form, for the bank, with the transaction and where to post back', async () => {
    const made = await bridge.started()
    const response = await bridge.open('method', made)
    equal(response.status, 200)
    match(
      response.body,
      /<form method="post" action="https:\/\/acs\.bank\.example\/method\?x&#61;1&#38;y&#61;&#34;2&#34;" target="bank">/,
    )
    equal(response.body.split('<form').length, 2)
    deepEqual(fieldOf(response, 'threeDSMethodData'), {
      threeDSServerTransID: made.serverTransactionId,
      threeDSMethodNotificationURL: bridge.url('method-done', made),
    })
    match(response.body, /<button>Continue to your bank<\/button>/)
    match(response.body, /sandbox="allow-forms allow-scripts allow-same-origin allow-popups"/)
  })

  test('the challenge’s has one form with the request of the challenge, and opens it once', async () => {
    const made = await bridge.challenged()
    const response = await bridge.open('challenge', made)
    equal(response.status, 200)
    const { acs_transaction_id, challenge_opened_at } = await authenticationRow(service, made)
    deepEqual(fieldOf(response, 'creq'), {
      threeDSServerTransID: made.serverTransactionId,
      acsTransID: acs_transaction_id,
      messageVersion: '2.2.0',
      messageType: 'CReq',
      challengeWindowSize: '01',
    })
    notEqual(challenge_opened_at, null)
    equal((await bridge.open('challenge', made)).status, 200)
    deepEqual((await authenticationRow(service, made)).challenge_opened_at, challenge_opened_at)
  })

  test('the method’s changes nothing', async () => {
    const made = await bridge.started()
    const row = await authenticationRow(service, made)
    await bridge.open('method', made)
    deepEqual(await authenticationRow(service, made), row)
  })

  for (const [path, step, done] of [
    ['method', 'started', 'method-done'],
    ['challenge', 'challenged', 'done'],
  ] as const) {
    test(`the headers of the ${path}’s allow this transaction’s bank, and no more`, async () => {
      const made = await bridge[step]()
      const { headers } = await bridge.open(path, made)
      const hash = "'sha256-[\\w+/]{43}='"
      match(
        headers.get('content-security-policy') ?? '',
        new RegExp(
          `^default-src 'none'; script-src ${hash}; style-src ${hash}; form-action ${BANK}; frame-src ${BANK} ${bridge.url(done, made)}; ` +
            "base-uri 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'$",
        ),
      )
      equal(
        headers.get('permissions-policy'),
        `camera=(), microphone=(), geolocation=(), payment=(self "${BANK}"), publickey-credentials-get=(self "${BANK}")`,
      )
      deepEqual(
        [
          'cache-control',
          'x-content-type-options',
          'referrer-policy',
          'x-frame-options',
          'strict-transport-security',
        ].map((name) => headers.get(name)),
        ['no-store', 'nosniff', 'no-referrer', null, null],
      )
    })
  }

  for (const ui_mode of ['hosted', 'embedded']) {
    test(`of a session that is ${ui_mode} may be framed by the merchant’s origin only if it is the session’s`, async () => {
      const origin = ui_mode === 'hosted' ? '' : ' https://shop.example'
      const [method, challenge] = [
        await bridge.started(METHOD, { ui_mode }),
        await bridge.challenged(CHALLENGE, { ui_mode }),
      ]
      const hostile = { origin: 'https://evil.example', referer: 'https://evil.example/' }
      for (const response of [
        await bridge.open('method', method, hostile),
        await bridge.open('challenge', challenge, hostile),
        await bridge.post('method-done', method, '', hostile),
        await bridge.post('done', challenge, '', hostile),
        await bridge.open('challenge', challenge),
      ])
        equal(ruleOf(response, 'frame-ancestors'), `frame-ancestors 'self'${origin}`)
    })
  }

  test('speak the payer’s language', async () => {
    const made = await bridge.started()
    for (const [language, text] of [
      ['fr', 'Continuer vers votre banque'],
      ['es-MX', 'Continuar a su banco'],
      ['de', 'Continue to your bank'],
    ] as const)
      ok((await bridge.open('method', made, { 'accept-language': language })).body.includes(text))
    const asked = await send(`${bridge.url('method', made)}?locale=fr-CA`, { headers: { 'accept-language': 'es' } })
    ok(asked.body.includes('Continuer vers votre banque'))
  })

  const unsafe = {
    'a script': 'javascript:alert(1)',
    'a wildcard': 'https://*.bank.example/',
    'a rule of the policy': 'https://x;script-src',
    'a list': 'https://x,y/',
    'a password': 'https://a:b@bank.example/',
    'no URL': 'bank.example',
  }
  for (const [name, bankUrl] of Object.entries(unsafe)) {
    test(`a bank’s URL with ${name} is not shown`, async () => {
      for (const response of [
        await bridge.open('method', await bridge.started(bankUrl)),
        await bridge.open('challenge', await bridge.challenged(bankUrl)),
      ]) {
        equal(response.status, 410)
        equal(response.body.includes('<form'), false)
        equal(response.headers.get('content-security-policy')?.includes('bank'), false)
      }
    })
  }

  test('a bank’s URL of our own is not shown: its form would count as the payment page’s', async () => {
    for (const path of ['/', '/customer/checkout/x', '/customer/ddd/done/ddd_x']) {
      const own = service.formUrl + path
      for (const response of [
        await bridge.open('method', await bridge.started(own)),
        await bridge.open('challenge', await bridge.challenged(own)),
      ]) {
        equal(response.status, 410)
        equal(response.body.includes('<form'), false)
      }
    }
  })
})

describe('a step that is not open', () => {
  const unknown: Record<string, string> = {
    'of an unknown id': `ddd_${newId()}`,
    'of another prefix': newId(),
    'in upper case': `ddd_${newId().toUpperCase()}`,
    'that is too long': `ddd_${newId()}0`,
    'without a UUID': 'ddd_x',
  }
  for (const [name, ddd] of Object.entries(unknown)) {
    test(`${name} is 404, on all four paths the same`, async () => {
      for (const path of ['method', 'challenge']) equal((await bridge.open(path, { ddd })).status, 404)
      for (const path of ['method-done', 'done']) equal((await bridge.post(path, { ddd })).status, 404)
    })
  }

  test('of an unknown id is a neutral page that wakes the page around it', async () => {
    const made = { ddd: `ddd_${newId()}` }
    bridge.assertNeutral(await bridge.open('method', made), 404, made)
    bridge.assertNeutral(await bridge.post('done', made), 404, made)
  })

  test('that the authentication does not have is 404', async () => {
    const [method, challenge, none] = [await bridge.started(), await bridge.challenged(), await bridge.started(null)]
    bridge.assertNeutral(await bridge.open('challenge', method), 404, method)
    bridge.assertNeutral(await bridge.post('done', method), 404, method)
    bridge.assertNeutral(await bridge.open('method', challenge), 404, challenge)
    bridge.assertNeutral(await bridge.post('method-done', challenge), 404, challenge)
    bridge.assertNeutral(await bridge.open('method', none), 404, none)
  })

  const over = (name: string, path: 'method' | 'challenge', columns: Parameters<typeof changeAuthentication>[2]) =>
    test(`${name} is 410`, async () => {
      const made = path === 'method' ? await bridge.started() : await bridge.challenged()
      await changeAuthentication(service, made, columns)
      const row = await authenticationRow(service, made)
      bridge.assertNeutral(await bridge.open(path, made), 410, made)
      deepEqual(await authenticationRow(service, made), row)
    })
  const ago = (seconds: number) => addSeconds(new Date(), -seconds)

  for (const state of ['SENT', 'CHALLENGE', 'AUTHENTICATED', 'CONSUMED', 'FAILED', 'EXPIRED'] as const)
    over(`the method of an authentication that is ${state}`, 'method', { state })
  over('a method that is done', 'method', { method_done_at: ago(1) })
  over('a method after 15 minutes', 'method', { expires_at: ago(1) })
  for (const state of ['AUTHENTICATED', 'CONSUMED', 'FAILED', 'EXPIRED'] as const)
    over(`the challenge of an authentication that is ${state}`, 'challenge', { state })
  over('a challenge that was not opened within 30 seconds', 'challenge', { challenged_at: ago(31) })
  over('a challenge after 10 minutes', 'challenge', { challenged_at: ago(601), challenge_opened_at: ago(590) })
  over('a challenge after the whole 15 minutes', 'challenge', { expires_at: ago(1) })
  over('a challenge from which the browser is back', 'challenge', { challenge_returned_at: ago(1) })
  over('a challenge that the payer canceled', 'challenge', { challenge_canceled_at: ago(1) })

  test('a challenge that was opened in time is open for the rest of its 10 minutes', async () => {
    const made = await bridge.challenged()
    await changeAuthentication(service, made, { challenged_at: ago(590), challenge_opened_at: ago(580) })
    equal((await bridge.open('challenge', made)).status, 200)
  })

  test('both are over when the session is closed', async () => {
    const session = await bridge.newSession()
    const [method, challenge] = [
      await recordAuthentication(service, session, METHOD),
      await recordChallenge(service, session, CHALLENGE),
    ]
    await merchant.cancel(session.token)
    bridge.assertNeutral(await bridge.open('method', method), 410, method)
    bridge.assertNeutral(await bridge.open('challenge', challenge), 410, challenge)
  })

  test('the times are the business’s', async () => {
    const made = await bridge.challenged()
    await setBusiness(service, { clock_offset_seconds: 31 })
    equal((await bridge.open('challenge', made)).status, 410)
    await setBusiness(service, { clock_offset_seconds: 0 })
    equal((await bridge.open('challenge', made)).status, 200)
  })
})
