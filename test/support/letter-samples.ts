import { LOCALES, type Locale } from '../../contract/payment-page.ts'
import { contractLink } from '../../server/emails/templates/contract-letter.ts'
import type { LetterAudience } from '../../server/emails/letter.ts'
import { endpointDisabled } from '../../server/emails/templates/endpoint-letter.ts'
import type { DeclineFacts, PaymentFacts, SubscriptionFacts } from '../../server/emails/templates/letter-facts.ts'
import type { LetterContent, RenderedLetter } from '../../server/emails/templates/letter-view.ts'
import { type LetterWords, letterWords } from '../../server/emails/templates/letter-words.ts'
import {
  paymentFailed,
  paymentFailedForMerchant,
  paymentSucceeded,
  paymentSucceededForMerchant,
  retriesExhausted,
  retriesExhaustedForMerchant,
} from '../../server/emails/templates/payment-letters.ts'
import {
  accountChanged,
  factorsReset,
  invitation,
  passwordReset,
} from '../../server/emails/templates/person-letters.ts'
import { refundLetter } from '../../server/emails/templates/refund-letter.ts'
import { renderLetter } from '../../server/emails/templates/render-letter.ts'
import {
  cardExpiring,
  cardLink,
  subscriptionCreated,
  subscriptionLink,
  upcomingRenewal,
} from '../../server/emails/templates/subscription-letters.ts'
import type { Cents } from '../../server/lib/money.ts'

/** What others write, in every letter. */
export interface WrittenByOthers {
  business: string
  customer: string
  email: string
  description: string
  /** The issuer's. */
  message: string
  supportPhone: string
}

const ORDINARY: WrittenByOthers = {
  business: 'Studio Café Montréal',
  customer: 'Zoé Lefèvre-Nuñez',
  email: 'zoe@example.com',
  description: 'Atelier, accès illimité, Casier\u00a0×\u00a02',
  message: 'Insufficient funds',
  supportPhone: '+1 514 555 0188',
}

const cents = (amount: number) => amount as Cents
const AT = new Date('2027-01-31T15:04:05Z')
const URL = 'https://pay.studio.example/customer/checkout/AVhP3nJx2k9QmTzW7rYbEo1LsUdGfHcVaNiKtXeBqRyMwZpS'
const card = { brand: 'Visa', last4: '4242' }

function subscriptionFacts({ description }: WrittenByOthers): SubscriptionFacts {
  return {
    description,
    amount: cents(8_712),
    currency: 'CAD',
    interval: 'month',
    intervalCount: 1,
    installments: 12,
    taxAmount: cents(1_108),
    surchargeAmount: cents(204),
  }
}

function paymentFacts({ customer: name, email, description }: WrittenByOthers): PaymentFacts {
  return {
    amount: cents(8_712),
    currency: 'CAD',
    taxAmount: cents(1_108),
    surchargeAmount: cents(204),
    card,
    customer: { name, email },
    at: AT,
    receiptId: 'RZ05E4R7EJ2',
    subscription: { description, number: 3, installments: 12, nextPaymentDay: '2027-02-28' },
  }
}

type Write = (words: LetterWords) => LetterContent

/** Each letter with its facts, by a name. */
function writers(given: WrittenByOthers): Record<string, Write> {
  const subscription = subscriptionFacts(given)
  const payment = paymentFacts(given)
  const decline: DeclineFacts = {
    code: 'ND',
    message: given.message,
    attempt: 2,
    attemptsMax: 4,
    nextAttemptAt: new Date('2027-02-03T05:00:00Z'),
  }
  const last = { ...decline, attempt: 4, nextAttemptAt: null }
  const refund = {
    amount: cents(3_000),
    refundedAmount: cents(5_000),
    isWhole: false,
    at: AT,
    receiptId: 'RKE05YWY72X',
  }
  const created = { subscription, card, firstPaymentDay: '2027-03-01', hasInvoice: true }
  const expiring = { card, month: 3, year: 2027, descriptions: [given.description], url: URL }
  return {
    'customer.subscription_link': (words) => subscriptionLink(words, { subscription, url: URL }),
    'customer.subscription_created': (words) => subscriptionCreated(words, created),
    'customer.payment_succeeded': (words) => paymentSucceeded(words, payment, { hasInvoice: true }),
    'merchant.payment_succeeded': (words) => paymentSucceededForMerchant(words, payment),
    'customer.payment_failed': (words) => paymentFailed(words, { payment, decline, ending: null, newCardUrl: null }),
    'customer.payment_failed_at_last': (words) =>
      paymentFailed(words, { payment, decline: { ...last, code: 'N7' }, ending: 'cancel', newCardUrl: URL }),
    'merchant.payment_failed': (words) => paymentFailedForMerchant(words, { payment, decline, ending: null }),
    'customer.retries_exhausted': (words) =>
      retriesExhausted(words, { payment, decline: last, afterLastRetry: 'pause' }),
    'merchant.retries_exhausted': (words) =>
      retriesExhaustedForMerchant(words, { payment, decline: last, afterLastRetry: 'keep' }),
    'customer.refund': (words) => refundLetter(words, { ...refund, payment }),
    'customer.card_link': (words) => cardLink(words, { subscription, card, url: URL }),
    'customer.contract_link': (words) => contractLink(words, { title: given.description, url: URL }),
    'customer.card_expiring': (words) => cardExpiring(words, expiring),
    'customer.upcoming_renewal': (words) => upcomingRenewal(words, { subscription, card, day: '2027-02-28' }),
    ...personWriters(given),
    'merchant.endpoint_disabled': (words) =>
      endpointDisabled(words, { url: 'https://studio.example/hooks?a=1&b=2', reason: 'gone', at: AT }),
  }
}

function personWriters({ customer: inviter, email }: WrittenByOthers): Record<string, Write> {
  const account = { email, by: inviter, url: URL }
  return {
    'person.password_reset': (words) => passwordReset(words, { email, url: URL }),
    'person.invitation': (words) => invitation(words, { inviter, role: 'support', url: URL, expiresAt: AT }),
    'person.factors_reset': (words) => factorsReset(words, { ...account, dueAt: null }),
    'person.factors_reset_by_operator': (words) => factorsReset(words, { ...account, by: null, dueAt: null }),
    'person.factors_reset_later': (words) => factorsReset(words, { ...account, dueAt: AT }),
    'person.account_changed': (words) => accountChanged(words, { email, change: 'passkey_added', at: AT, url: URL }),
  }
}

export interface LetterSample extends RenderedLetter {
  name: string
  locale: Locale
  content: LetterContent
}

/** Every letter in every language. */
export async function letterSamples(
  given: Partial<WrittenByOthers> = {},
  { brandColor = '#0f766e', logoUrl = null }: { brandColor?: string | null; logoUrl?: string | null } = {},
): Promise<LetterSample[]> {
  const written = { ...ORDINARY, ...given }
  const business = { name: written.business, country: 'CA' as const, timeZone: 'America/Toronto' }
  const { supportPhone } = written
  const samples: LetterSample[] = []
  for (const locale of LOCALES) {
    const words = letterWords(locale, business)
    for (const [name, write] of Object.entries(writers(written))) {
      const audience = name.split('.')[0] as LetterAudience
      const frame = { audience, logoUrl, brandColor, supportEmail: 'aide@studio.example', supportPhone }
      const content = write(words)
      samples.push({ name, locale, content, ...(await renderLetter(words, content, frame)) })
    }
  }
  return samples
}
