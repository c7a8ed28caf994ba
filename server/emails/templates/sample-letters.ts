import type { Cents, Currency } from '../../lib/money.ts'
import { cardRequest } from './card-request-letter.ts'
import { contractLink } from './contract-letter.ts'
import { endpointDisabled } from './endpoint-letter.ts'
import type { DeclineFacts, PaymentFacts, SubscriptionFacts } from './letter-facts.ts'
import type { LetterContent } from './letter-view.ts'
import type { LetterWords } from './letter-words.ts'
import {
  paymentFailed,
  paymentFailedForMerchant,
  paymentSucceeded,
  paymentSucceededForMerchant,
  retriesExhausted,
  retriesExhaustedForMerchant,
} from './payment-letters.ts'
import { accountChanged, factorsReset, invitation, passwordReset } from './person-letters.ts'
import { refundLetter } from './refund-letter.ts'
import {
  cardExpiring,
  cardLink,
  subscriptionCreated,
  subscriptionLink,
  upcomingRenewal,
} from './subscription-letters.ts'

// Every letter with made-up facts, for visual checks.

/** Texts written by others that appear in letters. */
export interface WrittenByOthers {
  business: string
  customer: string
  email: string
  description: string
  /** Message of the issuer. */
  message: string
  supportPhone: string
}

const cents = (amount: number) => amount as Cents
const AT = new Date('2027-01-31T15:04:05Z')
const URL = 'https://pay.studio.example/customer/checkout/AVhP3nJx2k9QmTzW7rYbEo1LsUdGfHcVaNiKtXeBqRyMwZpS'
const card = { brand: 'Visa', last4: '4242' }

function subscriptionFacts({ description }: WrittenByOthers, currency: Currency): SubscriptionFacts {
  return {
    description,
    amount: cents(8_712),
    currency,
    interval: 'month',
    intervalCount: 1,
    installments: 12,
    taxAmount: cents(1_108),
    surchargeAmount: cents(204),
  }
}

function paymentFacts({ customer: name, email, description }: WrittenByOthers, currency: Currency): PaymentFacts {
  return {
    amount: cents(8_712),
    currency,
    taxAmount: cents(1_108),
    surchargeAmount: cents(204),
    card,
    customer: { name, email },
    at: AT,
    receiptId: 'RZ05E4R7EJ2',
    subscription: { description, number: 3, installments: 12, nextPaymentDay: '2027-02-28' },
  }
}

export type WriteLetter = (words: LetterWords) => LetterContent

/** Returns each letter of a business with its facts, by name: `customer.refund`. */
export function sampleLetters(given: WrittenByOthers, currency: Currency = 'CAD'): Record<string, WriteLetter> {
  const subscription = subscriptionFacts(given, currency)
  const payment = paymentFacts(given, currency)
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
    extent: 'part' as const,
    at: AT,
    receiptId: 'RKE05YWY72X',
  }
  const created = { subscription, card, firstPaymentDay: '2027-03-01', hasInvoice: true }
  const expiring = { card, month: 3, year: 2027, descriptions: [given.description], link: { url: URL, expiresAt: AT } }
  return {
    'customer.subscription_link': (words) => subscriptionLink(words, { subscription, url: URL }),
    'customer.subscription_created': (words) => subscriptionCreated(words, created),
    'customer.payment_succeeded': (words) => paymentSucceeded(words, payment, { hasInvoice: true }),
    'merchant.payment_succeeded': (words) => paymentSucceededForMerchant(words, payment),
    'customer.payment_failed': (words) => paymentFailed(words, { payment, decline, ending: null, newCard: null }),
    'customer.payment_failed_at_last': (words) =>
      paymentFailed(words, {
        payment,
        decline: { ...last, code: 'N7' },
        ending: 'cancel',
        newCard: { url: URL, expiresAt: AT },
      }),
    'merchant.payment_failed': (words) => paymentFailedForMerchant(words, { payment, decline, ending: null }),
    'customer.retries_exhausted': (words) =>
      retriesExhausted(words, { payment, decline: last, afterLastRetry: 'pause' }),
    'merchant.retries_exhausted': (words) =>
      retriesExhaustedForMerchant(words, { payment, decline: last, afterLastRetry: 'keep' }),
    'customer.refund': (words) => refundLetter(words, { ...refund, payment }),
    'customer.card_link': (words) => cardLink(words, { subscription, card, link: { url: URL, expiresAt: AT } }),
    'customer.card_request': (words) => cardRequest(words, { url: URL, expiresAt: AT }),
    'customer.contract_link': (words) => contractLink(words, { title: given.description, url: URL }),
    'customer.card_expiring': (words) => cardExpiring(words, expiring),
    'customer.upcoming_renewal': (words) => upcomingRenewal(words, { subscription, card, day: '2027-02-28' }),
    'merchant.endpoint_disabled': (words) =>
      endpointDisabled(words, { url: 'https://studio.example/hooks?a=1&b=2', reason: 'gone', at: AT }),
  }
}

/** Returns the letters that the people of a business get about their accounts, likewise by name. */
export function samplePersonLetters({ customer: inviter, email }: WrittenByOthers): Record<string, WriteLetter> {
  const account = { email, by: inviter, url: URL }
  return {
    'person.password_reset': (words) => passwordReset(words, { email, url: URL }),
    'person.invitation': (words) => invitation(words, { inviter, role: 'support', url: URL, expiresAt: AT }),
    'person.factors_reset': (words) => factorsReset(words, { ...account, dueAt: null }),
    'person.factors_reset_by_operator': (words) => factorsReset(words, { ...account, by: null, dueAt: null }),
    'person.factors_reset_later': (words) => factorsReset(words, { ...account, dueAt: AT }),
    'person.account_changed': (words) =>
      accountChanged(words, { email, change: 'passkey_added', passkey: null, at: AT, url: URL }),
  }
}
