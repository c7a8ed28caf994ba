import type { AfterLastRetry, DeclineFacts, PaymentFacts, PersonFacts } from './letter-facts.ts'
import type { LetterContent, LetterRow } from './letter-view.ts'
import { type LetterWords, oneLine } from './letter-words.ts'
import { type LimitedLink, linkUntil } from './limited-link.ts'

// Letters about one payment. About a decline, customers learn what the payment page says; the merchant gets the code
// and the issuer's message.

/** @see LTR-3 */
export function paymentSucceeded(
  words: LetterWords,
  payment: PaymentFacts,
  { hasInvoice }: { hasInvoice: boolean },
): LetterContent {
  const { say } = words
  const nextDay = payment.subscription?.nextPaymentDay ?? null
  return {
    ...headOf(words, 'paid', payment),
    preheader: say('paid_preheader', { date: words.date(payment.at) }),
    paragraphs: [say('paid_body'), ...(hasInvoice ? [say('invoice_attached')] : [])],
    rows: [
      ...paymentRows(words, payment),
      ...words.row('receipt', payment.receiptId),
      ...words.row('next_payment', nextDay && words.day(nextDay)),
    ],
    notes: payment.subscription ? [say('to_cancel')] : [],
  }
}

/** @see LTR-3 */
export function paymentSucceededForMerchant(words: LetterWords, payment: PaymentFacts): LetterContent {
  return {
    ...headOf(words, 'paid_merchant', payment),
    preheader: words.say('paid_preheader', { date: words.date(payment.at) }),
    paragraphs: [words.say('paid_merchant_body')],
    rows: [
      ...customerRows(words, payment.customer),
      ...paymentRows(words, payment),
      ...words.row('receipt', payment.receiptId),
    ],
  }
}

interface Failed {
  payment: PaymentFacts
  decline: DeclineFacts
  /** What has become of the subscription; `null` if the letter need not say it. */
  ending: Exclude<AfterLastRetry, 'keep'> | null
}

/** @see LTR-4 */
export function paymentFailed(
  words: LetterWords,
  { payment, decline, ending, newCard }: Failed & { newCard: LimitedLink | null },
): LetterContent {
  const { say } = words
  return {
    ...headOf(words, 'failed', payment),
    preheader: nextOf(words, decline, 'failed_preheader_next', 'failed_preheader_last'),
    paragraphs: [
      say(isUnverified(decline) ? 'declined_verification' : 'declined'),
      nextOf(words, decline, 'failed_next', 'failed_last'),
      ...(ending ? [say(`exhausted_${ending}`)] : []),
    ],
    rows: [...declineRows(words, decline), ...paymentRows(words, payment, 'date')],
    button: newCard && { label: say('card_button'), url: newCard.url },
    notes: newCard === null ? [say('other_card')] : [linkUntil(words, newCard)],
  }
}

/** @see LTR-4 */
export function paymentFailedForMerchant(words: LetterWords, { payment, decline, ending }: Failed): LetterContent {
  return {
    ...headOf(words, 'failed_merchant', payment),
    preheader: nextOf(words, decline, 'failed_merchant_next', 'failed_merchant_last'),
    paragraphs: [
      nextOf(words, decline, 'failed_merchant_next', 'failed_merchant_last'),
      ...(ending ? [words.say(`ended_merchant_${ending}`)] : []),
    ],
    rows: [
      ...declineRowsForMerchant(words, decline),
      ...customerRows(words, payment.customer),
      ...paymentRows(words, payment, 'date'),
    ],
  }
}

interface Exhausted {
  payment: PaymentFacts
  decline: DeclineFacts
  afterLastRetry: AfterLastRetry
}

/** @see LTR-5 */
export function retriesExhausted(words: LetterWords, { payment, decline, afterLastRetry }: Exhausted): LetterContent {
  const { say } = words
  return {
    ...headOf(words, 'exhausted', payment),
    preheader: say(`exhausted_${afterLastRetry}`),
    paragraphs: [say('exhausted_body', { count: decline.attemptsMax }), say(`exhausted_${afterLastRetry}`)],
    rows: [...declineRows(words, decline), ...paymentRows(words, payment, 'date')],
    notes: [say('exhausted_contact')],
  }
}

/** @see LTR-5 */
export function retriesExhaustedForMerchant(
  words: LetterWords,
  { payment, decline, afterLastRetry }: Exhausted,
): LetterContent {
  const { say } = words
  return {
    ...headOf(words, 'exhausted_merchant', payment),
    preheader: say(`exhausted_merchant_${afterLastRetry}`),
    paragraphs: [
      say('exhausted_merchant_body', { count: decline.attemptsMax }),
      say(`exhausted_merchant_${afterLastRetry}`),
    ],
    rows: [
      ...declineRowsForMerchant(words, decline),
      ...customerRows(words, payment.customer),
      ...paymentRows(words, payment, 'date'),
    ],
  }
}

type Head = 'paid' | 'paid_merchant' | 'failed' | 'failed_merchant' | 'exhausted' | 'exhausted_merchant'

function headOf(words: LetterWords, head: Head, { amount, currency, customer }: PaymentFacts) {
  const money = words.money(amount, currency)
  const who = customer.name ?? customer.email ?? words.say('customer_unnamed')
  return {
    subject: words.say(`${head}_subject`, { amount: money, customer: who }),
    heading: words.say(`${head}_heading`),
    amount: money,
    button: null,
    notes: [] as string[],
  }
}

function nextOf(
  { say, date }: LetterWords,
  { nextAttemptAt }: DeclineFacts,
  next: 'failed_next' | 'failed_preheader_next' | 'failed_merchant_next',
  last: 'failed_last' | 'failed_preheader_last' | 'failed_merchant_last',
): string {
  return nextAttemptAt === null ? say(last) : say(next, { date: date(nextAttemptAt) })
}

const isUnverified = ({ code }: DeclineFacts) => code === 'N7'

function declineRows(words: LetterWords, decline: DeclineFacts): LetterRow[] {
  const reason = words.say(isUnverified(decline) ? 'declined_verification_short' : 'declined_short')
  return [...words.row('reason', reason), ...attemptRows(words, decline)]
}

function declineRowsForMerchant(words: LetterWords, decline: DeclineFacts): LetterRow[] {
  const reason = `${decline.code}: ${decline.message}`
  return [...words.row('reason', reason, { strong: true }), ...attemptRows(words, decline)]
}

function attemptRows({ row, say, date }: LetterWords, decline: DeclineFacts): LetterRow[] {
  const { attempt, attemptsMax, nextAttemptAt } = decline
  return [
    ...row('attempt', say('number_of', { number: attempt, count: attemptsMax })),
    ...row('next_attempt', nextAttemptAt === null ? say('none') : date(nextAttemptAt)),
  ]
}

function customerRows({ row }: LetterWords, { name, email }: PersonFacts): LetterRow[] {
  return [...row('customer', name), ...row('email', email)]
}

function paymentRows(
  words: LetterWords,
  { subscription, card, at, taxAmount, surchargeAmount, currency }: PaymentFacts,
  dateLabel: 'payment_date' | 'date' = 'payment_date',
): LetterRow[] {
  const { row, say, money } = words
  const part = (amount: typeof taxAmount) => (amount > 0 ? money(amount, currency) : null)
  const isPaid = dateLabel === 'payment_date'
  return [
    ...row('subscription', subscription?.description ?? null),
    ...(subscription && isPaid ? installmentRow(words, subscription) : []),
    ...row('card', card && say('card_ending', { brand: oneLine(card.brand), last4: card.last4 })),
    ...row(dateLabel, words.date(at)),
    ...(isPaid ? [...row('tax', part(taxAmount)), ...row('surcharge', part(surchargeAmount))] : []),
  ]
}

function installmentRow(
  { row, say }: LetterWords,
  { number, installments }: NonNullable<PaymentFacts['subscription']>,
) {
  return installments === null
    ? row('payment_number', String(number))
    : row('installment', say('number_of', { number, count: installments }))
}
