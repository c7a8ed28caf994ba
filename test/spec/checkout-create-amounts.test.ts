import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Merchant, merchantOf, SESSION } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-9, CHK-10: amounts that must add up, to the cent.

let service: TestService
let merchant: Merchant
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
})
after(() => service.close())

/** Returns a body with the number as it is written; JSON.stringify would normalize it. */
const raw = (amount: string) =>
  merchant.post('/checkout/create', JSON.stringify({ ...SESSION, amount_total: 0 }).replace(':0,', `:${amount},`))

describe('amount_total as it is written', () => {
  const kept: [text: string, cents: number][] = [
    ['0.01', 1],
    ['0.1', 10],
    ['0.10', 10],
    ['1.0', 100],
    ['1e2', 10_000],
    ['2.5E1', 2_500],
    ['1.15', 115],
    ['4.35', 435],
    ['1.005e3', 100_500],
    ['999999.99', 99_999_999],
  ]
  for (const [text, cents] of kept) {
    test(`${text} is ${cents} cents`, async () => {
      const { status, body } = await raw(text)
      equal(status, 200)
      equal(body.checkout_session.amount_total, cents / 100)
      const row = await service.app.services.db
        .selectFrom('checkout_session')
        .select('amount_total')
        .where('id', '=', body.checkout_session.id)
        .executeTakeFirstOrThrow()
      equal(row.amount_total, cents)
    })
  }

  for (const text of [
    '1e309',
    '-1e309',
    '-0',
    '0',
    '0.30000000000000004',
    '12.345',
    '1e-7',
    '1e-3',
    '1000000',
    '1e6',
  ]) {
    test(`${text} is refused`, async () => {
      assertRefused(await raw(text), 422, 'validation_failed', ['amount_total'])
    })
  }

  for (const text of ['NaN', 'Infinity', '0x10', '012', '.5', '5.', '+5', '1_000', "'5'"]) {
    test(`${text} is not JSON`, async () => {
      assertRefused(await raw(text), 422, 'validation_failed', ['body'])
    })
  }
})

test('amount_total equals amount_subtotal + amount_tax - amount_discount, to the cent', async () => {
  const good = [
    { amount_total: 25.5, amount_subtotal: 25.5 },
    { amount_total: 25.5, amount_subtotal: 25, amount_tax: 1.5, amount_discount: 1 },
    { amount_total: 0.3, amount_subtotal: 0.1, amount_tax: 0.2 },
    { amount_total: 0.01, amount_subtotal: 999_999.99, amount_discount: 999_999.98 },
    { amount_total: 999_999.99, amount_subtotal: 0, amount_tax: 999_999.99 },
  ]
  for (const amounts of good) equal((await merchant.createSession(amounts)).status, 200, JSON.stringify(amounts))
  const bad = [
    { amount_total: 25.5, amount_subtotal: 25.49 },
    { amount_total: 25.5, amount_subtotal: 25.5, amount_tax: 0.01 },
    { amount_total: 25.5, amount_subtotal: 25.5, amount_discount: 0.01 },
    { amount_total: 0.31, amount_subtotal: 0.1, amount_tax: 0.2 },
    { amount_total: 25.5, amount_subtotal: 0 },
  ]
  for (const amounts of bad) {
    assertRefused(await merchant.createSession(amounts), 422, 'validation_failed', ['amount_total'])
  }
})

test('without amount_subtotal, tax and discount are shown and not calculated with', async () => {
  const { status, body } = await merchant.createSession({ amount_tax: 2, amount_discount: 0.5 })
  equal(status, 200)
  const { checkout_session: session } = (await merchant.details(body.checkout_session.token)).body
  deepEqual([session.amount_subtotal, session.amount_tax, session.amount_discount], [null, 2, 0.5])
})

describe('line items', () => {
  const items = [
    { name: 'Cup', quantity: 3, unit_amount: 0.1, total: 0.3 },
    { name: 'Pot', quantity: 7, unit_amount: 1.15, total: 8.05 },
  ]

  test('a total is quantity x unit_amount, to the cent', async () => {
    equal((await merchant.createSession({ line_items: items })).status, 200)
    for (const total of [0.29, 0.31, 0.1]) {
      const response = await merchant.createSession({ line_items: [{ ...items[0], total }, items[1]] })
      assertRefused(response, 422, 'validation_failed', ['line_items.0.total'])
    }
  })

  test('a product above the limit is not a total', async () => {
    const line_items = [{ name: 'Gold', quantity: 999_999, unit_amount: 999_999.99, total: 999_999.99 }]
    assertRefused(await merchant.createSession({ line_items }), 422, 'validation_failed', ['line_items.0.total'])
  })

  test('agree with amount_subtotal when both are given', async () => {
    equal((await merchant.createSession({ amount_total: 8.35, amount_subtotal: 8.35, line_items: items })).status, 200)
    const response = await merchant.createSession({ amount_total: 8.36, amount_subtotal: 8.36, line_items: items })
    assertRefused(response, 422, 'validation_failed', ['amount_subtotal'])
  })

  test('need not agree with amount_total, which tax and discount are part of', async () => {
    equal((await merchant.createSession({ amount_total: 9.99, line_items: items })).status, 200)
  })
})

describe('discounts', () => {
  test('that all have an amount add up to amount_discount', async () => {
    const discounts = [{ amount: 0.1 }, { amount: 0.2, code: 'SPRING' }]
    equal((await merchant.createSession({ amount_discount: 0.3, discounts })).status, 200)
    const response = await merchant.createSession({ amount_discount: 0.31, discounts })
    assertRefused(response, 422, 'validation_failed', ['discounts'])
  })

  test('in percent are not reckoned with', async () => {
    const discounts = [{ amount: 5 }, { percent_off: 12.5 }]
    equal((await merchant.createSession({ amount_discount: 9, discounts })).status, 200)
  })

  test('without amount_discount are shown only', async () => {
    equal((await merchant.createSession({ discounts: [{ amount: 5 }] })).status, 200)
  })
})

test('everything that is wrong is named at once', async () => {
  const wrong = { amount_total: 0, currency: 'EUR', success_url: 1, line_items: [{ name: '', quantity: 0 }] }
  const response = await merchant.createSession(wrong)
  const inItem = ['name', 'quantity', 'unit_amount', 'total'].map((field) => `line_items.0.${field}`)
  assertRefused(response, 422, 'validation_failed', ['amount_total', 'currency', 'success_url', ...inItem])
})
