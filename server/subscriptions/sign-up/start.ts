import type { Business } from '../../businesses/business.ts'
import type { Bill } from '../bill.ts'
import { approvedBill } from '../lifecycle/bill-outcome.ts'
import { dueAtOf } from '../lifecycle/due.ts'
import { openBill } from '../lifecycle/open-bill.ts'
import { type Day, dayOf } from '../plan/calendar.ts'
import type { LoadedSubscription, Subscription } from '../subscription.ts'

/** When the schedule begins, and whether the first bill is charged with the sign-up. */
export interface Start {
  /** Day 0 of the schedule: the start date, or today when that has passed. */
  anchor: Day
  isChargedNow: boolean
}

/**
 * Decides when the schedule begins. No elapsed period is billed.
 *
 * @param now in the business's time
 * @see CHK-19, SUB-2, SUB-3
 */
export function startOf(
  startDate: Day | null,
  now: Date,
  { timeZone, firstCharge }: Pick<Business, 'timeZone' | 'firstCharge'>,
): Start {
  const today = dayOf(now, timeZone)
  if (startDate === null || startDate <= today) return { anchor: today, isChargedNow: true }
  return { anchor: startDate, isChargedNow: firstCharge === 'at_create' }
}

export interface Started {
  subscription: Subscription
  bills: Bill[]
  isCompleted: boolean
}

/**
 * Returns the subscription with its card; its first bill is paid now, or charged by the scheduler on its day.
 *
 * @param payment payment of the first bill; `null` if the card was only verified
 * @param now in the business's time
 */
export function started(waiting: Subscription, { anchor }: Start, payment: { id: string } | null, now: Date): Started {
  const scheduled = {
    ...waiting,
    status: 'active' as const,
    anchorDate: anchor,
    nextPeriodNo: 0,
    nextBillingDate: anchor,
  }
  const subscription = { ...scheduled, dueAt: dueAtOf(alone(scheduled)) }
  if (payment === null) return { subscription, bills: [], isCompleted: false }
  const opened = openBill(alone(subscription), now)
  const { after, bills, isCompleted } = approvedBill(
    { ...alone(opened.after), bill: opened.bill },
    { paymentId: payment.id, now },
  )
  return { subscription: after, bills, isCompleted }
}

/** Returns the subscription as loaded without an open bill, a pause or a charge. */
export function alone(subscription: Subscription): LoadedSubscription {
  return { subscription, bill: null, pause: null, isCharging: false }
}
