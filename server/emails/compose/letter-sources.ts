import type { Business } from '../../businesses/business.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { CardFacts, PersonFacts, SubscriptionFacts } from '../templates/letter-facts.ts'

// Data that letters need from folders above this one. server/app plugs it in.

export interface LetterCustomer extends PersonFacts {
  /** Language of the page on which the customer last paid; `null` if unknown. */
  locale: string | null
}

export interface LetterCard extends CardFacts {
  customerId: string
  /** Code of the brand on stored cards: `visa`. */
  brandCode: string
  expMonth: number
  expYear: number
  /** Whether the card is on file and not permanently declined (BIL-20, BIL-22). */
  isChargeable: boolean
}

export interface LetterPayment {
  id: string
  customerId: string | null
  amount: Cents
  taxAmount: Cents
  surchargeAmount: Cents
  period: { start: string; end: string } | null
  createdAt: Date
  card: (CardFacts & { brandCode: string }) | null
  /** Number of this payment among the approved payments of its subscription, starting at 1. */
  number: number
}

export interface LetterSubscription extends SubscriptionFacts {
  id: string
  customerId: string
  storedCardId: string | null
  lines: { name: string; quantity: number; unitAmount: Cents }[]
  taxRatePpm: number | null
  surchargeRatePpm: number | null
  timeZone: string
  /** `YYYY-MM-DD` */
  startDate: string
  /** Whether the merchant chose a card on file; otherwise the customer enters one on the payment page. */
  hasMerchantCard: boolean
  sendsPaymentLink: boolean
  status: string
  /** First day of the next bill; `null` while nothing is billed. */
  nextBillingDate: string | null
  /** Time at which a scheduled cancel takes effect. */
  cancelAt: Date | null
}

export interface LetterContract {
  customerId: string
  title: string
  /** Whether the customer can sign it now. */
  isSent: boolean
}

export interface NewCardLink {
  /** Id that the link names. */
  id: string
  customerId: string
  subscriptionId: string | null
  createdAt: Date
  expiresAt: Date
}

export interface LetterCardLink {
  expiresAt: Date
  /** Whether the customer can store a card on it now. */
  isLive: boolean
}

/** Sources of one business for a unit of work: each row is read once, and simultaneous reads are combined. */
export interface LetterSources {
  customer(id: string): Promise<LetterCustomer | null>
  card(id: string): Promise<LetterCard | null>
  payment(id: string): Promise<LetterPayment | null>
  subscription(id: string): Promise<LetterSubscription | null>
  contract(id: string): Promise<LetterContract | null>
  /** Returns the subscriptions that are charged to a card. */
  subscriptionsOfCard(card: { id: string; customerId: string }): Promise<LetterSubscription[]>
  /**
   * Returns a link by which a customer enters another card for a subscription. It works once it is recorded.
   *
   * @param at in the business's time
   */
  newCardLink(subscription: { id: string; customerId: string }, at: Date): NewCardLink
  /** Records links together with the letters that contain them. */
  recordCardLinks(tx: Tx, links: readonly NewCardLink[]): Promise<void>
  /** Returns a link by which a customer stores a card. */
  customerCardLink(id: string): Promise<LetterCardLink | null>
  logoUrl(business: Business): string | null
  /**
   * Returns the URL of a page of the merchant dashboard. @param code put behind the `#`, hidden from servers and logs
   */
  dashboardLink(page: 'reset' | 'welcome' | 'sign-in' | 'account', code?: string): string
  /** Maximum number of attempts of a bill. */
  attemptsMax: number
}

export type OpenLetterSources = (businessId: string) => LetterSources

/** @throws if the value does not exist, which is a bug: facts do not outlive their objects */
export function found<Value>(value: Value | null, what: string): Value {
  if (value === null) throw new Error(`${what} of a notification does not exist`)
  return value
}

/** Returns the currency from its code in API objects: `usd`. */
export const currencyOf = (currency: 'usd' | 'cad'): Currency => (currency === 'usd' ? 'USD' : 'CAD')
