import type { Bill } from '../bill.ts'
import { paidFor } from '../lifecycle/bill-outcome.ts'
import { dueAtOf } from '../lifecycle/due.ts'
import type { Ending } from '../lifecycle/end-billing.ts'
import { newBill } from '../lifecycle/open-bill.ts'
import type { Pause } from '../pause.ts'
import { dayOf, instantOf } from '../plan/calendar.ts'
import type { ResumeTerms } from '../plan/resume-terms.ts'
import type { LoadedSubscription, PaidTime, Subscription } from '../subscription.ts'
import type { ResumeOffer } from './resumable.ts'

/**
 * Applies a resume that does not charge.
 *
 * @see SUB-26, SUB-28, SUB-29
 */
export function resumedFree(offer: ResumeOffer, now: Date): Ending {
  const { paused, terms } = offer
  const onSchedule = resumedSubscription(paused.subscription, terms, now)
  const after = { ...onSchedule, paid: servedTime(onSchedule, terms) }
  return {
    after: { ...after, dueAt: dueAtOf({ subscription: after, bill: paused.bill, pause: null }) },
    bills: [],
    pauses: [resumedPause(offer, now)],
  }
}

function resumedSubscription(subscription: Subscription, terms: ResumeTerms, now: Date): Subscription {
  const { newPeriodStart: start, newPeriodEnd: end, segmentAnchor } = terms
  const hasBegun = start <= dayOf(now, subscription.timeZone)
  return {
    ...subscription,
    status: 'active',
    anchorDate: segmentAnchor ?? subscription.anchorDate,
    segmentNo: segmentAnchor === null ? subscription.segmentNo : subscription.segmentNo + 1,
    nextPeriodNo: terms.nextPeriodNo,
    nextBillingDate: terms.nextBillingDay,
    currentPeriod: hasBegun ? { start, end } : subscription.currentPeriod,
  }
}

/** Preserved time is served starting today; the length that its payment bought stays the same. */
function servedTime({ paid, timeZone }: Subscription, terms: ResumeTerms): PaidTime | null {
  const { preservedThroughAt: throughAt } = terms
  if (paid === null || throughAt === null) return paid
  return { ...paid, from: instantOf(terms.newPeriodStart, timeZone), throughAt }
}

const resumedPause = ({ paused, path }: ResumeOffer, now: Date): Pause => ({
  ...paused.pause,
  status: 'resumed',
  resumeMode: path,
  resumedAt: now,
})

/** Approved resume charge. */
export interface PaidResume extends Ending {
  bill: Bill
  /** Whether the subscription was canceled while the charge was open: then only the payment is recorded. */
  isCanceled: boolean
  isCompleted: boolean
}

/**
 * Opens a new segment with a paid period 0. The subscription may have been canceled while the charge was open; the
 * payment is still recorded, like that of a bill.
 *
 * @param loaded the current state
 * @param offer the offer at the time the charge began
 * @see SUB-10, SUB-27, BIL-25
 */
export function resumedPaid(
  loaded: LoadedSubscription,
  offer: ResumeOffer,
  paidBy: { paymentId: string; billId: string; now: Date },
): PaidResume {
  const { paymentId, now } = paidBy
  const bill = paidBill(loaded.subscription, offer.terms, paidBy)
  const paid = paidFor(loaded.subscription, bill, { paymentId, now })
  if (paid.status !== 'paused') {
    const after = { ...paid, segmentNo: bill.segmentNo }
    return { after, bill, bills: [bill], pauses: [], isCanceled: true, isCompleted: false }
  }
  const active = resumedSubscription(paid, offer.terms, now)
  const isCompleted = paid.paidBills === paid.installments
  const dueAt = dueAtOf({ subscription: active, bill: loaded.bill, pause: null })
  return {
    after: { ...active, dueAt },
    bill,
    bills: [bill],
    pauses: [resumedPause(offer, now)],
    isCanceled: false,
    isCompleted,
  }
}

/** @param now in the business's time */
export function completed(subscription: Subscription, now: Date): Subscription {
  return { ...subscription, status: 'completed', endedAt: now, nextBillingDate: null, dueAt: null }
}

function paidBill(
  { segmentNo }: Subscription,
  { newPeriodStart: periodStart, newPeriodEnd: periodEnd }: ResumeTerms,
  { paymentId, billId, now }: { paymentId: string; billId: string; now: Date },
): Bill {
  return {
    ...newBill({ segmentNo: segmentNo + 1, periodNo: 0, periodStart, periodEnd }, now),
    id: billId,
    status: 'FULFILLED',
    nextAttemptAt: null,
    lastAttemptAt: now,
    paymentId,
    closedAt: now,
  }
}
