import { deepEqual, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { lettersOf, setLetters } from '../support/letters.ts'
import { type Life, openLife } from '../support/life.ts'

// LTR-2 to LTR-5: what the customer and the merchant receive in the life of a subscription.

describe('the letters of a subscription', { concurrency: false }, () => {
  let life: Life
  before(async () => {
    life = await openLife('2027-01-31T15:00:00Z')
    await setLetters(life.service, { notified_emails: ['owner@shop.example'] })
  })
  after(() => life[Symbol.asyncDispose]())

  let seen = 0
  /** Those that were not looked at before. */
  async function fresh() {
    const all = await lettersOf(life.service)
    const found = all.slice(seen)
    seen = all.length
    return found
  }
  const brief = ({ kind, audience, subject, invoice_id }: Awaited<ReturnType<typeof fresh>>[number]) =>
    `${audience}: ${kind}, ${subject}${invoice_id === null ? '' : ' + invoice'}`

  test('LTR-2, LTR-3: Ana subscribes, and her first bill is paid', async () => {
    await life.subscribe('Ana', { amount: 2_500, interval: 'month', card: CARDS.laterDeclinedTwice })
    await life.until('2027-02-01')
    const letters = await fresh()
    deepEqual(letters.map(brief), [
      'customer: subscription_created, Your subscription with Demo Shop + invoice',
      'customer: payment_succeeded, Your payment of $25.00 to Demo Shop',
      'merchant: payment_succeeded, Payment of $25.00 from Ana Roy',
    ])
    const [created, paid] = letters
    for (const text of [created?.body_text, created?.html]) {
      match(text ?? '', /\$25\.00/)
      match(text ?? '', /every month/)
    }
    match(paid?.body_text ?? '', /Card: Visa ending in \d{4}\nPayment date: January 31, 2027/)
  })
})
