import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { threeDsTestCards } from '../../server/gateway/simulator/three-ds-test-cards.ts'
import { threeDsSimulatorControl } from '../../server/three-d-secure/simulator/control.ts'
import { threeDsTestCard } from '../../server/three-d-secure/simulator/test-cards.ts'
import { type Merchant, merchantOf, payBody, payerOf, type Response } from '../support/merchant.ts'
import { type MovableClock, movableClock } from '../support/movable-clock.ts'
import { setBusiness } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { threeDsOf } from '../support/three-ds.ts'
import { throughBank } from '../support/three-ds-browser.ts'

// TDS-10 to TDS-18: every card of the simulator, for each network, from init to pay as in a browser.

type Code = 'three_ds_failed' | 'DDD_NOT_SUPPORTED' | 'three_ds_expired' | 'three_ds_server_error'

interface Outcome {
  /** Completion of the method in the request to the directory server. */
  completed?: 'Y' | 'N' | 'U'
  version?: string
  /** Transaction status if it is paid. */
  paid?: 'Y' | 'A'
  refused?: [status: number, code: Code, transStatus?: string]
  /** Failed attempts of the session afterwards. */
  attempts?: number
  /** Codes that the payer enters at the bank. */
  codes?: string[]
  /** Seconds that the payer waits afterwards. */
  waits?: number
}

const METHOD = { completed: 'Y' } as const
const NO_METHOD = { completed: 'U' } as const
const failed = (status: string, attempts: number): Outcome => ({ refused: [400, 'three_ds_failed', status], attempts })
const EXPIRED: Outcome = { refused: [408, 'three_ds_expired'], waits: 600 }
const SERVER_FAILED: Outcome = { refused: [502, 'three_ds_server_error'] }
const NOT_SUPPORTED: Outcome = { refused: [403, 'DDD_NOT_SUPPORTED'] }

const OUTCOMES: Record<string, Outcome> = {
  '2000': { ...METHOD, paid: 'Y' },
  '1100': { ...NO_METHOD, paid: 'Y', version: '2.1.0' },
  '3000': { ...METHOD, paid: 'Y', version: '2.3.1' },
  '2200': { completed: 'N', paid: 'Y' },
  '2300': { completed: 'N', paid: 'Y' },
  '2120': { ...NO_METHOD, paid: 'A' },
  '2010': { ...METHOD, ...failed('N', 1) },
  '2130': { ...NO_METHOD, ...failed('R', 1) },
  '2150': { ...NO_METHOD, ...failed('U', 0) },
  '2140': { ...NO_METHOD, ...failed('I', 0) },
  '2160': { ...NO_METHOD, ...SERVER_FAILED },
  '2180': { ...NO_METHOD, ...SERVER_FAILED },
  '2190': { ...NO_METHOD, ...SERVER_FAILED },
  '2070': { ...METHOD, paid: 'Y' },
  '2071': { ...METHOD, ...failed('N', 1) },
  '2072': { ...METHOD, paid: 'Y', codes: ['111111', '123456'] },
  '2073': { ...METHOD, ...failed('N', 1) },
  '2074': { ...METHOD, ...EXPIRED },
  '2075': { ...METHOD, ...failed('N', 1) },
  '2076': { ...METHOD, paid: 'Y' },
  '2077': { ...METHOD, ...failed('U', 0) },
  '2078': { ...METHOD, ...SERVER_FAILED, waits: 31 },
  '2079': { ...METHOD, ...EXPIRED },
  '0000': NOT_SUPPORTED,
  '0100': NOT_SUPPORTED,
  '0200': SERVER_FAILED,
}

let service: TestService
let merchant: Merchant
let clock: MovableClock
let payer: ReturnType<typeof threeDsOf>
before(async () => {
  clock = movableClock()
  service = await openService({ clock })
  callInProcess(service)
  merchant = merchantOf(service)
  payer = threeDsOf(service)
  await setBusiness(service, { three_ds_enabled: true })
})
after(() => service.close())

interface Run {
  /** Response of the last call: init or authenticate. */
  response: Response
  id: string | null
  token: string
}

/** Runs from init to the result. */
async function run(cardNumber: string, { codes = [], waits = 0 }: Outcome = {}, given?: string): Promise<Run> {
  const token = given ?? (await merchant.sessionToken())
  const begun = await payer.init(token, { cardNumber })
  if (begun.status !== 200) return { response: begun, id: null, token }
  const { ddd_session_id: id, method } = begun.body
  if (method) await throughBank(method.url).catch(() => {})
  let response = await payer.authenticate(token, id, { three_ds_comp_ind: 'Y' })
  if (response.body.status === 'challenge_required') {
    await throughBank(response.body.challenge.url, codes)
    response = await payer.authenticate(token, id)
    clock.advance(waits)
  }
  while (response.body.status === 'challenge_in_progress') {
    await sleep(response.body.retry_after_ms)
    response = await payer.authenticate(token, id)
  }
  return { response, id, token }
}

const payWith = (token: string, number: string, more: Record<string, unknown> = {}) =>
  payerOf(service).pay(token, payBody(number, { cvv: number.startsWith('34') ? '1234' : '123' }, more))

async function checkOutcome(number: string, outcome: Outcome): Promise<void> {
  const { response, id, token } = await run(number, outcome)
  const { paid, refused, attempts = 0, completed, version = '2.2.0' } = outcome
  if (refused) {
    const [status, code, transStatus] = refused
    assertRefused(response, status, code)
    deepEqual([response.body.charged, response.body.trans_status], [false, transStatus])
    // Nothing is paid without the authentication.
    assertRefused(await payWith(token, number), 408, 'three_ds_expired')
  } else {
    const { status, trans_status, message_version } = response.body
    deepEqual([status, trans_status, message_version], ['authenticated', paid, version], JSON.stringify(response.body))
    const { body } = await payWith(token, number, { three_ds_id: id })
    deepEqual([body.ok, body.result?.code], [true, 'AA'], JSON.stringify(body))
  }
  const { attempt_count, session_status } = (await merchant.details(token)).body.checkout_session
  deepEqual([attempt_count, session_status], [attempts, paid ? 'COMPLETED' : 'PENDING'])
  if (completed === undefined) return
  const { requests } = await received()
  const { threeDSCompInd, acctNumber } = requests.at(-1) ?? {}
  deepEqual([threeDSCompInd, String(acctNumber).slice(-4)], [completed, number.slice(-4)])
}

const received = async () => {
  const { areqs } = (await threeDsSimulatorControl(service.simulatorAccess).received()) as unknown as {
    areqs: Record<string, unknown>[]
  }
  return { requests: areqs }
}

describe('Every card of the simulator over HTTP', () => {
  const rows = threeDsTestCards()
  /** Digits for version, method, result and challenge, after the prefix and `20`. */
  const digitsOf = ({ visa }: { visa: string }) => visa.slice(8, 12)

  test('is in the list above', () => deepEqual(rows.map(digitsOf).sort(), Object.keys(OUTCOMES).sort()))

  for (const row of rows)
    for (const network of ['visa', 'mastercard', 'amex'] as const)
      test(`${network} ${digitsOf(row)}: ${row.does}`, () => checkOutcome(row[network], OUTCOMES[digitsOf(row)] ?? {}))
})

describe('A code by hand', () => {
  const card = threeDsTestCard('visa', '2072')
  for (const [what, codes, reason] of [
    ['that is the wrong one is N', ['000000'], null],
    ['that is wrong three times is N', ['1', '2', '3'], '19'],
    ['that the payer cancels at the bank is N', ['cancel'], '26'],
  ] as const)
    test(what, async () => {
      const { response, token } = await run(card, { codes: [...codes] })
      assertRefused(response, 400, 'three_ds_failed')
      deepEqual([response.body.trans_status, response.body.attempt_count], ['N', 1])
      if (reason) equal(response.body.trans_status_reason, reason)
      assertRefused(await payWith(token, card), 408, 'three_ds_expired')
    })
})

describe('What passes through the browser', () => {
  /** Returns a response of the bank that reports success. */
  const forged = (ids: Record<string, unknown>) =>
    Buffer.from(JSON.stringify({ messageType: 'CRes', messageVersion: '2.2.0', transStatus: 'Y', ...ids })).toString(
      'base64url',
    )

  test('decides nothing: a forged Y of a challenge that failed is N, and nothing is charged', async () => {
    const card = threeDsTestCard('visa', '2071')
    const token = await merchant.sessionToken()
    const id = await payer.begin(token, { cardNumber: card })
    const { body } = await payer.authenticate(token, id)
    await throughBank(body.challenge.url, [], async (url, fields) =>
      url.includes('/done/') ? { cres: forged({}) } : fields,
    )
    const response = await payer.authenticate(token, id)
    assertRefused(response, 400, 'three_ds_failed')
    assertRefused(await payWith(token, card, { three_ds_id: id }), 408, 'three_ds_expired')
  })

  test('posted while the challenge is open, it only asks: the payer still passes', async () => {
    const card = threeDsTestCard('visa', '2072')
    const token = await merchant.sessionToken()
    const id = await payer.begin(token, { cardNumber: card })
    const { body } = await payer.authenticate(token, id)
    const early: string[] = []
    await throughBank(body.challenge.url, ['123456'], async (url, fields) => {
      if (!url.includes('/submit')) return fields
      const cres = forged({ threeDSServerTransID: id })
      const done = `${service.formUrl}/customer/ddd/done/${id}`
      await fetch(done, { method: 'POST', body: new URLSearchParams({ cres }) })
      early.push((await payer.authenticate(token, id)).body.status)
      return fields
    })
    deepEqual(early, ['challenge_in_progress'])
    await sleep(60)
    equal((await payer.authenticate(token, id)).body.status, 'authenticated')
    equal((await payWith(token, card)).body.ok, true)
  })

  test('a challenge that is done twice is over the second time, and is paid with once', async () => {
    const card = threeDsTestCard('visa', '2072')
    const token = await merchant.sessionToken()
    const id = await payer.begin(token, { cardNumber: card })
    const { body } = await payer.authenticate(token, id)
    await throughBank(body.challenge.url, ['123456'])
    match((await throughBank(body.challenge.url, ['000000'])).url, /challenge/)
    equal((await payer.authenticate(token, id)).body.status, 'authenticated')
    equal((await payWith(token, card)).body.ok, true)
    assertRefused(await payWith(token, card), 400, 'session_completed')
  })

  test('an authentication is of its session, card, amount and business', async () => {
    const [card, other] = [threeDsTestCard('visa', '2120'), threeDsTestCard('mastercard', '2120')]
    const { id, token } = await run(card)
    const elsewhere = await merchant.sessionToken()
    const three_ds_id = id ?? ''
    assertRefused(await payWith(elsewhere, card, { three_ds_id }), 408, 'three_ds_expired')
    assertRefused(await payWith(token, other, { three_ds_id }), 408, 'three_ds_expired')
    assertRefused(await payWith(token, card, { three_ds_id, amount: 25.49 }), 422, 'validation_failed', ['amount'])
    assertRefused(await payer.authenticate(elsewhere, three_ds_id), 404, 'not_found')
    assertRefused(await payWith(token, card, { three_ds_id: 'ddd_x' }), 408, 'three_ds_expired')
    equal((await payWith(token, card, { three_ds_id })).body.ok, true)
  })
})
