import type { CardFacts, SubscriptionFacts } from './letter-facts.ts'
import type { LetterContent, LetterRow } from './letter-view.ts'
import type { LetterWords } from './letter-words.ts'
import { type LimitedLink, linkUntil } from './limited-link.ts'

// Letters about a subscription, all to its customer.

/** @see LTR-1 */
export function subscriptionLink(
  words: LetterWords,
  { subscription, url }: { subscription: SubscriptionFacts; url: string },
): LetterContent {
  const { say } = words
  const { amount, frequency } = priceOf(words, subscription)
  return {
    subject: say('link_subject'),
    preheader: say('link_preheader', { amount, frequency }),
    heading: say('link_heading'),
    amount,
    paragraphs: [say('link_body')],
    rows: termRows(words, subscription),
    button: { label: say('link_button'), url },
    notes: [say('link_is_yours')],
  }
}

interface Created {
  subscription: SubscriptionFacts
  card: CardFacts | null
  /** `YYYY-MM-DD`; `null` when it is paid. */
  firstPaymentDay: string | null
  hasInvoice: boolean
}

/** @see LTR-2 */
export function subscriptionCreated(
  words: LetterWords,
  { subscription, card, firstPaymentDay, hasInvoice }: Created,
): LetterContent {
  const { say, row } = words
  const price = priceOf(words, subscription)
  const body = card ? say('created_body_card', { ...price, card: cardText(words, card) }) : say('created_body', price)
  return {
    subject: say('created_subject'),
    preheader: say('created_preheader', price),
    heading: say('created_heading'),
    amount: price.amount,
    paragraphs: [body, ...(hasInvoice ? [say('invoice_attached')] : [])],
    rows: [
      ...termRows(words, subscription),
      ...row('card', card && cardText(words, card)),
      ...row('first_payment', firstPaymentDay && words.day(firstPaymentDay)),
    ],
    button: null,
    notes: [say('to_cancel')],
  }
}

/** @see LTR-7 */
export function cardLink(
  words: LetterWords,
  { subscription, card, link }: { subscription: SubscriptionFacts; card: CardFacts | null; link: LimitedLink | null },
): LetterContent {
  const { say, row } = words
  return {
    subject: say('card_link_subject'),
    preheader: say('card_link_preheader'),
    heading: say('card_link_heading'),
    amount: null,
    paragraphs: [say('card_link_body')],
    rows: [...row('card', card && cardText(words, card)), ...termRows(words, subscription)],
    ...newCard(words, link),
  }
}

export function cardExpiring(
  words: LetterWords,
  expiring: { card: CardFacts; month: number; year: number; descriptions: readonly string[]; link: LimitedLink | null },
): LetterContent {
  const { say, row } = words
  const card = cardText(words, expiring.card)
  const month = words.month(expiring.month, expiring.year)
  return {
    subject: say('expiring_subject', { card }),
    preheader: say('expiring_preheader', { month }),
    heading: say('expiring_heading'),
    amount: null,
    paragraphs: [say('expiring_body', { month })],
    rows: [
      ...row('card', card),
      ...row('expires', month),
      ...expiring.descriptions.flatMap((description) => row('subscription', description)),
    ],
    ...newCard(words, expiring.link),
  }
}

export function upcomingRenewal(
  words: LetterWords,
  { subscription, card, day }: { subscription: SubscriptionFacts; card: CardFacts | null; day: string },
): LetterContent {
  const { say, row } = words
  const { amount } = priceOf(words, subscription)
  const date = words.day(day)
  return {
    subject: say('renewal_subject', { amount, date }),
    preheader: say('renewal_preheader'),
    heading: say('renewal_heading'),
    amount,
    paragraphs: [say('renewal_body', { date })],
    rows: [
      ...termRows(words, subscription),
      ...row('card', card && cardText(words, card)),
      ...row('next_payment', date),
    ],
    button: null,
    notes: [say('to_cancel')],
  }
}

function newCard(words: LetterWords, link: LimitedLink | null): Pick<LetterContent, 'button' | 'notes'> {
  const { say } = words
  if (link === null) return { button: null, notes: [say('other_card')] }
  const button = { label: say('card_button'), url: link.url }
  return { button, notes: [linkUntil(words, link), say('link_is_yours')] }
}

const cardText = ({ say }: LetterWords, { brand, last4 }: CardFacts) => say('card_ending', { brand, last4 })

function priceOf(words: LetterWords, { amount, currency, interval, intervalCount }: SubscriptionFacts) {
  return { amount: words.money(amount, currency), frequency: frequencyOf(words, interval, intervalCount) }
}

export function frequencyOf({ say }: LetterWords, interval: SubscriptionFacts['interval'], count: number): string {
  if (interval === 'day') return say('every_day')
  if (interval === 'week') return say(count === 2 ? 'every_2_weeks' : 'every_week')
  if (interval === 'year') return say('every_year')
  if (count === 3) return say('every_3_months')
  return say(count === 6 ? 'every_6_months' : 'every_month')
}

function termRows(words: LetterWords, subscription: SubscriptionFacts): LetterRow[] {
  const { row, money } = words
  const { description, currency, installments, taxAmount, surchargeAmount } = subscription
  const { amount, frequency } = priceOf(words, subscription)
  const part = (cents: typeof taxAmount) => (cents > 0 ? money(cents, currency) : null)
  const count = installments === null ? words.say('until_canceled') : words.count('payments_in_all', installments)
  return [
    ...row('subscription', description),
    ...row('amount', amount),
    ...row('frequency', frequency),
    ...row('payments', count),
    ...row('tax', part(taxAmount)),
    ...row('surcharge', part(surchargeAmount)),
  ]
}
