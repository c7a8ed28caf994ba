import { equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Merchant, merchantOf } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CHK-7 to CHK-14: one test per field, with accepted and refused values.

let service: TestService
let merchant: Merchant
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
})
after(() => service.close())

const id = '0197f9b0-0000-7000-8000-000000000000'
const url = (length: number) => `https://shop.example/${'p'.repeat(length - 21)}`
const item = { name: 'Cup', quantity: 1, unit_amount: 25.5, total: 25.5 }
const object = (keys: number, key = (index: number) => `key ${index}`, value: unknown = 'v') =>
  Object.fromEntries(Array.from({ length: keys }, (_, index) => [key(index), value]))

interface Row {
  good?: unknown[]
  /** Refused values, each with the field that the error names if it differs from the row's. */
  bad: unknown[]
  badInside?: [value: unknown, field: string][]
  isRequired?: true
  /** Values of other fields that the row requires. */
  beside?: object
}

const text = (limit: number) => ({
  good: ['A', 'x'.repeat(limit), '😀'.repeat(limit)],
  bad: [null, 12, true, {}, ['A'], 'x'.repeat(limit + 1), '😀'.repeat(limit + 1), 'a\u0000b', '\ud800'],
})
const amount = { good: [undefined], bad: [null, '12.50', true, [], {}, -0.01, -1, 12.345, 1e-7, 1_000_000, 1e21] }

const TABLE: Record<string, Row> = {
  amount_total: { ...amount, isRequired: true, good: [0.01, 999_999.99, 12.5, 7], bad: [...amount.bad, 0, -0] },
  amount_subtotal: { ...amount, good: [25.5] },
  amount_tax: { ...amount, good: [0, -0, 1.25, 999_999.99] },
  amount_discount: { ...amount, good: [0, 1.25] },
  currency: { good: ['USD', 'CAD'], bad: [null, '', 'usd', 'EUR', 1, ['USD']] },
  customer_id: { bad: ['me', 1, `${id}0`, `{${id}}`] },
  customer_email: {
    good: ['ana@example.com', "o'hara+x@mail.example.co.uk", `${'a'.repeat(64)}@example.com`],
    bad: [
      null,
      '',
      1,
      'ana',
      'ana@',
      '@example.com',
      'ana@example',
      'a@b.example, c@d.example',
      'Ana <ana@example.com>',
    ],
    beside: { customer_id: undefined },
  },
  customer_name: { good: [...text(255).good, ''], bad: [...text(255).bad, 'a\nb'] },
  success_url: {
    isRequired: true,
    good: ['https://shop.example', 'https://shop.example/a?b=c#d', url(2048)],
    bad: [null, '', 1, 'thanks', '/thanks', '//shop.example/', url(2049), 'https://', 'https://shop.example/\n'],
  },
  cancel_url: {
    isRequired: true,
    good: ['https://shop.example', 'https://shop.example/a?b=c#d', url(2048)],
    bad: [null, '', 1, 'cart', '/cart', '//shop.example/', url(2049), 'https://', 'https://shop.example/\u0000'],
  },
  ui_mode: { good: ['hosted', 'embedded'], bad: [null, '', 'rapid', 'Hosted', 1] },
  mode: { good: ['payment'], bad: [null, '', 'setup', 'PAYMENT', 1] },
  description: { ...text(255), good: [...text(255).good, '', 'two\nlines\tand a tab'] },
  client_reference_id: { good: [...text(255).good, ''], bad: text(255).bad },
  metadata: {
    good: [
      {},
      { a: 'b', n: 1.5, yes: true },
      object(50, (index) => `${index}`.padEnd(40, 'k')),
      { a: 'x'.repeat(500) },
    ],
    bad: [null, 'a', 1, object(51)],
    badInside: [
      [{ a: 'x'.repeat(501) }, 'metadata.a'],
      [{ a: null }, 'metadata.a'],
      [{ a: { b: 1 } }, 'metadata.a'],
      [{ a: ['b'] }, 'metadata.a'],
      [{ a: 'b\u0000' }, 'metadata.a'],
      [{ ['k'.repeat(41)]: 1 }, `metadata.${'k'.repeat(41)}`],
      [{ '': 1 }, 'metadata.'],
    ],
  },
  surcharge: { good: [false], bad: [null, 'true', 1, true] },
  line_items: {
    good: [[], [item], Array(10).fill({ ...item, unit_amount: 2.55, total: 2.55 })],
    bad: [null, {}, 'Cup', Array(11).fill({ ...item, unit_amount: 1, total: 1 })],
    badInside: [[['Cup'], 'line_items.0']],
  },
  discounts: {
    good: [
      [],
      [{ percent_off: 10 }],
      [{ name: 'n'.repeat(255), code: 'c'.repeat(64), amount: 0.01, percent_off: 100 }],
    ],
    bad: [null, {}, 'ten', Array(11).fill({ amount: 1 })],
    badInside: [
      [[{}], 'discounts.0'],
      [[{ name: 'ten' }], 'discounts.0'],
      [[{ amount: 0 }], 'discounts.0.amount'],
      [[{ amount: '5' }], 'discounts.0.amount'],
      [[{ percent_off: 0 }], 'discounts.0.percent_off'],
      [[{ percent_off: 100.5 }], 'discounts.0.percent_off'],
      [[{ amount: 1 }, { amount: 1, code: 'c'.repeat(65) }], 'discounts.1.code'],
      [[{ amount: 1, name: 'n'.repeat(256) }], 'discounts.0.name'],
    ],
  },
  billing_address_collection: { good: ['auto', 'required'], bad: [null, '', 'none', true] },
  shipping_address_collection: { good: ['auto', 'required'], bad: [null, '', 'none', true] },
  consent_collection: {
    good: [
      {},
      { terms_of_service: 'required', promotions: 'auto', payment_method_reuse_agreement: { position: 'hidden' } },
      { terms_of_service: 'none', promotions: 'none', payment_method_reuse_agreement: { position: 'auto' } },
    ],
    bad: [null, 'required'],
    badInside: [
      [{ terms_of_service: true }, 'consent_collection.terms_of_service'],
      [{ promotions: 'required' }, 'consent_collection.promotions'],
      [{ payment_method_reuse_agreement: {} }, 'consent_collection.payment_method_reuse_agreement.position'],
      [{ payment_method_reuse_agreement: 'auto' }, 'consent_collection.payment_method_reuse_agreement'],
    ],
  },
  subscription: {
    bad: [null, 'Monthly'],
    badInside: [
      [{}, 'subscription.interval'],
      [{ interval: 'monthly' }, 'subscription.interval'],
      [{ interval: 'Monthly', start_date: '2026-02-30' }, 'subscription.start_date'],
      [{ interval: 'Monthly', start_date: '01/02/2027' }, 'subscription.start_date'],
    ],
  },
}

for (const [field, { good = [], bad, badInside = [], isRequired, beside }] of Object.entries(TABLE)) {
  describe(field, () => {
    for (const value of good) {
      test(`${shown(value)} is taken`, async () => {
        const { status, body } = await merchant.createSession({ ...fitting(field, value), ...beside, [field]: value })
        equal(status, 200, JSON.stringify(body))
      })
    }
    for (const value of bad) {
      if (!isRequired && (value === null || value === '')) {
        if (field === 'customer_email') continue
        test(`API-24: ${shown(value)} is a field that is not given`, async () => {
          const { status, body } = await merchant.createSession({ ...beside, [field]: value })
          equal(status, 200, JSON.stringify(body))
        })
        continue
      }
      test(`${shown(value)} is refused`, async () => {
        const response = await merchant.createSession({ ...beside, [field]: value })
        assertRefused(response, 422, 'validation_failed', [field])
      })
    }
    for (const [value, inner] of badInside) {
      test(`${shown(value)} is refused, naming ${shown(inner)}`, async () => {
        assertRefused(await merchant.createSession({ [field]: value }), 422, 'validation_failed', [inner])
      })
    }
    test(isRequired ? 'is required' : 'may be absent', async () => {
      const other = field === 'customer_email' ? { customer_id: await customerId() } : {}
      const response = await merchant.createSession({ ...other, [field]: undefined })
      if (isRequired) assertRefused(response, 422, 'validation_failed', [field])
      else equal(response.status, 200)
    })
  })
}

describe('line item', () => {
  const inside: Record<string, { good: unknown[]; bad: unknown[]; isOptional?: true }> = {
    name: { good: ['A', '😀'.repeat(255)], bad: [undefined, 1, 'n'.repeat(256), 'a\nb', 'a\u0000'] },
    quantity: { good: [1, 999_999], bad: [undefined, null, 0, -1, 1.5, '1', 1e21] },
    unit_amount: { good: [0.01, 999_999.99], bad: [undefined, null, 0, -1, 0.001, '1', 1_000_000] },
    total: { good: [25.5], bad: [undefined, null, '25.50', 0, -25.5, 12.345, 1_000_000, 25.49] },
    image: {
      good: [undefined, 'https://cdn.example/cup.png'],
      bad: ['cup.png', 1, 'http://cdn.example/cup.png', 'javascript:alert(1)', 'data:image/png;base64,AA'],
    },
  }
  for (const [field, { good, bad }] of Object.entries(inside)) {
    for (const value of good) {
      test(`${field} ${shown(value)} is taken`, async () => {
        const line_items = [{ ...item, ...fittingItem(field, value), [field]: value }]
        const { status, body } = await merchant.createSession({ line_items })
        equal(status, 200, JSON.stringify(body))
      })
    }
    for (const value of bad) {
      test(`${field} ${shown(value)} is refused`, async () => {
        const line_items = [item, { ...item, [field]: value }]
        assertRefused(await merchant.createSession({ line_items }), 422, 'validation_failed', [`line_items.1.${field}`])
      })
    }
  }
})

/** Returns other amounts that make this one add up. */
function fitting(field: string, value: unknown): object {
  return field === 'line_items' && Array.isArray(value) ? { amount_subtotal: value.length > 0 ? 25.5 : undefined } : {}
}

function fittingItem(field: string, value: unknown): object {
  if (field === 'quantity') return { unit_amount: 0.01, total: Number(value) / 100 }
  return field === 'unit_amount' ? { total: value } : {}
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing'
  return json.length > 60 ? `${json.slice(0, 40)}… (${json.length} characters)` : json
}

async function customerId(): Promise<string> {
  const now = new Date()
  const customer = { business_id: service.demo.business_id, id, name: 'Ana', created_at: now, updated_at: now }
  await service.app.services.db.insertInto('customer').values(customer).execute()
  return id
}
