import { type Day, dayOf, periodIndexContaining } from '../plan/calendar.ts'
import { dayOfPeriod, type Subscription } from '../subscription.ts'

/**
 * Returns the end of the running period, paid or not: the next day of the schedule after today. Before the first bill
 * it is the day of that bill.
 *
 * @param now in the business's time
 */
export function endOfRunningPeriod(subscription: Subscription, now: Date): Day {
  const { anchorDate, cadence, nextBillingDate, timeZone } = subscription
  const today = dayOf(now, timeZone)
  // Otherwise today's bill, or bills that wait for an open one, are still to come.
  if (nextBillingDate !== null && nextBillingDate > today) return nextBillingDate
  return dayOfPeriod(subscription, periodIndexContaining(anchorDate, cadence, today) + 1)
}
