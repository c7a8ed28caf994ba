import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import {
  CAVV,
  challenge,
  decided,
  enrolled,
  type FakeThreeDsServer,
  fakeThreeDsServer,
  verdict,
} from '../support/fake-three-ds-server.ts'
import { type Merchant, merchantOf } from '../support/merchant.ts'
import { type MovableClock, movableClock } from '../support/movable-clock.ts'
import { eventsOf, setBusiness } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { openService, type TestService } from '../support/service.ts'
import { authenticationsOf, BROWSER, threeDsOf } from '../support/three-ds.ts'

// TDS-3 to TDS-9, TDS-12 to TDS-17, TDS-22.

const METHOD = 'https://acs.example/method'
/** Of what waits for an answer, in the services of tests. */
const SCALE = 0.05

let service: TestService
let merchant: Merchant
let bank: FakeThreeDsServer
let clock: MovableClock
let payer: ReturnType<typeof threeDsOf>
before(async () => {
  bank = fakeThreeDsServer()
  clock = movableClock()
  service = await openService({ threeDsServer: bank, clock })
  merchant = merchantOf(service)
  payer = threeDsOf(service)
  await setBusiness(service, { three_ds_enabled: true })
})
after(() => service.close())
beforeEach(() => bank.reset())

/** A session, and an authentication of it that is begun. */
async function begun(session: Record<string, unknown> = {}) {
  const token = await merchant.sessionToken(session)
  return { token, id: await payer.begin(token) }
}

/** The same with a challenge that the bank requires. */
async function challenged() {
  bank.onAuthenticate = challenge
  const { token, id } = await begun()
  const { body } = await payer.authenticate(token, id)
  equal(body.status, 'challenge_required', JSON.stringify(body))
  return { token, id, body }
}

const rowOf = async (id: string) => {
  const row = (await authenticationsOf(service)).find((one) => `ddd_${one.id}` === id)
  if (!row) throw new Error('no such authentication')
  return row
}
const mark = (
  id: string,
  at: Partial<Record<'method_done_at' | 'challenge_opened_at' | 'challenge_returned_at', Date>>,
) => service.app.services.db.updateTable('authentication').set(at).where('id', '=', id.slice(4)).execute()
const attemptsOf = async (token: string) => (await merchant.details(token)).body.checkout_session.attempt_count

describe('POST /api/{business_id}/ddd/authenticate', () => {
  test('authenticates, without the authentication value, which is sealed', async () => {
    const { token, id } = await begun()
    const response = await payer.authenticate(token, id)
    equal(response.status, 200)
    assertCommonHeaders(response)
    const { pay_before, ds_trans_id, ...rest } = response.body
    match(ds_trans_id, /^[0-9a-f-]{36}$/)
    equal(Math.abs(Date.parse(pay_before) - clock.now().getTime() - 600_000) < 30_000, true)
    const shared = { eci: '05', message_version: '2.2.0', liability_shift: true }
    deepEqual(rest, { ok: true, status: 'authenticated', trans_status: 'Y', ...shared })
    const row = await rowOf(id)
    deepEqual([row.state, row.sealed_card], ['AUTHENTICATED', null])
    ok(row.sealed_value && !row.sealed_value.includes(CAVV))
    equal(JSON.stringify(response.body).includes(CAVV), false)
    equal(service.logged().includes(CAVV), false)
  })

  test('sends one request, however often it is called, and reports the same', async () => {
    const { token, id } = await begun()
    let respond = () => {}
    bank.onAuthenticate = () =>
      new Promise((resolve) => {
        respond = () => resolve(decided('A'))
      })
    const calls = Array.from({ length: 6 }, () => payer.authenticate(token, id))
    const waiting = await Promise.race(calls)
    deepEqual([waiting.body.status, waiting.body.retry_after_ms], ['challenge_in_progress', 1_000 * SCALE])
    respond()
    const responses = await Promise.all(calls)
    const statuses = new Set(responses.map(({ body }) => body.status))
    deepEqual([...statuses].sort(), ['authenticated', 'challenge_in_progress'])
    const { request_id: _, ...first } = responses.find(({ body }) => body.status === 'authenticated')?.body ?? {}
    deepEqual((await payer.authenticate(token, id)).body, first)
    equal(bank.requests.length, 1)
  })

  test('sends what the protocol needs; address and Accept header are those of the request', async () => {
    const { token, id } = await begun()
    const billing = { line1: '1 Main Street', city: 'Troy', state: 'NY', postal_code: '12180', country: 'US' }
    await payer.authenticate(
      token,
      id,
      { billing, contact: { phone: { cc: '1', subscriber: '5145550123' } }, three_ds_comp_ind: 'Y' },
      { accept: 'application/json' },
    )
    const [request] = bank.requests
    ok(request)
    const { card, purchasedAt, signal: _signal, serverTransactionId, ...rest } = request
    deepEqual([card.number.reveal(), card.expMonth, card.expYear, card.name], [CARDS.visa, 12, 2031, 'Ana Roy'])
    equal(Math.abs(purchasedAt.getTime() - clock.now().getTime()) < 30_000, true)
    equal(serverTransactionId, (await rowOf(id)).server_transaction_id)
    const { postal_code: postalCode, ...place } = billing
    deepEqual(rest, {
      messageVersion: '2.2.0',
      reason: 'payment',
      recurring: null,
      methodCompleted: 'U',
      amount: 2_550,
      currency: 'USD',
      merchant: {
        name: 'Demo Shop',
        url: 'https://shop.example',
        country: 'US',
        acquirerBin: null,
        acquirerMerchantId: null,
        categoryCode: null,
      },
      browser: {
        acceptHeader: 'application/json',
        ip: '127.0.0.1',
        javaScriptEnabled: true,
        javaEnabled: false,
        language: 'fr-CA',
        colorDepth: '30',
        screenHeight: '844',
        screenWidth: '390',
        timeZoneOffset: '300',
        userAgent: BROWSER.user_agent,
        challengeWindow: '02',
      },
      contact: { email: 'ana@example.com', phone: { countryCode: '1', subscriber: '5145550123' } },
      billing: { ...place, line2: undefined, postalCode },
      shipping: null,
      notificationUrl: `${service.formUrl}/customer/ddd/done/${id}`,
    })
  })

  test('says that the method completed only when it has notified in time, whatever the browser says', async () => {
    bank.onLookup = () => enrolled(METHOD)
    const completed: string[] = []
    for (const doneAfter of [null, 3, 11]) {
      const { token, id } = await begun()
      if (doneAfter !== null) await mark(id, { method_done_at: new Date(clock.now().getTime() + doneAfter * 1000) })
      await payer.authenticate(token, id, { three_ds_comp_ind: doneAfter === 3 ? 'N' : 'Y' })
      completed.push(bank.requests.at(-1)?.methodCompleted ?? '')
    }
    deepEqual(completed, ['N', 'Y', 'N'])
  })

  test('looks the card up again when the transaction is too old, without the payer noticing', async () => {
    const { token, id } = await begun()
    const before = (await rowOf(id)).server_transaction_id
    clock.advance(70)
    equal((await payer.authenticate(token, id)).body.status, 'authenticated')
    equal(bank.lookups, 2)
    const after = (await rowOf(id)).server_transaction_id
    equal(after !== before && bank.requests[0]?.serverTransactionId === after, true)
  })

  test('a card that takes part no longer is 403, again and again', async () => {
    const { token, id } = await begun()
    clock.advance(70)
    bank.onLookup = () => ({ outcome: 'not_supported' })
    for (const _ of [1, 2]) assertRefused(await payer.authenticate(token, id), 403, 'DDD_NOT_SUPPORTED')
    equal(bank.lookups, 2)
    equal(await attemptsOf(token), 0)
  })

  test('after 15 minutes it is 408, and nothing is sent', async () => {
    const { token, id } = await begun()
    clock.advance(15 * 60)
    for (const _ of [1, 2]) assertRefused(await payer.authenticate(token, id), 408, 'three_ds_expired')
    const row = await rowOf(id)
    deepEqual([row.state, row.sealed_card, bank.requests.length], ['EXPIRED', null, 0])
  })

  test('ten minutes after the result it is 408', async () => {
    const { token, id } = await begun()
    await payer.authenticate(token, id)
    clock.advance(599)
    equal((await payer.authenticate(token, id)).status, 200)
    clock.advance(2)
    assertRefused(await payer.authenticate(token, id), 408, 'three_ds_expired')
  })

  for (const [status, counts] of [
    ['N', 1],
    ['R', 1],
    ['U', 0],
    ['I', 0],
  ] as const)
    test(`${status} is 400 and counts ${counts}, also when it is asked for again`, async () => {
      const info = `  Call\u0000 us:\n${'x'.repeat(200)}`
      bank.onAuthenticate = () => decided(status, { reason: '05', cardholderInfo: info })
      const { token, id } = await begun()
      for (const _ of [1, 2]) {
        const response = await payer.authenticate(token, id)
        assertRefused(response, 400, 'three_ds_failed')
        const { trans_status, trans_status_reason, cardholder_info, charged, attempt_count, max_attempts, cancel_url } =
          response.body
        deepEqual([trans_status, trans_status_reason, charged], [status, '05', false])
        deepEqual([attempt_count, max_attempts], [counts, 3])
        match(cancel_url, /session_token=/)
        equal(cardholder_info, `Call us: ${'x'.repeat(119)}`)
      }
      equal(await attemptsOf(token), counts)
      equal((await rowOf(id)).counted, counts === 1)
    })

  test('after R the same card is R again in this session, and nobody is asked', async () => {
    bank.onAuthenticate = () => decided('R')
    const { token, id } = await begun()
    await payer.authenticate(token, id)
    const again = await payer.init(token)
    assertRefused(again, 400, 'three_ds_failed')
    deepEqual([again.body.trans_status, again.body.attempt_count], ['R', 1])
    equal(bank.lookups, 1)
    equal((await payer.init(token, { cardNumber: CARDS.mastercard })).status, 200)
    equal((await payer.init(await merchant.sessionToken())).status, 200)
  })

  test('the third that counts closes the session with its event, once, of parallel calls too', async () => {
    bank.onAuthenticate = () => decided('N')
    const { token } = await begun()
    for (const card of [CARDS.visa, CARDS.mastercard]) {
      const id = await payer.begin(token, { cardNumber: card })
      assertRefused(await payer.authenticate(token, id), 400, 'three_ds_failed')
    }
    const id = await payer.begin(token)
    const responses = await Promise.all(Array.from({ length: 5 }, () => payer.authenticate(token, id)))
    const counted = responses.filter(({ body }) => body.code === 'three_ds_failed')
    ok(counted.length > 0)
    for (const { body } of counted) equal(body.attempt_count, 3)
    const { checkout_session } = (await merchant.details(token)).body
    deepEqual([checkout_session.session_status, checkout_session.attempt_count], ['FAILED', 3])
    const events = await eventsOf(service, checkout_session.id)
    deepEqual(
      events.map(({ type }) => type),
      ['checkout.session.failed'],
    )
    assertRefused(await payer.authenticate(token, id), 400, 'session_failed')
    assertRefused(await payer.init(token), 400, 'session_failed')
  })

  test('a failure of the server is 502 with its code, and counts nothing', async () => {
    const failures: [FakeThreeDsServer['onAuthenticate'], string | null, string | null][] = [
      [() => ({ outcome: 'failed', errorCode: '203', component: 'D', message: 'x' }), '203', 'D'],
      [() => Promise.reject(new Error('broken')), null, null],
      [() => new Promise(() => {}), '402', 'S'],
    ]
    for (const [onAuthenticate, code, component] of failures) {
      bank.onAuthenticate = onAuthenticate
      const { token, id } = await begun()
      for (const _ of [1, 2]) {
        const response = await payer.authenticate(token, id)
        assertRefused(response, 502, 'three_ds_server_error')
        const { error_code, error_component, charged } = response.body
        deepEqual([error_code, error_component, charged], [code, component, false])
      }
      equal(await attemptsOf(token), 0)
    }
    equal(bank.requests.length, 3)
  })

  test('a request whose process died is not sent again: 502', async () => {
    const { token, id } = await begun()
    const sentAt = clock.now()
    await service.app.services.db
      .updateTable('authentication')
      .set({ state: 'SENT', sealed_card: null, sent_at: sentAt })
      .where('id', '=', id.slice(4))
      .execute()
    equal((await payer.authenticate(token, id)).body.status, 'challenge_in_progress')
    clock.advance(16 * SCALE)
    assertRefused(await payer.authenticate(token, id), 502, 'three_ds_server_error')
    equal(bank.requests.length, 0)
  })

  test('is 404 for an unknown one, and for one of another session', async () => {
    const { id } = await begun()
    const { token } = await begun()
    for (const other of [id, `ddd_${newId()}`])
      assertRefused(await payer.authenticate(token, other), 404, 'not_found', ['ddd_session_id'])
    assertRefused(await payer.authenticate(token, id.slice(4)), 422, 'validation_failed', ['ddd_session_id'])
    assertRefused(await payer.authenticate(token, id, { browser: {} }), 422, 'validation_failed')
    for (const [field, value] of [
      ['color_depth', '24x'],
      ['tz', '3e2'],
      ['challenge_window_size', '06'],
      ['language', ''],
    ])
      assertRefused(
        await payer.authenticate(token, id, { browser: { ...BROWSER, [field ?? '']: value } }),
        422,
        'validation_failed',
        [`browser.${field}`],
      )
    equal(bank.requests.length, 0)
  })
})

describe('A challenge', () => {
  test('is named until the browser has opened it, then in progress; the result is the server’s', async () => {
    const { token, id, body } = await challenged()
    const { start_before, ...rest } = body.challenge
    equal(Math.abs(Date.parse(start_before) - clock.now().getTime() - 30_000) < 20_000, true)
    const url = `${service.formUrl}/customer/ddd/challenge/${id}`
    deepEqual(rest, { url, window_size: '02', timeout_ms: 600_000 })
    equal((await payer.authenticate(token, id)).body.status, 'challenge_required')
    await mark(id, { challenge_opened_at: clock.now() })
    const waiting = await payer.authenticate(token, id)
    deepEqual(waiting.body, { ok: true, status: 'challenge_in_progress', retry_after_ms: 3_000 * SCALE })
    equal(bank.inquiries, 0)
    bank.onInquiry = () => ({ outcome: 'decided', ...verdict('Y', { dsTransactionId: null }) })
    await mark(id, { challenge_returned_at: clock.now() })
    const done = await payer.authenticate(token, id)
    deepEqual([done.body.status, done.body.trans_status], ['authenticated', 'Y'])
    match(done.body.ds_trans_id, /^[0-9a-f-]{36}$/)
    equal(bank.inquiries, 1)
  })

  test('that fails counts once, however many ask at the same time', async () => {
    const { token, id } = await challenged()
    bank.onInquiry = () => ({ outcome: 'decided', ...verdict('N') })
    await mark(id, { challenge_opened_at: clock.now(), challenge_returned_at: clock.now() })
    await Promise.all(Array.from({ length: 5 }, () => payer.authenticate(token, id)))
    const response = await payer.authenticate(token, id)
    assertRefused(response, 400, 'three_ds_failed')
    deepEqual([response.body.trans_status, response.body.attempt_count], ['N', 1])
    equal(await attemptsOf(token), 1)
  })

  test('that is not opened within 30 seconds is 408', async () => {
    const { token, id } = await challenged()
    clock.advance(29)
    equal((await payer.authenticate(token, id)).status, 200)
    clock.advance(2)
    for (const _ of [1, 2]) assertRefused(await payer.authenticate(token, id), 408, 'three_ds_expired')
    equal(await attemptsOf(token), 0)
  })

  test('that does not come back within ten minutes is 408', async () => {
    const { token, id } = await challenged()
    await mark(id, { challenge_opened_at: clock.now() })
    clock.advance(598)
    equal((await payer.authenticate(token, id)).status, 200)
    clock.advance(3)
    for (const _ of [1, 2]) assertRefused(await payer.authenticate(token, id), 408, 'three_ds_expired')
    equal(bank.inquiries, 0)
  })

  test('whose result does not arrive is asked for again, and is 502 after 30 seconds', async () => {
    const { token, id } = await challenged()
    await mark(id, { challenge_opened_at: clock.now(), challenge_returned_at: clock.now() })
    equal((await payer.authenticate(token, id)).body.status, 'challenge_in_progress')
    clock.advance(10 * SCALE)
    bank.onInquiry = () => ({ outcome: 'failed', errorCode: null, component: 'S', message: 'away' })
    equal((await payer.authenticate(token, id)).body.status, 'challenge_in_progress')
    clock.advance(21 * SCALE)
    for (const _ of [1, 2]) assertRefused(await payer.authenticate(token, id), 502, 'three_ds_server_error')
    equal(bank.inquiries, 3)
    equal(await attemptsOf(token), 0)
  })

  test('that the payer cancels is N with reason 26 after three seconds, and counts', async () => {
    const { token, id } = await challenged()
    await mark(id, { challenge_opened_at: clock.now() })
    const canceled = await payer.authenticate(token, id, { challenge_canceled: true })
    deepEqual([canceled.body.status, canceled.body.retry_after_ms], ['challenge_in_progress', 3_000 * SCALE])
    clock.advance(4 * SCALE)
    for (const _ of [1, 2]) {
      const response = await payer.authenticate(token, id)
      assertRefused(response, 400, 'three_ds_failed')
      const { trans_status, trans_status_reason, attempt_count } = response.body
      deepEqual([trans_status, trans_status_reason, attempt_count], ['N', '26', 1])
    }
  })

  test('a result that arrives after the payer canceled counts as it is', async () => {
    const { token, id } = await challenged()
    bank.onInquiry = () => ({ outcome: 'decided', ...verdict('Y') })
    const { body } = await payer.authenticate(token, id, { challenge_canceled: true })
    equal(body.status, 'authenticated')
  })

  test('is ended by a newer authentication of the session', async () => {
    const { token, id } = await challenged()
    bank.reset()
    equal(await payer.authenticated(token).then((newer) => newer !== id), true)
    bank.onInquiry = () => ({ outcome: 'decided', ...verdict('Y') })
    assertRefused(await payer.authenticate(token, id), 408, 'three_ds_expired')
  })
})
