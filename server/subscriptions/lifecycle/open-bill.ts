import type { Business } from '../../businesses/business.ts'
import { newId } from '../../lib/ids.ts'
import type { Bill } from '../bill.ts'
import { type Day, dayOf, lastDayAfter, periodIndexContaining } from '../plan/calendar.ts'
import { dayOfPeriod, type LoadedSubscription, type Subscription } from '../subscription.ts'

/**
 * Opens the bill of the next date, which has come. `after` has no `dueAt` yet: it depends on the outcome of the bill.
 */
export function openBill({ subscription }: LoadedSubscription, now: Date): { after: Subscription; bill: Bill } {
  const { segmentNo, nextPeriodNo, nextBillingDate: periodStart } = subscription
  if (periodStart === null) throw new Error('a subscription without a next date has no bill to open')
  const periodEnd = dayOfPeriod(subscription, nextPeriodNo + 1)
  const bill = newBill({ segmentNo, periodNo: nextPeriodNo, periodStart, periodEnd }, now)
  const after = {
    ...subscription,
    currentPeriod: { start: periodStart, end: periodEnd },
    nextPeriodNo: nextPeriodNo + 1,
    nextBillingDate: periodEnd,
  }
  return { after, bill }
}

export function newBill(period: Pick<Bill, 'segmentNo' | 'periodNo' | 'periodStart' | 'periodEnd'>, now: Date): Bill {
  return {
    ...period,
    id: newId(),
    status: 'PENDING',
    closedReason: null,
    failedAttempts: 0,
    nextAttemptAt: now,
    lastAttemptAt: null,
    paymentId: null,
    createdAt: now,
    closedAt: null,
  }
}

/**
 * Whether too much was missed, while the service was down or while an open bill kept the next dates waiting: more dates
 * than the business allows, or a date longer ago than an interval of a month or more. A date is not missed if its day
 * is not over, or if the merchant has already decided about it. A day is over when the bills of the next day are
 * charged.
 *
 * @see BIL-11
 */
export function isTooMuchMissed(
  { subscription }: LoadedSubscription,
  now: Date,
  { billingRunLocalTime, missedDatesMax }: Pick<Business, 'billingRunLocalTime' | 'missedDatesMax'>,
): boolean {
  const { nextBillingDate, nextPeriodNo, cadence, anchorDate, timeZone, catchUpThrough } = subscription
  if (nextBillingDate === null || (catchUpThrough !== null && nextBillingDate <= catchUpThrough)) return false
  const today = lastDayAfter(billingRunLocalTime, now, timeZone)
  if (nextBillingDate >= today) return false
  const missed = periodIndexContaining(anchorDate, cadence, today) - nextPeriodNo + 1
  const isLong = cadence.interval === 'month' || cadence.interval === 'year'
  return missed > missedDatesMax || (isLong && dayOfPeriod(subscription, nextPeriodNo + 1) < today)
}

/**
 * Closes the dates that waited for a bill that ended unpaid, if their whole period is over; the running period is
 * billed.
 *
 * @see BIL-12
 */
export function skipElapsed(subscription: Subscription, now: Date): { after: Subscription; skipped: Bill[] } {
  const today: Day = dayOf(now, subscription.timeZone)
  const skipped: Bill[] = []
  let after = subscription
  while (after.nextBillingDate !== null) {
    const periodEnd = dayOfPeriod(after, after.nextPeriodNo + 1)
    if (periodEnd > today) break
    const { segmentNo, nextPeriodNo: periodNo, nextBillingDate: periodStart } = after
    const bill = newBill({ segmentNo, periodNo, periodStart, periodEnd }, now)
    skipped.push({ ...bill, status: 'CLOSED', closedReason: 'skipped', nextAttemptAt: null, closedAt: now })
    after = { ...after, nextPeriodNo: periodNo + 1, nextBillingDate: periodEnd }
  }
  return { after, skipped }
}
