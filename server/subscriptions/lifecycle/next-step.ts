import type { Business } from '../../businesses/business.ts'
import type { Bill } from '../bill.ts'
import { timeOn } from '../plan/calendar.ts'
import { installmentsRemaining, type LoadedSubscription, type Subscription } from '../subscription.ts'
import { dueAtOf } from './due.ts'
import { isTooMuchMissed, openBill } from './open-bill.ts'
import { type PassedBoundary, passBoundary } from './pass-boundary.ts'

export type Step =
  | { kind: 'boundary'; passed: PassedBoundary }
  /** A charge is open; its outcome comes before any decision. */
  | { kind: 'charging' }
  /** Too much was missed; the merchant decides (BIL-11). */
  | { kind: 'hold' }
  /** The bill's day has begun; it is opened now and charged later that day (BIL-31). */
  | { kind: 'open'; after: Subscription; bill: Bill }
  /** The open bill, or one opened now, is charged. */
  | { kind: 'charge'; after: Subscription; bill: Bill }
  | { kind: 'wait'; dueAt: Date | null }

export type BillingSettings = Pick<Business, 'billingRunLocalTime' | 'missedDatesMax'>

/**
 * Decides what the scheduler does with a subscription now: first a scheduled cancel or pause, then billing. The bill of
 * a day is open from the first instant of that day, whenever it is charged.
 *
 * @see BIL-4, BIL-9, BIL-11, BIL-26, SUB-11
 */
export function nextStep(loaded: LoadedSubscription, now: Date, settings: BillingSettings): Step {
  const passed = passBoundary(loaded, now)
  if (passed) return { kind: 'boundary', passed }
  const { subscription, bill, isCharging } = loaded
  if (isCharging) return { kind: 'charging' }
  const dueAt = installmentsRemaining(subscription) === 0 ? null : dueAtOf(loaded)
  if (dueAt === null || dueAt > now) return { kind: 'wait', dueAt }
  if (bill) return { kind: 'charge', after: subscription, bill }
  if (isTooMuchMissed(loaded, now, settings)) return { kind: 'hold' }
  const opened = openBill(loaded, now)
  const runAt = timeOn(opened.bill.periodStart, settings.billingRunLocalTime, subscription.timeZone)
  if (runAt <= now) return { kind: 'charge', ...opened }
  return { kind: 'open', after: opened.after, bill: { ...opened.bill, nextAttemptAt: runAt } }
}
