import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { movableClock } from '../support/movable-clock.ts'
import { setBusiness } from '../support/recorded.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { openService, type TestService } from '../support/service.ts'
import { makeSubscriber, type Subscriber, saveCard, subscriptionBody } from '../support/subscriber.ts'
import { addedRows, countRows } from '../support/whole-database.ts'

// SUB-1, SUB-6, BIL-14 to BIL-16, BIL-20: refused creates, which write and send nothing.

const UNKNOWN = '0199a3f2-7c58-7c32-8d07-000000000000'

const clock = movableClock()
let service: TestService
let ana: Subscriber
before(async () => {
  service = await openService({ clock })
  ana = await makeSubscriber(service)
})
after(() => service.close())

const create = (more: Record<string, unknown> = {}, who = ana) =>
  who.api.post('/subscriptions', subscriptionBody(who, more))
const priceOf = async (more: Record<string, unknown> = {}) =>
  (
    await ana.api.made('/prices', {
      product: ana.product,
      unit_amount: 1000,
      recurring: { interval: 'month' },
      ...more,
    })
  ).id as string

/** Asserts the refusal, and that the database and the gateway are unchanged. */
async function refused(
  body: Record<string, unknown>,
  param: string | null,
  [status, code]: readonly [number, string] = [422, 'parameter_invalid'],
): Promise<void> {
  const [rows, calls] = [await countRows(service.databaseUrl), (await service.simulator.rows()).length]
  assertMerchantRefused(await create(body), status, code, param)
  deepEqual(await addedRows(service.databaseUrl, rows), {})
  equal((await service.simulator.rows()).length, calls)
}
const NOT_FOUND = [404, 'resource_missing'] as const
const CARD_DATA = [422, 'raw_card_data_not_supported'] as const

async function refusedAsBlocked(
  bob: Subscriber,
  { code = 'NC', ...input }: { code?: string; start_date?: string } = {},
): Promise<void> {
  const sent = (await service.simulator.rows()).length
  const response = await create(input, bob)
  assertMerchantRefused(response, 402, 'card_declined', 'payment_method')
  deepEqual([response.body.error.decline_code, (await service.simulator.rows()).length], [code, sent])
}

describe('A create refuses', () => {
  const fields: [what: string, body: Record<string, unknown>, param: string][] = [
    ['no customer', { customer: undefined }, 'customer'],
    ['a null customer', { customer: null }, 'customer'],
    ['a customer that is not an id', { customer: 'ana' }, 'customer'],
    ['a customer of the wrong type', { customer: 5 }, 'customer'],
    ['neither price nor items', { price: undefined }, 'price'],
    ['a price that is not an id', { price: 'gold' }, 'price'],
    ['a null price', { price: null }, 'price'],
    ['both price and items', { items: [{ price: UNKNOWN }] }, 'items'],
    ['items that are not a list', { price: undefined, items: { price: UNKNOWN } }, 'items'],
    ['no items', { price: undefined, items: [] }, 'items'],
    ['21 items', { price: undefined, items: Array(21).fill({ price: UNKNOWN }) }, 'items'],
    ['an item without a price', { price: undefined, items: [{}] }, 'items.0.price'],
    ['an item that is a text', { price: undefined, items: [UNKNOWN] }, 'items.0'],
    ['no quantity', { price: undefined, items: [{ price: UNKNOWN, quantity: 0 }] }, 'items.0.quantity'],
    ['half a quantity', { price: undefined, items: [{ price: UNKNOWN, quantity: 1.5 }] }, 'items.0.quantity'],
    ['a quantity as text', { price: undefined, items: [{ price: UNKNOWN, quantity: '1' }] }, 'items.0.quantity'],
    ['too many', { price: undefined, items: [{ price: UNKNOWN, quantity: 1_000_001 }] }, 'items.0.quantity'],
    ['a card that is not an id', { payment_method: 'visa' }, 'payment_method'],
    ['no installments', { installments: 0 }, 'installments'],
    ['half an installment', { installments: 1.5 }, 'installments'],
    ['installments as text', { installments: '3' }, 'installments'],
    ['10,001 installments', { installments: 10_001 }, 'installments'],
    ['a negative tax', { tax_rate: -0.1 }, 'tax_rate'],
    ['30.1 % tax', { tax_rate: 30.1 }, 'tax_rate'],
    ['five decimals of tax', { tax_rate: 1.00001 }, 'tax_rate'],
    ['a tiny tax', { tax_rate: 1e-7 }, 'tax_rate'],
    ['tax as text', { tax_rate: '13' }, 'tax_rate'],
    ['2.41 % surcharge', { surcharge_rate: 2.41 }, 'surcharge_rate'],
    ['five decimals of surcharge', { surcharge_rate: 0.12345 }, 'surcharge_rate'],
    ['a negative surcharge', { surcharge_rate: -1 }, 'surcharge_rate'],
    ['a link that is a text', { send_payment_link: 'true' }, 'send_payment_link'],
    ['metadata that is a list', { metadata: ['a'] }, 'metadata'],
    ['nested metadata', { metadata: { a: {} } }, 'metadata.a'],
    ['a long value of metadata', { metadata: { a: 'x'.repeat(501) } }, 'metadata.a'],
    ['a currency', { currency: 'usd' }, 'currency'],
  ]
  for (const [what, body, param] of fields) test(`${what}: 422 on ${param}`, () => refused(body, param))

  test('a body that is not an object: 422', async () => {
    for (const body of ['[{}]', '"x"', 'null', '5'])
      assertMerchantRefused(await ana.api.post('/subscriptions', body), 422, 'parameter_invalid', null)
  })

  test('card data at any depth, before any other check', async () => {
    await refused({ customer: 5, card: { number: CARDS.visa } }, 'card', CARD_DATA)
    await refused({ payment_method: { card_number: CARDS.visa } }, 'payment_method.card_number', CARD_DATA)
    await refused({ items: [{ price: 1, cvc: '123' }] }, 'items.0.cvc', CARD_DATA)
    await refused({ metadata: { note: `my card is ${CARDS.visa}` } }, 'metadata.note', CARD_DATA)
  })
})

test('API-24: a create reads ids in capitals, null for what is not given, and an empty list as the empty map', async () => {
  const ids = { customer: ana.customer.toUpperCase(), price: ana.price.toUpperCase() }
  const { status, body } = await create({ ...ids, installments: null, send_payment_link: null, metadata: [] })
  deepEqual(
    [status, body.status, body.customer, body.price, body.installments, body.metadata],
    [201, 'active', ana.customer, ana.price, null, {}],
  )
  for (const payment_method of [null, ' ']) {
    const waiting = await create({ payment_method })
    deepEqual([waiting.status, waiting.body.status], [201, 'pending_payment_method'])
  }
  assertMerchantRefused(await ana.api.post('/subscriptions', '[]'), 422, 'parameter_invalid', 'customer')
})

describe('A create refuses ids', () => {
  test('that do not exist, and those of another business: 404 on the field, alike', async () => {
    const other = await makeSubscriber({
      ...service,
      demo: (await secondMerchant(service, { redirectUrl: 'https://shop.example' })).demo,
    })
    for (const [field, foreign] of [
      ['customer', other.customer],
      ['price', other.price],
      ['payment_method', other.payment_method],
    ] as const)
      for (const id of [UNKNOWN, foreign]) await refused({ [field]: id }, field, NOT_FOUND)
    const items = [{ price: ana.price }, { price: other.price }]
    await refused({ price: undefined, items }, 'items.1.price', NOT_FOUND)
  })

  test('the card of another customer: 404, as if it did not exist', async () => {
    const bob = await makeSubscriber(service)
    await refused({ payment_method: bob.payment_method }, 'payment_method', NOT_FOUND)
  })

  test('a detached card: 422', async () => {
    const bob = await makeSubscriber(service)
    await bob.api.delete(`/payment_methods/${bob.payment_method}`)
    await refused({ customer: bob.customer, payment_method: bob.payment_method }, 'payment_method')
  })

  test('an expired card: 422', async () => {
    const bob = await makeSubscriber(service)
    const { db } = service.app.services
    await db.updateTable('stored_card').set({ exp_year: 2020 }).where('id', '=', bob.payment_method).execute()
    await refused({ customer: bob.customer, payment_method: bob.payment_method }, 'payment_method')
  })

  test('BIL-20: a card that NC has blocked: 402, then 402 without a request; a new card lifts it', async () => {
    const bob = await makeSubscriber(service)
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'lost_card' }] })
    const response = await create({}, bob)
    assertMerchantRefused(response, 402, 'card_declined', 'payment_method')
    equal(response.body.error.decline_code, 'NC')
    await refusedAsBlocked(bob)
    const payment_method = await saveCard(service, bob.customer, CARDS.mastercard)
    equal((await create({ payment_method }, bob)).status, 201)
  })

  test('BIL-20: so has the NC of a verification', async () => {
    const bob = await makeSubscriber(service)
    await service.simulator.script({ outcomes: [{ op: 'verify', outcome: 'lost_card' }] })
    const start_date = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
    equal((await create({ start_date }, bob)).body.error.decline_code, 'NC')
    await refusedAsBlocked(bob, { start_date })
  })
})

describe('A create refuses prices', () => {
  test('that are paid once, inactive, or of an inactive product: 422', async () => {
    const once = await ana.api.made('/prices', { product: ana.product, unit_amount: 100 })
    await refused({ price: once.id }, 'price')
    await refused({ price: await priceOf({ active: false }) }, 'price')
    const { id: product } = await ana.api.made('/products', { name: 'Old plan' })
    const price = await priceOf({ product })
    equal((await create({ price })).status, 201)
    await ana.api.patch(`/products/${product}`, { active: false })
    await refused({ price }, 'price')
    await refused({ price: undefined, items: [{ price: ana.price }, { price }] }, 'items.1.price')
  })

  test('of different cadences: 422 on the first that differs', async () => {
    const yearly = await priceOf({ recurring: { interval: 'year' } })
    const quarterly = await priceOf({ recurring: { interval: 'month', interval_count: 3 } })
    for (const other of [yearly, quarterly])
      await refused({ price: undefined, items: [{ price: ana.price }, { price: other }] }, 'items.1.price')
  })

  test('whose bill is over the limit of a charge, with tax and surcharge: 422', async () => {
    const most = await priceOf({ unit_amount: 99_999_999 })
    await refused({ price: most, tax_rate: 0.0001 }, 'price')
    await refused({ price: undefined, items: [{ price: most, quantity: 2 }] }, 'items')
    equal((await create({ price: most })).body.amount, 99_999_999)
  })
})

describe('The amounts of a bill', () => {
  test('are the sum of the items, with tax, and the surcharge on both, each half up', async () => {
    const price = await priceOf({ unit_amount: 999 })
    const items = [{ price, quantity: 3 }, { price: ana.price }]
    const { body } = await create({ price: undefined, items, tax_rate: 13, surcharge_rate: 2.4 })
    deepEqual(
      [body.unit_amount, body.quantity, body.tax_amount, body.surcharge_amount, body.amount],
      [5497, 1, 715, 149, 6361],
    )
    deepEqual([body.price, body.tax_rate, body.surcharge_rate], [price, 13, 2.4])
    deepEqual(
      body.items.data.map((item: { price: { id: string }; quantity: number }) => [item.price.id, item.quantity]),
      [
        [price, 3],
        [ana.price, 1],
      ],
    )
    const [payment] = (await ana.api.get(`/subscriptions/${body.id}/payments`)).body.data
    deepEqual([payment.amount, payment.tax_amount, payment.surcharge_amount], [6361, 715, 149])
  })

  test('one item of several units has its unit amount and quantity', async () => {
    const { body } = await create({ price: undefined, items: [{ price: ana.price, quantity: 4 }] })
    deepEqual([body.unit_amount, body.quantity, body.amount], [2500, 4, 10_000])
  })

  test('BIL-14: the setting rounds the surcharge down', async () => {
    const price = await priceOf({ unit_amount: 105 })
    const surcharges = async () => (await create({ price, surcharge_rate: 1 })).body.surcharge_amount
    equal(await surcharges(), 1)
    const dear = await priceOf({ unit_amount: 150 })
    equal((await create({ price: dear, surcharge_rate: 1 })).body.surcharge_amount, 2)
    await setBusiness(service, { surcharge_rounding: 'down' })
    clock.advance(2)
    equal((await create({ price: dear, surcharge_rate: 1, installments: 2 })).body.surcharge_amount, 1)
    await setBusiness(service, { surcharge_rounding: 'half_up' })
    clock.advance(2)
  })

  test('BIL-16: a debit card is never surcharged, and the rate is shown as 0', async () => {
    const bob = await makeSubscriber(service, { card: CARDS.debit })
    const { body } = await create({ surcharge_rate: 2.4, tax_rate: 10 }, bob)
    deepEqual([body.surcharge_rate, body.surcharge_amount, body.amount], [0, 0, 2750])
  })

  test('SUB-13: one installment is completed with its first charge', async () => {
    const { status, body } = await create({ installments: 1 })
    deepEqual(
      [status, body.status, body.installments_billed, body.installments_remaining, body.next_billing_at],
      [201, 'completed', 1, 0, null],
    )
    equal(body.ended_at, body.created)
  })
})

test('BIL-20: so has the advice to stop recurring charges; the first charge of a series is not a later one', async () => {
  const bob = await makeSubscriber(service, { card: CARDS.laterDeclined })
  equal((await create({}, bob)).status, 201)
  await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'stop_recurring' }] })
  equal((await create({}, bob)).body.error.decline_code, 'ND')
  await refusedAsBlocked(bob, { code: 'ND' })
})

test('SUB-1, SUB-2: a stored card that declines every charge: 402 today, and a first bill that declines on a later start', async () => {
  const bob = await makeSubscriber(service, { card: CARDS.onlyWhenTyped })
  const { status, body } = await create({}, bob)
  deepEqual([status, body.error.decline_code], [402, 'ND'])
  const start_date = new Date(clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
  const later = await create({ start_date }, bob)
  equal(later.status, 201)
  await bob.api.post('/test_clock/advance', { days: 4 })
  const { data } = (await bob.api.get(`/subscriptions/${later.body.id}/payments`)).body
  deepEqual(
    data.map((payment: { status: string; trigger: string }) => [payment.status, payment.trigger]),
    [['failed', 'scheduled']],
  )
})
