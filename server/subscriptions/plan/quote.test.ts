import { equal, match, notEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Cents } from '../../lib/money.ts'
import type { Day } from './calendar.ts'
import { quoteHash, type ResumeQuote } from './quote.ts'

const cents = (amount: number) => amount as Cents
const QUOTE: ResumeQuote = {
  businessId: 'a',
  subscriptionId: 'b',
  subscriptionVersion: 7,
  pauseId: 'c',
  priceId: 'd',
  unitAmount: cents(1_000),
  quantity: 2,
  taxRatePpm: 130_000,
  surchargeRatePpm: 24_000,
  amounts: { base: cents(2_000), tax: cents(260), surcharge: cents(54), total: cents(2_314) },
  currency: 'CAD',
  paymentMethodId: 'e',
  newPeriodStart: '2026-11-22' as Day,
  newPeriodEnd: '2026-12-22' as Day,
  quotedOn: '2026-11-22' as Day,
}

describe('The hash of a quote (SUB-39)', () => {
  test('is hex SHA-256 over the sorted members', () => {
    match(quoteHash(QUOTE), /^[0-9a-f]{64}$/)
    equal(quoteHash(QUOTE), 'ec145ff4b2276dc9f0cf04eab71cac458bf990f231aea49089d2d44c8c5f329b')
  })

  test('does not depend on the order in which members were written', () => {
    const reversed = Object.fromEntries(Object.entries(QUOTE).reverse()) as unknown as ResumeQuote
    equal(quoteHash(reversed), quoteHash(QUOTE))
  })

  const changes: Partial<ResumeQuote>[] = [
    { businessId: 'x' },
    { subscriptionId: 'x' },
    { subscriptionVersion: 8 },
    { pauseId: 'x' },
    { priceId: 'x' },
    { unitAmount: cents(2_000) },
    { quantity: 1 },
    { taxRatePpm: 130_001 },
    { taxRatePpm: null },
    { surchargeRatePpm: 0 },
    { surchargeRatePpm: null },
    { amounts: { ...QUOTE.amounts, base: cents(2_001) } },
    { amounts: { ...QUOTE.amounts, tax: cents(261) } },
    { amounts: { ...QUOTE.amounts, surcharge: cents(53) } },
    { amounts: { ...QUOTE.amounts, total: cents(2_313) } },
    { currency: 'USD' },
    { paymentMethodId: 'x' },
    { paymentMethodId: null },
    { newPeriodStart: '2026-11-23' as Day },
    { newPeriodEnd: '2026-12-23' as Day },
    { quotedOn: '2026-11-23' as Day },
  ]
  for (const change of changes) {
    test(`is another with ${JSON.stringify(change)}`, () =>
      notEqual(quoteHash({ ...QUOTE, ...change }), quoteHash(QUOTE)))
  }

  test('covers every member of a quote', () => {
    const changed = new Set(changes.flatMap((change) => Object.keys(change)))
    equal(
      Object.keys(QUOTE)
        .filter((member) => !changed.has(member))
        .join(),
      '',
    )
  })
})
