import type { Alert } from '../../../contract/dashboard/home-api.ts'
import type { Interval } from '../../catalog/cadence.ts'
import { billingDay, type Day, dayOf, periodIndexContaining } from '../../subscriptions/plan/calendar.ts'
import type { HeldRow } from './alert-queries.ts'

/**
 * Returns what the two decisions about missed bills would do.
 *
 * @param now in the business's time
 * @see BIL-11
 */
export function missedOf(held: HeldRow, now: Date): NonNullable<Alert['missed']> {
  const { nextPeriodNo, installments, paidBills, amount, currency } = held
  const cadence = { interval: held.interval as Interval, count: held.intervalCount }
  const anchor = held.anchorDate as Day
  const today = dayOf(now, held.timeZone)
  const due = today < held.nextBillingDate ? 0 : periodIndexContaining(anchor, cadence, today) - nextPeriodNo + 1
  const left = installments === null ? due : Math.max(0, installments - paidBills)
  const isRunning = billingDay(anchor, cadence, nextPeriodNo + due) > today
  const elapsed = Math.max(0, isRunning ? due - 1 : due)
  return { from: held.nextBillingDate, bills: Math.min(due, left), amount, currency, elapsed }
}
