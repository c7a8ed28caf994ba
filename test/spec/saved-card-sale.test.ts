import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payerOf, SESSION, send } from '../support/merchant.ts'
import { eventsOf, setBusiness } from '../support/recorded.ts'
import { assertCommonHeaders, assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// PAY-26, PAY-28.

const UUID = /^[0-9a-f-]{36}$/
const NO_SUCH = '01890000-0000-7000-8000-000000000000'
const AT_THE_GATEWAY_MS = 300
const DAY_SECONDS = 86_400

let service: TestService
let ana: StoredCardIds
let bob: StoredCardIds
before(async () => {
  service = await openService()
  callInProcess(service)
  await service.app.startWorker()
  ana = await storeCard(service, 'ana@example.com')
  bob = await storeCard(service, 'bob@example.com', { cardNumber: CARDS.mastercard })
})
beforeEach(() => service.simulator.resetScript())
after(async () => {
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const sell = (body: Record<string, unknown> = {}) => sellTo(service, ana, body)
const next = (outcome: 'declined' | 'partial_ap') => service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })
const slowly = () => service.simulator.script({ latency: { minMs: AT_THE_GATEWAY_MS, maxMs: AT_THE_GATEWAY_MS } })
const salesAtGateway = async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale').length
const lastSale = async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale').at(-1)

const payments = () =>
  service.app.services.db.selectFrom('payment').selectAll().where('session_id', 'is', null).orderBy('id').execute()

describe('the response', () => {
  test('approved: the documented members, and nothing else', async () => {
    const response = await sell({ amount: 19.99, ip_address: '203.0.113.7', user_agent: 'Shop/1.0' })
    assertCommonHeaders(response)
    const { recordID, receiptID, ...rest } = response.body
    deepEqual([response.status, rest], [200, { ok: true, status: 'Approved', code: 'AA', message: 'APPROVAL' }])
    match(recordID, UUID)
    match(receiptID, /^R[0-9A-Z]{10}$/)
  })

  test('user_agent may be as long as browsers send it, and empty', async () => {
    for (const [amount, user_agent] of [
      [19.5, 'x'.repeat(2048)],
      [19.6, ''],
    ] as const) {
      equal((await sell({ amount, user_agent })).body.ok, true)
    }
  })

  test('the payment is written down: amount, card, customer, no session', async () => {
    const { recordID, receiptID } = (await sell({ amount: 20 })).body
    const payment = (await payments()).at(-1)
    deepEqual(
      [payment?.id, payment?.receipt_id, payment?.amount, payment?.currency, payment?.source, payment?.status],
      [recordID, receiptID, 2000, 'USD', 'saved_card', 'succeeded'],
    )
    deepEqual([payment?.customer_id, payment?.stored_card_id], [ana.customerId, ana.cardId])
  })

  test('declined: 200 with ok: false, and nothing is taken', async () => {
    const before = (await payments()).length
    await next('declined')
    const { status, body } = await sell()
    deepEqual([status, body.ok, body.status, body.code], [200, false, 'Declined', 'ND'])
    deepEqual(Object.keys(body).sort(), ['code', 'message', 'ok', 'recordID', 'status'])
    equal((await payments()).length, before)
  })

  test('partly approved: the part is voided, and it is a decline', async () => {
    await next('partial_ap')
    const { status, body } = await sell({ amount: 50 })
    deepEqual([status, body.ok, body.status, body.code], [200, false, 'Declined', 'AP'])
    equal((await lastSale())?.state, 'voided')
  })

  test('the gateway cannot be reached: 400 gateway_unavailable, not charged', async () => {
    const response = await service.whileGatewayAway(() => sell({ amount: 31 }))
    assertRefused(response, 400, 'gateway_unavailable')
    equal(response.body.charged, false)
  })

  test('an unknown currency is refused', async () => {
    for (const currency of ['ZZ', 'EUR', 'usd', 1])
      assertRefused(await sell({ amount: 31, currency }), 422, 'validation_failed', ['currency'])
  })

  test('PAY-26: the currency is that of the business; another one is refused, and sends nothing', async () => {
    const before = await lastSale()
    assertRefused(await sell({ amount: 32, currency: 'CAD' }), 422, 'validation_failed', ['currency'])
    deepEqual(await lastSale(), before)
    for (const currency of ['USD', undefined, null, '']) equal((await sell({ amount: 32, currency })).body.ok, true)
    equal((await lastSale())?.currency, 'USD')
  })
})

describe('what the gateway receives', () => {
  test('the merchant charges, unscheduled, with the network’s id of the first payment, and no CVV', async () => {
    const rows = await service.simulator.rows()
    const first = rows.find(({ storedCredential }) => storedCredential?.initial === true)
    await sell({ amount: 33 })
    const row = await lastSale()
    const networkTransactionId = first?.networkTransactionId
    ok(networkTransactionId)
    deepEqual(row?.storedCredential, {
      initiator: 'merchant',
      reason: 'unscheduled',
      initial: false,
      networkTransactionId,
    })
    deepEqual([row?.cvvPresent ?? false, row?.warnings ?? []], [false, []])
    deepEqual([row?.card?.first6, row?.card?.last4], ['424242', '4242'])
  })
})

describe('events', () => {
  test('sale.succeeded: once, with the payment as its object', async () => {
    const { recordID, receiptID } = (await sell({ amount: 34.5 })).body
    const events = await eventsOf(service, recordID)
    deepEqual(
      events.map(({ type, sequence, data }) => [type, sequence, data.object]),
      [
        [
          'sale.succeeded',
          1,
          {
            id: recordID,
            status: 'Approved',
            amount: 34.5,
            currency: 'USD',
            customer_id: ana.customerId,
            card_id: ana.cardId,
            code: 'AA',
            message: 'APPROVAL',
            receipt_id: receiptID,
          },
        ],
      ],
    )
  })

  test('sale.failed: once, under the recordID of the declined response', async () => {
    for (const outcome of ['declined', 'partial_ap'] as const) {
      await next(outcome)
      const { recordID, code } = (await sell({ amount: 35 })).body
      const events = await eventsOf(service, recordID)
      deepEqual(
        events.map(({ type, data: { object } }) => [type, object.status, object.code, object.receipt_id]),
        [['sale.failed', 'Declined', code, null]],
      )
    }
  })
})

describe('refused', () => {
  const nothingSent = async (ask: () => Promise<void>) => {
    const before = await salesAtGateway()
    await ask()
    equal(await salesAtGateway(), before)
  }

  const WRONG: [what: string, body: Record<string, unknown>, fields: string[]][] = [
    ['no amount', { amount: undefined }, ['amount']],
    ['an amount of zero', { amount: 0 }, ['amount']],
    ['a negative amount', { amount: -1 }, ['amount']],
    ['three decimals', { amount: 1.001 }, ['amount']],
    ['an amount above 999,999.99', { amount: 1_000_000 }, ['amount']],
    ['an amount as text', { amount: '12.34' }, ['amount']],
    ['no card', { cardId: undefined }, ['cardId']],
    ['a card id that is not a UUID', { cardId: '4242' }, ['cardId']],
    ['an address that is none', { ip_address: 'here' }, ['ip_address']],
    ['a user agent of 2049 characters', { user_agent: 'x'.repeat(2049) }, ['user_agent']],
    ['a user agent with a line break', { user_agent: 'a\nb' }, ['user_agent']],
  ]
  for (const [what, body, fields] of WRONG) {
    test(`${what}: 422`, () =>
      nothingSent(async () => assertRefused(await sell(body), 422, 'validation_failed', fields)))
  }

  test('a card number in the body: 422, never stored', () =>
    nothingSent(async () => equal((await sell({ cardNumber: CARDS.visa })).status, 422)))

  test('the card of another customer, an unknown card, an unknown customer: 404', () =>
    nothingSent(async () => {
      assertRefused(await sell({ cardId: bob.cardId }), 404, 'not_found')
      assertRefused(await sell({ cardId: NO_SUCH }), 404, 'not_found')
      assertRefused(await sellTo(service, { ...ana, customerId: NO_SUCH }), 404, 'not_found')
      assertRefused(await sellTo(service, { ...ana, customerId: 'ana' }), 404, 'not_found')
    }))

  test('another business, with its own token or this one: 404', () =>
    nothingSent(async () => {
      const other = await secondMerchant(service)
      assertRefused(await sellTo({ url: service.url, demo: other.demo }, ana), 404, 'not_found')
      const foreign = { ...service.demo, business_id: other.demo.business_id }
      assertRefused(await sellTo({ url: service.url, demo: foreign }, ana), 404, 'not_found')
    }))

  test('without a token: 401', () =>
    nothingSent(async () => {
      const url = `${service.url}/api/${service.demo.business_id}/customer/${ana.customerId}/sale`
      const headers = { 'content-type': 'application/json' }
      assertRefused(await send(url, { method: 'POST', headers, body: '{}' }), 401, 'unauthenticated')
    }))

  test('a detached card: 404', async () => {
    const gone = await storeCard(service, 'gone@example.com')
    const { db } = service.app.services
    await db.updateTable('stored_card').set({ detached_at: new Date() }).where('id', '=', gone.cardId).execute()
    await nothingSent(async () => assertRefused(await sellTo(service, gone), 404, 'not_found'))
  })

  for (const outcome of ['lost_card', 'never_again', 'stop_recurring'] as const) {
    test(`a card that was declined with ${outcome}: 422, and its key stays free (GTW-20)`, async () => {
      const lost = await storeCard(service, `${outcome}@example.com`)
      await service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })
      const declined = await sellTo(service, lost)
      deepEqual([declined.status, declined.body.status], [200, 'Declined'])
      await nothingSent(async () => {
        assertRefused(await sellTo(service, lost), 422, 'validation_failed', ['cardId'])
      })
      const { db } = service.app.services
      await db.updateTable('stored_card').set({ charge_block: null }).where('id', '=', lost.cardId).execute()
      equal((await sellTo(service, lost)).body.ok, true)
    })
  }

  test('a card whose payer was declined with NC: 422, but the payer may try again (GTW-20)', async () => {
    const { customerId, cardId } = await storeCard(service, 'present@example.com')
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'lost_card' }] })
    const merchant = merchantOf(service)
    const pay = async () => {
      const token = await merchant.sessionToken({ customer_id: customerId })
      return payerOf(service).pay(token, { payment_method_type: 'saved_card', amount: SESSION.amount_total, cardId })
    }
    equal((await pay()).body.ok, false)
    await nothingSent(async () => {
      assertRefused(await sellTo(service, { customerId, cardId }), 422, 'validation_failed', ['cardId'])
    })
    equal((await pay()).body.ok, true)
  })

  test('an expired card, in the business’s time: 422', async () => {
    const old = await storeCard(service, 'old@example.com', { month: '12', year: 2027 })
    await setBusiness(service, { clock_offset_seconds: 3 * 366 * DAY_SECONDS })
    // A token's cached data about the business may be a second old.
    await until('the clock of the business counts', async () => (await sellTo(service, old)).status === 422)
    await nothingSent(async () => {
      assertRefused(await sellTo(service, old), 422, 'validation_failed', ['cardId'])
    })
    await setBusiness(service, { clock_offset_seconds: 0 })
    await until('it is back', async () => (await sellTo(service, old, { amount: 1.5 })).status === 200)
  })
})

describe('an identical sale', () => {
  test('at once: one is charged, the other is refused with payment_in_progress', async () => {
    await slowly()
    const before = await salesAtGateway()
    const responses = await Promise.all([sell({ amount: 40 }), sell({ amount: 40 })])
    const [won, lost] = responses[0]?.status === 200 ? responses : responses.toReversed()
    equal(won?.body.ok, true)
    ok(lost)
    assertRefused(lost, 400, 'payment_in_progress')
    equal(lost.body.charged, null)
    equal(await salesAtGateway(), before + 1)
  })

  test('after the first has ended is another sale', async () => {
    deepEqual([(await sell({ amount: 41 })).body.ok, (await sell({ amount: 41 })).body.ok], [true, true])
  })

  test('of another amount, or another customer, runs beside it', async () => {
    await slowly()
    const responses = await Promise.all([
      sell({ amount: 42 }),
      sell({ amount: 43 }),
      sellTo(service, bob, { amount: 42 }),
    ])
    deepEqual(
      responses.map(({ body }) => body.ok),
      [true, true, true],
    )
  })
})
