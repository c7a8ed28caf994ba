import type { Bill } from '../bill.ts'
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
  /** The open bill, or the one that is opened now. */
  | { kind: 'charge'; after: Subscription; bill: Bill }
  | { kind: 'wait'; dueAt: Date | null }

/**
 * What the scheduler does with a subscription now: first a scheduled cancel or pause, then billing.
 *
 * @see BIL-9, BIL-11, BIL-26, SUB-11
 */
export function nextStep(loaded: LoadedSubscription, now: Date): Step {
  const passed = passBoundary(loaded, now)
  if (passed) return { kind: 'boundary', passed }
  const { subscription, bill, isCharging } = loaded
  if (isCharging) return { kind: 'charging' }
  const dueAt = installmentsRemaining(subscription) === 0 ? null : dueAtOf(loaded)
  if (dueAt === null || dueAt > now) return { kind: 'wait', dueAt }
  if (bill) return { kind: 'charge', after: subscription, bill }
  return isTooMuchMissed(loaded, now) ? { kind: 'hold' } : { kind: 'charge', ...openBill(loaded, now) }
}
