import type { Metadata } from '../../contract/formats.ts'
import type { SUBSCRIPTION_STATUSES } from '../../contract/subscription.ts'
import type { Cadence } from '../catalog/cadence.ts'
import { ApiError } from '../lib/errors.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { Bill } from './bill.ts'
import type { Contract } from './contract.ts'
import type { Pause } from './pause.ts'
import { billingDay, type Day, dayStartingAtOrAfter } from './plan/calendar.ts'

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

export interface SubscriptionItem {
  id: string
  priceId: string
  quantity: number
}

/** Time that payments have paid for. */
export interface PaidTime {
  /** `null` if the payment was voided. */
  paymentId: string | null
  /** Start of the time as it is served now. */
  from: Date
  /** End of the paid time, exclusive; a midnight, unless preserved time is served. */
  throughAt: Date
  /** Time that the payment bought; after a pause in between, more than is served. */
  seconds: number
}

/** Schedule by which a stored card is charged. All instants are in the business's time, all days in `timeZone`. */
export interface Subscription {
  businessId: string
  id: string
  customerId: string
  /** `null` until the customer has entered a card. */
  storedCardId: string | null
  status: SubscriptionStatus
  currency: Currency
  /** IANA name of the business's time zone at creation (BIL-2). */
  timeZone: string
  items: readonly SubscriptionItem[]
  cadence: Cadence
  /** Amount of the only item; with several items the sum of all, and `quantity` is 1. */
  unitAmount: Cents
  quantity: number
  /** Millionths; `null` if none was given. */
  taxRatePpm: number | null
  taxAmount: Cents
  surchargeRatePpm: number | null
  surchargeAmount: Cents
  /** Amount of each bill. */
  amount: Cents
  /** `null` for a subscription without end. */
  installments: number | null
  /** Number of approved bills (BIL-25). */
  paidBills: number
  startDate: Day
  /** Day 0 of the segment; each billing day is computed from it (BIL-6). */
  anchorDate: Day
  /** Incremented by a resume from today. */
  segmentNo: number
  /** Index k of the next bill in the segment. */
  nextPeriodNo: number
  /** First day of the next period; `null` while nothing is billed. */
  nextBillingDate: Day | null
  /** Running period, paid or not; `null` before the first. */
  currentPeriod: { start: Day; end: Day } | null
  paid: PaidTime | null
  lastPaymentAt: Date | null
  latestPaymentId: string | null
  lastFailedAttemptAt: Date | null
  /** Set if too much was missed to be billed without the merchant's decision (BIL-11). */
  catchUpHeldAt: Date | null
  /** Last day of the missed dates that the merchant has decided about; they are not held again. */
  catchUpThrough: Day | null
  /** Time at which a scheduled cancel takes effect. */
  cancelAt: Date | null
  canceledAt: Date | null
  endedAt: Date | null
  cancellationComment: string | null
  cancellationReason: string | null
  contractId: string | null
  /** Session in which the customer enters the card. */
  checkoutSessionId: string | null
  sendsPaymentLink: boolean
  metadata: Metadata
  /** Time at which the scheduler must look at the subscription next; `null` if nothing is scheduled. */
  dueAt: Date | null
  /** A writer with an older version changes nothing. */
  version: number
  createdAt: Date
}

/** Subscription with everything that a decision about it needs. */
export interface LoadedSubscription {
  subscription: Subscription
  /** Open bill; `null` if there is none. */
  bill: Bill | null
  /** Unresolved pause: scheduled or running. */
  pause: Pause | null
  /** Whether a charge of the bill or of the resume is sent, in doubt or being reversed. */
  isCharging: boolean
  /** Absent if none is linked. */
  contract?: Contract
}

/** Fields of a subscription that waits for its card and was never billed. */
export const NEVER_BILLED = {
  status: 'pending_payment_method',
  paidBills: 0,
  segmentNo: 0,
  nextPeriodNo: 0,
  nextBillingDate: null,
  currentPeriod: null,
  paid: null,
  lastPaymentAt: null,
  latestPaymentId: null,
  lastFailedAttemptAt: null,
  catchUpHeldAt: null,
  catchUpThrough: null,
  cancelAt: null,
  canceledAt: null,
  endedAt: null,
  cancellationComment: null,
  cancellationReason: null,
  contractId: null,
  checkoutSessionId: null,
  dueAt: null,
  version: 1,
} as const satisfies Partial<Subscription>

/** Returns the first day of period k of the running segment. */
export function dayOfPeriod({ anchorDate, cadence }: Pick<Subscription, 'anchorDate' | 'cadence'>, k: number): Day {
  return billingDay(anchorDate, cadence, k)
}

/**
 * Returns the first local day that begins after the paid time; `null` if there is none. A voided payment has paid for
 * nothing, not even a period that has not begun.
 */
export function firstUnpaidDay({ paid, timeZone }: Pick<Subscription, 'paid' | 'timeZone'>): Day | null {
  return paid && paid.paymentId !== null ? dayStartingAtOrAfter(paid.throughAt, timeZone) : null
}

/** Number of bills still to be paid; `null` if the subscription has no end. */
export function installmentsRemaining({ installments, paidBills }: Subscription): number | null {
  return installments === null ? null : Math.max(0, installments - paidBills)
}

export const noSuchSubscription = () =>
  new ApiError('not_found', { message: 'No such subscription', errors: { id: ['does not exist in this business'] } })

/** Returns the error for a change that the current state does not allow. */
export const conflict = (message: string) => new ApiError('conflict', { message })
