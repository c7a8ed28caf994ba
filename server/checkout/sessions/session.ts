import type { Address } from '../../../contract/checkout-form.ts'
import type {
  PaymentStatus,
  SessionMode,
  SessionStatus,
  SignUpInterval,
  UiMode,
} from '../../../contract/checkout-session.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import { stateTable } from '../../lib/state-table.ts'

export const SESSION_LIFETIME_SECONDS = 24 * 3_600
export const PAYMENT_ATTEMPTS_MAX = 3

export type SessionTrigger = 'approved' | 'declined' | 'attempts exhausted' | 'time elapsed' | 'cancelled'

/** The transitions of CHK-24 to CHK-29. A transition that is not listed is refused. */
export const nextStatus = stateTable<SessionStatus, SessionTrigger>([
  ['PENDING', 'approved', 'COMPLETED'],
  ['PENDING', 'declined', 'PENDING'],
  ['PENDING', 'attempts exhausted', 'FAILED'],
  ['PENDING', 'time elapsed', 'EXPIRED'],
  ['PENDING', 'cancelled', 'CANCELLED'],
])

const PAYMENT_STATUS: Record<SessionStatus, PaymentStatus> = {
  PENDING: 'UNPAID',
  COMPLETED: 'PAID',
  EXPIRED: 'UNPAID',
  CANCELLED: 'UNPAID',
  FAILED: 'FAILED',
}

export function paymentStatus(status: SessionStatus): PaymentStatus {
  return PAYMENT_STATUS[status]
}

/** @param failedCount the number of failed attempts, including the current one */
export function declineTrigger(failedCount: number): SessionTrigger {
  return failedCount < PAYMENT_ATTEMPTS_MAX ? 'declined' : 'attempts exhausted'
}

/** Errors of a payment call on a closed session. @see CHK-30 */
export const CLOSED: Record<Exclude<SessionStatus, 'PENDING'>, { code: ErrorCode; message: string }> = {
  EXPIRED: { code: 'session_expired', message: 'This session has expired' },
  COMPLETED: { code: 'session_completed', message: 'This session has already been paid' },
  CANCELLED: { code: 'session_cancelled', message: 'This session was cancelled by the merchant' },
  FAILED: { code: 'session_failed', message: 'This session was closed after three declined attempts' },
}

export interface LineItemRow {
  name: string
  quantity: number
  unit_amount: number
  total: number
  image?: string
}

export interface DiscountRow {
  name?: string
  code?: string
  amount?: number
  percent_off?: number
}

export interface ConsentCollectionRow {
  terms_of_service?: 'required' | 'none'
  promotions?: 'auto' | 'none'
  payment_method_reuse_agreement?: { position: 'auto' | 'hidden' }
}

/** The subscription that the payer signs up for in a session of mode `subscription`. */
export interface SessionSubscriptionRow {
  interval: SignUpInterval
  /** `YYYY-MM-DD`; `null` means the day of the payment. */
  start_date: string | null
  name: string | null
  /** Set if the subscription already has a card, and the session only replaces it (SUB-48). */
  replaces_card?: true
  /** Time zone of a subscription that waits for its card; the business may have changed its own since (BIL-2). */
  time_zone?: string
  /** Own surcharge of a subscription that waits for its card; applies if the card may be surcharged. */
  surcharge?: { rate_ppm: number; amount: number } | null
}

/** Why an attempt failed: code and message of the gateway. Never public. */
export interface LastDecline {
  code: string | null
  message: string | null
}

/** The payer's consents. @see CHK-43 */
export interface Consent {
  terms_of_service: 'accepted' | null
  promotions: 'opt_in' | 'opt_out' | null
  accepted_at: string
  ip: string
}

/** A card that was verified for later bills, instead of a payment. Nothing was charged. */
export interface SessionVerification {
  id: string
  brand: string
  first6: string
  last4: string
  source: 'new_card' | 'saved_card' | 'google_pay'
  /** `YYYY-MM-DD` in the time zone of the subscription. */
  first_bill_date: string
}

export interface Session {
  businessId: string
  id: string
  /** OAuth client; `null` for payment links, and for sessions that the service itself opens for other links. */
  clientId: string | null
  tokenKeyId: string
  status: SessionStatus
  uiMode: UiMode
  mode: SessionMode
  currency: Currency
  amountTotal: Cents
  amountSubtotal: Cents | null
  amountTax: Cents | null
  amountDiscount: Cents | null
  surchargeRateBp: number | null
  /** Surcharge in cents, if one applies; `null` if it follows from the rate. */
  surchargeFixed: Cents | null
  /** Customer to whom the merchant bound the session. */
  customerId: string | null
  customerEmail: string | null
  customerName: string | null
  /** `payer` means that the e-mail address was typed on a page, so it identifies nobody. */
  customerNamedBy: 'merchant' | 'payer'
  /** Name typed on the form, as are the e-mail address and phone number. */
  payerName: string | null
  payerEmail: string | null
  payerPhone: string | null
  /** Customer for whom the payment was recorded. */
  payerCustomerId: string | null
  /** `null` if no shop waits for the payer to return. */
  successUrl: string | null
  cancelUrl: string | null
  parentOrigin: string
  description: string | null
  clientReferenceId: string | null
  metadata: Record<string, string | number | boolean> | null
  lineItems: LineItemRow[] | null
  discounts: DiscountRow[] | null
  billingAddressCollection: 'auto' | 'required' | null
  shippingAddressCollection: 'auto' | 'required' | null
  /** Address that the payer entered on the form; `null` if there is none. */
  billingAddress: Address | null
  shippingAddress: Address | null
  consentCollection: ConsentCollectionRow | null
  consent: Consent | null
  /** `null` unless the mode is `subscription`. */
  subscription: SessionSubscriptionRow | null
  /** Subscription that the session began, or that waits for it. */
  subscriptionId: string | null
  attemptCount: number
  /** Decline of the last attempt that counted; `null` before the first. */
  lastDecline: LastDecline | null
  /** Verified card of a subscription that begins later; `null` if the session was paid, or is not completed. */
  verification: SessionVerification | null
  createdAt: Date
  expiresAt: Date
  completedAt: Date | null
  canceledAt: Date | null
}

/** Returns the status at a given time. A session past its expiry is EXPIRED even before the job has closed it. */
export function statusAt(
  session: Pick<Session, 'status' | 'expiresAt'>,
  now: Date,
  paymentInProgress: boolean,
): SessionStatus {
  const isOver = session.status === 'PENDING' && session.expiresAt <= now && !paymentInProgress
  return isOver ? 'EXPIRED' : session.status
}
