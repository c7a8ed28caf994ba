import type { Business } from '../../businesses/business.ts'
import type { Bill } from '../bill.ts'
import { timeOn } from '../plan/calendar.ts'
import { installmentsRemaining, type LoadedSubscription, type Subscription } from '../subscription.ts'
import { dueAtOf } from './due.ts'
import { isTooMuchMissed, openBill } from './open-bill.ts'
import { type PassedBoundary, passBoundary } from './pass-boundary.ts'

export type Step =
  | { kind: 'boundary'; passed: PassedBoundary }
  /** A charge is open: nothing is decided before its outcome. */
  | { kind: 'charging' }
  /** Too much was missed: the merchant decides (BIL-11). */
  | { kind: 'hold' }
  /** The bill of a day that has begun, and is charged later on it (BIL-31). */
  | { kind: 'open'; after: Subscription; bill: Bill }
  /** The open bill, or the one that is opened now. */
  | { kind: 'charge'; after: Subscription; bill: Bill }
  | { kind: 'wait'; dueAt: Date | null }

export type BillingSettings = Pick<Business, 'billingRunLocalTime' | 'missedDatesMax'>

/**
 * What the scheduler does with a subscription now: first a scheduled cancel or pause, then billing. The bill of a day
 * is open from its first instant on, whenever it is charged.
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
