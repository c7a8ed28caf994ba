import type { Business } from '../../businesses/business.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { CardFacts, PersonFacts, SubscriptionFacts } from '../templates/letter-facts.ts'

// What letters need of rooms above this one. server/app plugs it in.

export interface LetterCustomer extends PersonFacts {
  /** Of the page that they last paid on; `null` when unknown. */
  locale: string | null
}

export interface LetterCard extends CardFacts {
  customerId: string
  /** As cards are stored: `visa`. */
  brandCode: string
  expMonth: number
  expYear: number
  /** On file, and not declined for ever (BIL-20, BIL-22). */
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
  /** Counts the approved payments of its subscription from 1, up to and including this one. */
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
  /** The merchant chose a card on file; the customer entered none on the payment page. */
  hasMerchantCard: boolean
  sendsPaymentLink: boolean
  status: string
  /** The first day of the next bill; `null` while nothing is billed. */
  nextBillingDate: string | null
  /** When a scheduled cancel takes effect. */
  cancelAt: Date | null
}

export interface LetterContract {
  customerId: string
  title: string
  /** Whether the customer can sign it now. */
  isSent: boolean
}

export interface NewCardLink {
  /** What it names. */
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

/** Of one business, for a unit of work: each row is read once, together with what is asked for at the same time. */
export interface LetterSources {
  customer(id: string): Promise<LetterCustomer | null>
  card(id: string): Promise<LetterCard | null>
  payment(id: string): Promise<LetterPayment | null>
  subscription(id: string): Promise<LetterSubscription | null>
  contract(id: string): Promise<LetterContract | null>
  /** Subscriptions that are charged to a card. */
  subscriptionsOfCard(card: { id: string; customerId: string }): Promise<LetterSubscription[]>
  /**
   * A link by which a customer enters another card for a subscription. It leads somewhere once it is recorded.
   *
   * @param at in the business's time
   */
  newCardLink(subscription: { id: string; customerId: string }, at: Date): NewCardLink
  /** Together with the letters that have them. */
  recordCardLinks(tx: Tx, links: readonly NewCardLink[]): Promise<void>
  /** A link by which a customer stores a card. */
  customerCardLink(id: string): Promise<LetterCardLink | null>
  logoUrl(business: Business): string | null
  /** A page of the merchant dashboard. @param code behind the `#`, which no server and no log sees */
  dashboardLink(page: 'reset' | 'welcome' | 'sign-in' | 'account', code?: string): string
  /** Attempts of a bill. */
  attemptsMax: number
}

export type OpenLetterSources = (businessId: string) => LetterSources

/** @throws when it does not exist, which is a fault: facts do not outlive what they are of */
export function found<Value>(value: Value | null, what: string): Value {
  if (value === null) throw new Error(`${what} of a notification does not exist`)
  return value
}

/** `usd`, as objects of the API have it. */
export const currencyOf = (currency: 'usd' | 'cad'): Currency => (currency === 'usd' ? 'USD' : 'CAD')
