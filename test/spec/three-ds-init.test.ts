import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { enrolled, type FakeThreeDsServer, fakeThreeDsServer } from '../support/fake-three-ds-server.ts'
import { type Merchant, merchantOf, payerOf } from '../support/merchant.ts'
import { openOtherTab } from '../support/other-tab.ts'
import { setBusiness } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { savedCardBody, storeCard } from '../support/stored-card.ts'
import { authenticationsOf, initBody, threeDsOf } from '../support/three-ds.ts'

// TDS-1, TDS-2.

let service: TestService
let merchant: Merchant
let bank: FakeThreeDsServer
let payer: ReturnType<typeof threeDsOf>
before(async () => {
  bank = fakeThreeDsServer()
  service = await openService({ threeDsServer: bank })
  callInProcess(service)
  // Before the first call, so that no caller is cached without it.
  await setBusiness(service, { surcharge_rate_bp: 240 })
  merchant = merchantOf(service)
  payer = threeDsOf(service)
})
after(() => service.close())
beforeEach(async () => {
  bank.reset()
  await setBusiness(service, { three_ds_enabled: true, three_ds_above: null })
})

/** The authentications of one session. */
const rowsOf = async (token: string) => {
  const id = service.app.services.sessionTokens.open(token)?.id
  return (await authenticationsOf(service)).filter(({ session_id }) => session_id === id)
}

describe('POST /api/{business_id}/ddd/init', () => {
  test('looks the card up, and names the method page when the issuer has one', async () => {
    bank.onLookup = () => enrolled('https://acs.example/method')
    const token = await merchant.sessionToken()
    const response = await payer.init(token)
    equal(response.status, 200)
    assertCommonHeaders(response)
    const { ddd_session_id: id, three_ds_server_trans_id, expires_at, ...rest } = response.body
    match(id, /^ddd_[0-9a-f-]{36}$/)
    match(three_ds_server_trans_id, /^[0-9a-f-]{36}$/)
    equal(Math.abs(Date.parse(expires_at) - Date.now() - 15 * 60_000) < 30_000, true)
    deepEqual(rest, {
      ok: true,
      status: 'method_required',
      message_version: '2.2.0',
      method: { url: `${service.formUrl}/customer/ddd/method/${id}`, timeout_ms: 10_000 },
    })
  })

  test('is ready at once when the issuer has no method', async () => {
    const { body } = await payer.init(await merchant.sessionToken())
    deepEqual([body.status, body.method], ['ready', null])
  })

  test('keeps the card sealed', async () => {
    const token = await merchant.sessionToken()
    await payer.init(token)
    const [row] = await rowsOf(token)
    equal(row?.state, 'STARTED')
    const sealed = row?.sealed_card ?? Buffer.from('')
    equal(sealed.length > 60 && !sealed.includes(CARDS.visa) && !sealed.includes('Ana'), true)
  })

  test('is not required where the business does not have it, below its amount, and looks nothing up', async () => {
    const none = {
      ok: true,
      status: 'not_required',
      ddd_session_id: null,
      three_ds_server_trans_id: null,
      message_version: null,
      method: null,
      expires_at: null,
    }
    await setBusiness(service, { three_ds_above: 2_550 })
    deepEqual((await payer.init(await merchant.sessionToken())).body, none)
    await setBusiness(service, { three_ds_above: 2_549 })
    equal((await payer.init(await merchant.sessionToken())).body.status, 'ready')
    await setBusiness(service, { three_ds_enabled: false })
    deepEqual((await payer.init(await merchant.sessionToken())).body, none)
    equal(bank.lookups, 1)
  })

  test('refuses a CVV and names it; a blank one is none', async () => {
    const token = await merchant.sessionToken()
    const { cardData } = initBody(token)
    for (const cvv of ['123', 123, [], {}, false])
      assertRefused(await payer.init(token, { cardData: { ...cardData, cvv } }), 422, 'validation_failed', [
        'cardData.cvv',
      ])
    equal(bank.lookups, 0)
    for (const cvv of ['', null])
      equal((await payer.init(token, { cardData: { ...cardData, cvv } })).body.status, 'ready')
  })

  test('refuses a wrong card, amount, method and token, naming the field', async () => {
    const token = await merchant.sessionToken()
    const { cardData } = initBody(token)
    const card = (change: object) => ({ cardData: { ...cardData, ...change } })
    for (const [field, more] of [
      ['cardData.cardNumber', card({ cardNumber: '4242424242424241' })],
      ['cardData.month', card({ month: '13' })],
      ['cardData.year', card({ year: 2020 })],
      ['cardData.nameOnCard', card({ nameOnCard: undefined })],
      ['cardData', { cardData: undefined }],
      ['amount', { amount: 25.49 }],
      ['payment_method_type', { payment_method_type: 'cash' }],
      ['cardId', { payment_method_type: 'saved_card' }],
      ['session_token', { session_token: undefined }],
    ] as const)
      assertRefused(await payer.init(token, more), 422, 'validation_failed', [field])
    equal(bank.lookups, 0)
    deepEqual(await rowsOf(token), [])
  })

  test('is 404 for an unknown business, session and token of another business, with one text', async () => {
    const token = await merchant.sessionToken()
    const other = await secondMerchant(service, { redirectUrl: 'https://shop.example' })
    const foreign = await other.sessionToken()
    const texts = []
    for (const [business, given] of [
      [newId(), token],
      [service.demo.business_id, 'x'.repeat(64)],
      [service.demo.business_id, `${token.slice(0, -2)}AA`],
      [service.demo.business_id, foreign],
      [other.demo.business_id, token],
    ] as const) {
      const response = await threeDsOf(service, business).init(given)
      assertRefused(response, 404, 'not_found')
      texts.push(response.body.message)
    }
    deepEqual([...new Set(texts)], ['No such session'])
    assertRefused(await threeDsOf(service, 'not-an-id').init(token), 404, 'not_found')
    equal(bank.lookups, 0)
  })

  test('checks the path before the body', async () => {
    assertRefused(await threeDsOf(service, newId()).post('init', '{'), 404, 'not_found')
    assertRefused(await payer.post('init', '{'), 422, 'validation_failed')
    assertRefused(await payer.post('init', []), 422, 'validation_failed')
  })

  test('is 400 on a closed session, with its code', async () => {
    const token = await merchant.sessionToken()
    await merchant.cancel(token)
    const response = await payer.init(token)
    assertRefused(response, 400, 'session_cancelled')
    equal(response.body.status, 'CANCELLED')
  })

  test('is 400 while a payment of the session is in progress, and so is authenticate', async () => {
    const token = await merchant.sessionToken()
    const id = await payer.begin(token)
    await using tab = await openOtherTab(service, token)
    await tab.begin()
    await tab.commit()
    assertRefused(await payer.init(token), 400, 'payment_in_progress')
    assertRefused(await payer.authenticate(token, id), 400, 'payment_in_progress')
    deepEqual([bank.lookups, bank.requests.length], [1, 0])
    await tab.finish()
    assertRefused(await payer.authenticate(token, id), 400, 'session_completed')
  })

  test('takes a saved card of the session only', async () => {
    await setBusiness(service, { three_ds_enabled: false })
    const { customerId, cardId } = await storeCard(service, `${newId()}@example.com`)
    await setBusiness(service, { three_ds_enabled: true })
    const bound = await merchant.sessionToken({ customer_id: customerId, customer_email: undefined })
    const saved = { cardData: undefined, ...savedCardBody(cardId) }
    equal((await payer.init(bound, saved)).body.status, 'ready')
    equal((await rowsOf(bound))[0]?.source, 'saved_card')
    const response = await payer.init(await merchant.sessionToken(), saved)
    assertRefused(response, 404, 'not_found', ['cardId'])
  })

  test('takes the amount that pay takes, with the surcharge of the place', async () => {
    const token = await merchant.sessionToken({ surcharge: true })
    const wrong = await payer.init(token)
    assertRefused(wrong, 422, 'validation_failed', ['amount'])
    deepEqual(wrong.body.surcharge, { applies: true, rate: 2.4, amount: 0.61, total: 26.11 })
    const quebec = { billing_address: { country: 'CA', state: 'QC' } }
    assertRefused(await payer.init(token, { amount: 26.11, ...quebec }), 422, 'validation_failed', ['amount'])
    equal((await payer.init(token, { amount: 25.5, ...quebec })).body.status, 'ready')
    equal((await payer.init(token, { amount: 26.11 })).body.status, 'ready')
    deepEqual(
      (await rowsOf(token)).map(({ amount }) => amount),
      [2_550, 2_611],
    )
  })

  test('is 403 for a card that does not take part, and counts no attempt', async () => {
    bank.onLookup = () => ({ outcome: 'not_supported' })
    const token = await merchant.sessionToken()
    const response = await payer.init(token)
    assertRefused(response, 403, 'DDD_NOT_SUPPORTED')
    equal(response.body.charged, false)
    equal((await merchant.details(token)).body.checkout_session.attempt_count, 0)
  })

  test('is 502 when the server fails, throws or is silent, with its code, and counts no attempt', async () => {
    const token = await merchant.sessionToken()
    const failures: [FakeThreeDsServer['onLookup'], string | null, string | null][] = [
      [() => ({ outcome: 'failed', errorCode: '203', component: 'D', message: 'x' }), '203', 'D'],
      [() => Promise.reject(new Error('broken')), null, null],
      [() => new Promise(() => {}), '402', 'S'],
    ]
    for (const [onLookup, code, component] of failures) {
      bank.onLookup = onLookup
      const response = await payer.init(token)
      assertRefused(response, 502, 'three_ds_server_error')
      const { error_code, error_component, charged } = response.body
      deepEqual([error_code, error_component, charged], [code, component, false])
    }
    equal((await merchant.details(token)).body.checkout_session.attempt_count, 0)
  })

  test('the eleventh of a session is 429, also of parallel ones, and looks nothing up', async () => {
    const token = await merchant.sessionToken()
    const responses = await Promise.all(Array.from({ length: 14 }, () => payer.init(token)))
    const refused = responses.filter(({ status }) => status === 429)
    equal(refused.length, 4)
    equal(bank.lookups, 10)
    for (const response of refused) {
      assertRefused(response, 429, 'rate_limited')
      const seconds = Number(response.headers.get('retry-after'))
      equal(seconds > 86_000 && seconds <= 86_400, true)
    }
    equal((await payer.init(token)).status, 429)
  })

  test('a newer one ends the unfinished ones of its session, and their cards are wiped', async () => {
    const token = await merchant.sessionToken()
    const elsewhere = await merchant.sessionToken()
    const [old, , other] = [await payer.begin(token), await payer.begin(token), await payer.begin(elsewhere)]
    const rows = await rowsOf(token)
    deepEqual(
      rows.map(({ state, sealed_card }) => [state, sealed_card === null]),
      [
        ['EXPIRED', true],
        ['STARTED', false],
      ],
    )
    assertRefused(await payer.authenticate(token, old), 408, 'three_ds_expired')
    equal((await payer.authenticate(elsewhere, other)).body.status, 'authenticated')
  })

  test('is refused to pages other than the payment form', async () => {
    const token = await merchant.sessionToken()
    const foreign = { origin: 'https://shop.example' }
    assertRefused(await payer.init(token, {}, foreign), 403, 'origin_not_allowed')
    assertRefused(await payer.authenticate(token, `ddd_${newId()}`, {}, foreign), 403, 'origin_not_allowed')
    const form = await payer.init(token, {}, { origin: service.formUrl })
    deepEqual([form.status, form.headers.get('access-control-allow-origin')], [200, service.formUrl])
    const stranger = await payer.init(token, {}, { origin: service.url })
    notEqual(stranger.headers.get('access-control-allow-origin'), service.url)
  })

  test('the log has no card', async () => {
    equal(service.logged().includes(CARDS.visa), false)
    equal((await payerOf(service).validate(await merchant.sessionToken())).status, 200)
  })
})
