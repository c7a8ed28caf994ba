import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { CAVV, decided, enrolled, type FakeThreeDsServer } from '../support/fake-three-ds-server.ts'
import { eventsOf } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { BROWSER } from '../support/three-ds.ts'
import { openThreeDsBusiness, type ThreeDsBusiness, TIME_SCALE } from '../support/three-ds-business.ts'

// TDS-3, TDS-4, TDS-6, TDS-9, TDS-12 to TDS-17.

const METHOD = 'https://acs.example/method'

let business: ThreeDsBusiness
before(async () => {
  business = await openThreeDsBusiness()
})
after(() => business[Symbol.asyncDispose]())
beforeEach(() => business.bank.reset())

describe('POST /api/{business_id}/ddd/authenticate', () => {
  test('authenticates, without the authentication value, which is sealed', async () => {
    const { token, id } = await business.begun()
    const response = await business.payer.authenticate(token, id)
    equal(response.status, 200)
    assertCommonHeaders(response)
    const { pay_before, ds_trans_id, ...rest } = response.body
    match(ds_trans_id, /^[0-9a-f-]{36}$/)
    equal(Math.abs(Date.parse(pay_before) - business.clock.now().getTime() - 600_000) < 30_000, true)
    const shared = { eci: '05', message_version: '2.2.0', liability_shift: true }
    deepEqual(rest, { ok: true, status: 'authenticated', trans_status: 'Y', ...shared })
    const row = await business.rowOf(id)
    deepEqual([row.state, row.sealed_card], ['AUTHENTICATED', null])
    ok(row.sealed_value && !row.sealed_value.includes(CAVV))
    equal(JSON.stringify(response.body).includes(CAVV), false)
    equal(business.service.logged().includes(CAVV), false)
  })

  test('sends one request, however often it is called, and reports the same', async () => {
    const { token, id } = await business.begun()
    let respond = () => {}
    business.bank.onAuthenticate = () =>
      new Promise((resolve) => {
        respond = () => resolve(decided('A'))
      })
    const calls = Array.from({ length: 6 }, () => business.payer.authenticate(token, id))
    const waiting = await Promise.race(calls)
    deepEqual([waiting.body.status, waiting.body.retry_after_ms], ['challenge_in_progress', 1_000 * TIME_SCALE])
    respond()
    const responses = await Promise.all(calls)
    const statuses = new Set(responses.map(({ body }) => body.status))
    deepEqual([...statuses].sort(), ['authenticated', 'challenge_in_progress'])
    const { request_id: _, ...first } = responses.find(({ body }) => body.status === 'authenticated')?.body ?? {}
    deepEqual((await business.payer.authenticate(token, id)).body, first)
    equal(business.bank.requests.length, 1)
  })

  test('sends what the protocol needs; address and headers are those of the request', async () => {
    const { token, id } = await business.begun()
    const billing = { line1: '1 Main Street', city: 'Troy', state: 'NY', postal_code: '12180', country: 'US' }
    await business.payer.authenticate(
      token,
      id,
      { billing, contact: { phone: { cc: '1', subscriber: '5145550123' } }, three_ds_comp_ind: 'Y' },
      { accept: 'application/json', 'accept-language': 'fr-CA,fr;q=0.9' },
    )
    const [request] = business.bank.requests
    ok(request)
    const { card, purchasedAt, signal: _signal, serverTransactionId, ...rest } = request
    deepEqual([card.number.reveal(), card.expMonth, card.expYear, card.name], [CARDS.visa, 12, 2031, 'Ana Roy'])
    equal(Math.abs(purchasedAt.getTime() - business.clock.now().getTime()) < 30_000, true)
    equal(serverTransactionId, (await business.rowOf(id)).server_transaction_id)
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
        acceptLanguage: 'fr-CA,fr;q=0.9',
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
      account: null,
      billing: { ...place, line2: undefined, postalCode },
      shipping: null,
      notificationUrl: `${business.service.formUrl}/customer/ddd/done/${id}`,
    })
  })

  test('says that the method completed only when it has notified in time, whatever the browser says', async () => {
    business.bank.onLookup = () => enrolled(METHOD)
    const completed: string[] = []
    for (const doneAfter of [null, 3, 11]) {
      const { token, id } = await business.begun()
      if (doneAfter !== null)
        await business.mark(id, { method_done_at: new Date(business.clock.now().getTime() + doneAfter * 1000) })
      await business.payer.authenticate(token, id, { three_ds_comp_ind: doneAfter === 3 ? 'N' : 'Y' })
      completed.push(business.bank.requests.at(-1)?.methodCompleted ?? '')
    }
    deepEqual(completed, ['N', 'Y', 'N'])
  })

  test('looks the card up again when the transaction is too old, without the payer noticing', async () => {
    const { token, id } = await business.begun()
    const before = (await business.rowOf(id)).server_transaction_id
    business.clock.advance(70)
    equal((await business.payer.authenticate(token, id)).body.status, 'authenticated')
    equal(business.bank.lookups, 2)
    const after = (await business.rowOf(id)).server_transaction_id
    equal(after !== before && business.bank.requests[0]?.serverTransactionId === after, true)
  })

  test('a card that takes part no longer is 403, again and again', async () => {
    const { token, id } = await business.begun()
    business.clock.advance(70)
    business.bank.onLookup = () => ({ outcome: 'not_supported' })
    for (const _ of [1, 2]) assertRefused(await business.payer.authenticate(token, id), 403, 'DDD_NOT_SUPPORTED')
    equal(business.bank.lookups, 2)
    equal(await business.attemptsOf(token), 0)
  })

  test('after 15 minutes it is 408, and nothing is sent', async () => {
    const { token, id } = await business.begun()
    business.clock.advance(15 * 60)
    for (const _ of [1, 2]) assertRefused(await business.payer.authenticate(token, id), 408, 'three_ds_expired')
    const row = await business.rowOf(id)
    deepEqual([row.state, row.sealed_card, business.bank.requests.length], ['EXPIRED', null, 0])
  })

  test('ten minutes after the result it is 408', async () => {
    const { token, id } = await business.begun()
    await business.payer.authenticate(token, id)
    business.clock.advance(599)
    equal((await business.payer.authenticate(token, id)).status, 200)
    business.clock.advance(2)
    assertRefused(await business.payer.authenticate(token, id), 408, 'three_ds_expired')
  })

  for (const [status, counts] of [
    ['N', 1],
    ['R', 1],
    ['U', 0],
    ['I', 0],
  ] as const)
    test(`${status} is 400 and counts ${counts}, also when it is asked for again`, async () => {
      const info = `  Call\u0000 us:\n${'x'.repeat(200)}`
      business.bank.onAuthenticate = () => decided(status, { reason: '05', cardholderInfo: info })
      const { token, id } = await business.begun()
      for (const _ of [1, 2]) {
        const response = await business.payer.authenticate(token, id)
        assertRefused(response, 400, 'three_ds_failed')
        const { trans_status, trans_status_reason, cardholder_info, charged, attempt_count, max_attempts, cancel_url } =
          response.body
        deepEqual([trans_status, trans_status_reason, charged], [status, '05', false])
        deepEqual([attempt_count, max_attempts], [counts, 3])
        match(cancel_url, /session_token=/)
        equal(cardholder_info, `Call us: ${'x'.repeat(119)}`)
      }
      const { attempt_count, last_decline } = (await business.merchant.details(token)).body.checkout_session
      const declined = { code: 'ND', message: `3-D Secure: ${status}, reason 05` }
      deepEqual([attempt_count, last_decline], [counts, counts === 1 ? declined : null], 'CHK-35')
      equal((await business.rowOf(id)).counted, counts === 1)
    })

  test('after R the same card is R again in this session, and nobody is asked', async () => {
    business.bank.onAuthenticate = () => decided('R')
    const { token, id } = await business.begun()
    await business.payer.authenticate(token, id)
    const again = await business.payer.init(token)
    assertRefused(again, 400, 'three_ds_failed')
    deepEqual([again.body.trans_status, again.body.attempt_count], ['R', 1])
    equal(business.bank.lookups, 1)
    equal((await business.payer.init(token, { cardNumber: CARDS.mastercard })).status, 200)
    equal((await business.payer.init(await business.merchant.sessionToken())).status, 200)
  })

  test('the third that counts closes the session with its event, once, of parallel calls too', async () => {
    business.bank.onAuthenticate = () => decided('N')
    const { token } = await business.begun()
    for (const card of [CARDS.visa, CARDS.mastercard]) {
      const id = await business.payer.begin(token, { cardNumber: card })
      assertRefused(await business.payer.authenticate(token, id), 400, 'three_ds_failed')
    }
    const id = await business.payer.begin(token)
    const responses = await Promise.all(Array.from({ length: 5 }, () => business.payer.authenticate(token, id)))
    const counted = responses.filter(({ body }) => body.code === 'three_ds_failed')
    ok(counted.length > 0)
    for (const { body } of counted) equal(body.attempt_count, 3)
    const { checkout_session } = (await business.merchant.details(token)).body
    deepEqual([checkout_session.session_status, checkout_session.attempt_count], ['FAILED', 3])
    const events = await eventsOf(business.service, checkout_session.id)
    deepEqual(
      events.map(({ type, data }) => [type, data.object.last_decline]),
      [['checkout.session.failed', checkout_session.last_decline]],
    )
    assertRefused(await business.payer.authenticate(token, id), 400, 'session_failed')
    assertRefused(await business.payer.init(token), 400, 'session_failed')
  })

  test('a failure of the server is 502 with its code, and counts nothing', async () => {
    const failures: [FakeThreeDsServer['onAuthenticate'], string | null, string | null][] = [
      [() => ({ outcome: 'failed', errorCode: '203', component: 'D', message: 'x' }), '203', 'D'],
      [() => Promise.reject(new Error('broken')), null, null],
      [() => new Promise(() => {}), '402', 'S'],
    ]
    for (const [onAuthenticate, code, component] of failures) {
      business.bank.onAuthenticate = onAuthenticate
      const { token, id } = await business.begun()
      for (const _ of [1, 2]) {
        const response = await business.payer.authenticate(token, id)
        assertRefused(response, 502, 'three_ds_server_error')
        const { error_code, error_component, charged } = response.body
        deepEqual([error_code, error_component, charged], [code, component, false])
      }
      equal(await business.attemptsOf(token), 0)
    }
    equal(business.bank.requests.length, 3)
  })

  test('a request whose process died is not sent again: 502', async () => {
    const { token, id } = await business.begun()
    const sentAt = business.clock.now()
    await business.service.app.services.db
      .updateTable('authentication')
      .set({ state: 'SENT', sealed_card: null, sent_at: sentAt })
      .where('id', '=', id.slice(4))
      .execute()
    equal((await business.payer.authenticate(token, id)).body.status, 'challenge_in_progress')
    business.clock.advance(16 * TIME_SCALE)
    assertRefused(await business.payer.authenticate(token, id), 502, 'three_ds_server_error')
    equal(business.bank.requests.length, 0)
  })

  test('is 404 for an unknown one, and for one of another session', async () => {
    const { id } = await business.begun()
    const { token } = await business.begun()
    for (const other of [id, `ddd_${newId()}`])
      assertRefused(await business.payer.authenticate(token, other), 404, 'not_found', ['ddd_session_id'])
    assertRefused(await business.payer.authenticate(token, id.slice(4)), 422, 'validation_failed', ['ddd_session_id'])
    assertRefused(await business.payer.authenticate(token, id, { browser: {} }), 422, 'validation_failed')
    for (const [field, value] of [
      ['color_depth', '24x'],
      ['tz', '3e2'],
      ['challenge_window_size', '06'],
      ['language', ''],
    ])
      assertRefused(
        await business.payer.authenticate(token, id, { browser: { ...BROWSER, [field ?? '']: value } }),
        422,
        'validation_failed',
        [`browser.${field}`],
      )
    equal(business.bank.requests.length, 0)
  })
})
