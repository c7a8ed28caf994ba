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

/** The time that payments have paid for. */
export interface PaidTime {
  /** `null` when the payment was voided. */
  paymentId: string | null
  /** Start of the time as it is served now. */
  from: Date
  /** Exclusive; a midnight, unless preserved time is served. */
  throughAt: Date
  /** How much time the payment bought: more than is served after a pause in between. */
  seconds: number
}

/** Charges a stored card on a schedule. All instants are in the business's time, all days in `timeZone`. */
export interface Subscription {
  businessId: string
  id: string
  customerId: string
  /** `null` until the customer has entered a card. */
  storedCardId: string | null
  status: SubscriptionStatus
  currency: Currency
  /** IANA name; that of the business at creation (BIL-2). */
  timeZone: string
  items: readonly SubscriptionItem[]
  cadence: Cadence
  /** Of the only item; with several items the sum of all, and `quantity` is 1. */
  unitAmount: Cents
  quantity: number
  /** Millionths; `null` when none was given. */
  taxRatePpm: number | null
  taxAmount: Cents
  surchargeRatePpm: number | null
  surchargeAmount: Cents
  /** Of each bill. */
  amount: Cents
  /** `null` for a subscription without end. */
  installments: number | null
  /** Approved bills (BIL-25). */
  paidBills: number
  startDate: Day
  /** Day 0 of the segment; each billing day is computed from it (BIL-6). */
  anchorDate: Day
  /** Raised by a resume from today. */
  segmentNo: number
  /** k of the next bill in the segment. */
  nextPeriodNo: number
  /** Its first day; `null` while nothing is billed. */
  nextBillingDate: Day | null
  /** The running period, paid or not; `null` before the first. */
  currentPeriod: { start: Day; end: Day } | null
  paid: PaidTime | null
  lastPaymentAt: Date | null
  latestPaymentId: string | null
  lastFailedAttemptAt: Date | null
  /** Set when too much was missed to be billed without the merchant (BIL-11). */
  catchUpHeldAt: Date | null
  /** Missed dates up to it were decided by the merchant, and are not held again. */
  catchUpThrough: Day | null
  /** When a scheduled cancel takes effect. */
  cancelAt: Date | null
  canceledAt: Date | null
  endedAt: Date | null
  cancellationComment: string | null
  cancellationReason: string | null
  contractId: string | null
  /** Where the customer enters the card. */
  checkoutSessionId: string | null
  sendsPaymentLink: boolean
  metadata: Metadata
  /** When the scheduler must look at it next; `null` when nothing is to come. */
  dueAt: Date | null
  /** A writer with an older version changes nothing. */
  version: number
  createdAt: Date
}

/** A subscription with what a decision about it needs. */
export interface LoadedSubscription {
  subscription: Subscription
  /** The open bill. */
  bill: Bill | null
  /** The unresolved pause: scheduled or running. */
  pause: Pause | null
  /** A charge of the bill or of the resume is sent, in doubt or being reversed. */
  isCharging: boolean
  /** Absent when none is linked. */
  contract?: Contract
}

/** The fields of a subscription that waits for its card and was never billed. */
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

/** The first day of period k of the running segment. */
export function dayOfPeriod({ anchorDate, cadence }: Pick<Subscription, 'anchorDate' | 'cadence'>, k: number): Day {
  return billingDay(anchorDate, cadence, k)
}

/**
 * The first local day that begins after the paid time; `null` without any. A voided payment has paid for nothing, not
 * even a period that has not begun.
 */
export function firstUnpaidDay({ paid, timeZone }: Pick<Subscription, 'paid' | 'timeZone'>): Day | null {
  return paid && paid.paymentId !== null ? dayStartingAtOrAfter(paid.throughAt, timeZone) : null
}

/** Approved bills that are still to come; `null` without end. */
export function installmentsRemaining({ installments, paidBills }: Subscription): number | null {
  return installments === null ? null : Math.max(0, installments - paidBills)
}

export const noSuchSubscription = () =>
  new ApiError('not_found', { message: 'No such subscription', errors: { id: ['does not exist in this business'] } })

/** The refusal of a change that the current state does not allow. */
export const conflict = (message: string) => new ApiError('conflict', { message })
