import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { invoicesOf, lettersOf, setLetters, type WrittenLetter } from '../support/letters.ts'
import { type Life, openLife } from '../support/life.ts'
import { waitingSubscription } from '../support/sign-up.ts'

// LTR-1 to LTR-7: letters to the customer and the merchant during the life of a subscription, in chronological order.

describe('the letters of subscriptions', { concurrency: false }, () => {
  let life: Life
  before(async () => {
    life = await openLife('2027-01-31T15:00:00Z')
    await setLetters(life.service, { notified_emails: ['owner@shop.example'] })
  })
  after(() => life[Symbol.asyncDispose]())

  let seen = 0
  /** Returns the letters since the last call, once all facts are composed. */
  async function fresh(): Promise<WrittenLetter[]> {
    equal((await life.api.post('/test_clock/advance', { seconds: 1 })).status, 200)
    const all = await lettersOf(life.service)
    const found = all.slice(seen)
    seen = all.length
    return found
  }
  const brief = ({ kind, audience, subject, invoice_id }: WrittenLetter) =>
    `${audience} ${kind}: ${subject}${invoice_id === null ? '' : ' + invoice'}`

  test('LTR-2, LTR-3: Ana subscribes for three bills with a saved card, and the first is paid', async () => {
    await life.subscribe('Ana', { amount: 2_500, interval: 'month', more: { installments: 3, tax_rate: 13 } })
    const letters = await fresh()
    deepEqual(letters.map(brief), [
      'customer subscription_created: Your subscription with Demo Shop + invoice',
      'customer payment_succeeded: Your payment of $28.25 to Demo Shop',
      'merchant payment_succeeded: Payment of $28.25 from Ana Roy',
    ])
    deepEqual(
      letters.map(({ recipient, sender_name, reply_to, locale }) => [recipient, sender_name, reply_to, locale]),
      [
        ['ana@example.com', 'Demo Shop', 'support@shop.example', 'en'],
        ['ana@example.com', 'Demo Shop', 'support@shop.example', 'en'],
        ['owner@shop.example', 'Demo Shop', 'support@shop.example', 'en'],
      ],
    )
    const [created, paid, notified] = letters
    for (const text of [created?.body_text ?? '', created?.html ?? '']) {
      match(text, /\$28\.25/)
      match(text, /every month/)
      match(text, /3 payments in total/)
    }
    match(paid?.body_text ?? '', /Installment: 1 of 3\nCard: Visa ending in \d{4}\nPayment date: January 31, 2027/)
    match(paid?.body_text ?? '', /Next payment: February 28, 2027/)
    match(notified?.body_text ?? '', /Email: ana@example\.com/)
  })

  test('LTR-3: the second installment has its own invoice, and is the second', async () => {
    await life.until('2027-03-01')
    const letters = await fresh()
    deepEqual(letters.map(brief), [
      'customer payment_succeeded: Your payment of $28.25 to Demo Shop + invoice',
      'merchant payment_succeeded: Payment of $28.25 from Ana Roy',
    ])
    match(letters[0]?.body_text ?? '', /Installment: 2 of 3\n[\s\S]*Payment date: February 28, 2027/)
    deepEqual(
      (await invoicesOf(life.service)).map(({ number }) => number),
      [1, 2],
    )
  })

  test('LTR-4, LTR-5, invariant 24: of each declined attempt one letter to each, with its number', async () => {
    await setLetters(life.service, { after_last_retry: 'pause' })
    await life.subscribe('Ivy', { amount: 1_000, interval: 'week', card: CARDS.laterDeclined })
    await fresh()
    await life.until('2027-03-20')
    const letters = (await fresh()).filter(({ body_text }) => body_text.includes('Plan of Ivy'))
    deepEqual(
      letters.map(({ audience, kind, body_text }) => {
        const attempt = /Attempt: (.*)/.exec(body_text)?.[1]
        const next = /Next attempt: (.*)/.exec(body_text)?.[1]
        return [audience, kind, ...(attempt ? [attempt, next] : [])].join(' ')
      }),
      [
        'customer payment_failed 1 of 4 March 11, 2027',
        'merchant payment_failed 1 of 4 March 11, 2027',
        'customer payment_failed 2 of 4 March 14, 2027',
        'merchant payment_failed 2 of 4 March 14, 2027',
        'customer payment_failed 3 of 4 March 17, 2027',
        'merchant payment_failed 3 of 4 March 17, 2027',
        'customer payment_failed 4 of 4 None',
        'merchant payment_failed 4 of 4 None',
        'customer retries_exhausted 4 of 4 None',
        'merchant retries_exhausted 4 of 4 None',
      ],
    )
    const [customer, merchant] = letters
    match(customer?.body_text ?? '', /Your bank declined the payment\./)
    doesNotMatch(`${customer?.body_text}${customer?.html}`, /\bND\b/)
    match(merchant?.body_text ?? '', /Reason: ND: DECLINED/)
    for (const letter of letters.slice(-2)) match(letter.body_text, /is (?:now )?paused/)
    match(letters.at(-2)?.body_text ?? '', /Reason: Declined by the bank/)
    match(letters.at(-1)?.body_text ?? '', /Reason: ND: DECLINED/)

    const now = { billing_cycle_anchor: 'now' }
    const { quote_hash } = (await life.post('Ivy', '/resume/preview', now)).body
    equal((await life.post('Ivy', '/resume', { ...now, proration_behavior: 'none', quote_hash })).status, 402)
    const declined = await fresh()
    deepEqual(
      declined.map(({ audience, kind, body_text }) => [audience, kind, /Attempt: (.*)/.exec(body_text)?.[1]]),
      [
        ['customer', 'payment_failed', '1 of 1'],
        ['merchant', 'payment_failed', '1 of 1'],
      ],
    )
  })

  test('BIL-20: a card that must not be charged again stops the attempts, and the next bill asks for another card', async () => {
    await setLetters(life.service, { after_last_retry: 'keep' })
    await life.subscribe('Cleo', { amount: 1_100, interval: 'week', card: CARDS.laterPickUp })
    await fresh()
    await life.until('2027-03-28')
    const [first, ...others] = (await fresh()).filter(({ subject }) => /\$11\.00/.test(subject))
    deepEqual([first?.kind, others.map(({ audience }) => audience)], ['payment_failed', ['merchant']])
    match(first?.body_text ?? '', /Attempt: 1 of 4\nNext attempt: None/)
    doesNotMatch(first?.body_text ?? '', /pick|stolen|lost/i)
    await life.until('2027-04-04')
    const asked = (await fresh()).filter(({ recipient }) => recipient === 'cleo@example.com')
    deepEqual(asked.map(brief), ['customer card_link: Please enter a new card for Demo Shop'])
  })

  test('LTR-6: a refund in part and the rest', async () => {
    const payment = await life.paymentId('Ana', 0)
    equal((await life.api.post('/refunds', { payment, amount: 1_000 })).status, 201)
    equal((await life.api.post('/refunds', { payment })).status, 201)
    const letters = await fresh()
    deepEqual(letters.map(brief), [
      'customer refund: Your refund of $10.00 from Demo Shop',
      'customer refund: Your refund of $18.25 from Demo Shop',
    ])
    const [part, rest] = letters.map(({ body_text }) => body_text)
    match(part ?? '', /refunded a part[\s\S]*Original payment: \$28\.25/)
    match(rest ?? '', /refunded the rest[\s\S]*Refunded in total: \$28\.25/)
  })

  test('LTR-1: without a card the customer gets the link, unless the merchant sends it', async () => {
    const { id: customer } = await life.api.made('/customers', { name: 'Lea', email: 'lea@example.com' })
    const { checkout_url } = await waitingSubscription(life.api, { customer })
    await waitingSubscription(life.api, { customer, send_payment_link: false })
    const letters = await fresh()
    deepEqual(letters.map(brief), [
      'customer subscription_link: Your subscription with Demo Shop is waiting for your card',
    ])
    match(letters[0]?.body_text ?? '', /Amount: \$25\.00\nFrequency: every month/)
    equal(/^Pay Now: (.*)$/m.exec(letters[0]?.body_text ?? '')?.[1], checkout_url)
    match(letters[0]?.html ?? '', new RegExp(`href="${checkout_url}"`))
  })

  test('LTR-16: a subscription that begins later has one invoice, which its first payment brings again', async () => {
    await life.subscribe('Finn', { amount: 12_000, interval: 'year', more: { start_date: '2027-05-01' } })
    const created = await fresh()
    deepEqual(created.map(brief), ['customer subscription_created: Your subscription with Demo Shop + invoice'])
    match(created[0]?.body_text ?? '', /First payment: May 1, 2027/)
    await life.until('2027-05-02')
    const paid = (await fresh()).filter(({ recipient }) => recipient === 'finn@example.com')
    deepEqual(
      paid.map(({ kind, invoice_id }) => [kind, invoice_id]),
      [['payment_succeeded', created[0]?.invoice_id]],
    )
    const numbers = (await invoicesOf(life.service)).map(({ number }) => number)
    deepEqual(
      numbers,
      [...numbers.keys()].map((index) => index + 1),
    )
  })

  test('LTR-3, LTR-23: the bills of one advance are numbered, and their letters exist when it responds', async () => {
    await life.subscribe('Gus', { amount: 900, interval: 'week', more: { installments: 4 } })
    await life.until('2027-05-24')
    const letters = (await lettersOf(life.service)).filter(({ body_text }) => body_text.includes('Plan of Gus'))
    const numbers = letters.flatMap(({ audience, body_text }) =>
      audience === 'customer' ? [/Installment: (\d of \d)/.exec(body_text)?.[1] ?? 'created'] : [],
    )
    deepEqual(numbers, ['created', '1 of 4', '2 of 4', '3 of 4', '4 of 4'])
    doesNotMatch(letters.at(-2)?.body_text ?? '', /Next payment/)
    await fresh()
  })

  test('LTR-14: what is switched off, and whom no address is known of, gets none; every fact is finished', async () => {
    await setLetters(life.service, {
      letters_off: ['customer.payment_succeeded'],
      notified_emails: ['a@shop.example', 'b@shop.example'],
    })
    const { payment_method, customer } = await life.customer('Ana')
    await life.subscribe('Ana', { amount: 700, interval: 'month' })
    deepEqual(
      (await fresh()).map(({ kind, recipient }) => `${kind} ${recipient}`),
      ['subscription_created ana@example.com', 'payment_succeeded a@shop.example', 'payment_succeeded b@shop.example'],
    )
    const { db } = life.service.app.services
    await db.updateTable('customer').set({ email: null, email_folded: null }).where('id', '=', customer).execute()
    await life.subscribe('Ana', { amount: 800, interval: 'month' })
    deepEqual(
      (await fresh()).map(({ kind, recipient }) => `${kind} ${recipient}`),
      ['payment_succeeded a@shop.example', 'payment_succeeded b@shop.example'],
    )
    equal(typeof payment_method, 'string')
    const waiting = await db.selectFrom('notification').select('type').where('due_at', 'is not', null).execute()
    deepEqual(waiting, [])
  })

  test('invariant 24: over the whole life, each bill that was charged has one letter to each', async () => {
    const { db } = life.service.app.services
    const payments = await db.selectFrom('payment').select(['id', 'status']).where('bill_id', 'is not', null).execute()
    const letters = await lettersOf(life.service)
    for (const { id, status } of payments) {
      const about = letters.filter(({ object_id, kind }) => object_id === id && /^payment_/.test(kind))
      const kinds = new Set(about.map(({ kind }) => kind))
      deepEqual([...kinds], [status === 'failed' ? 'payment_failed' : 'payment_succeeded'], id)
      equal(new Set(about.map(({ recipient }) => recipient)).size, about.length, id)
    }
  })
})
