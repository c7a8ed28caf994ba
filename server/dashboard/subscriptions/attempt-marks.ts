import type { AttemptMark } from '../../../contract/dashboard/subscription-views.ts'
import { type Day, dayOf } from '../../subscriptions/plan/calendar.ts'
import { ATTEMPTS_MAX, nextAttemptDay } from '../../subscriptions/plan/retries.ts'
import type { ListedBill, ListedPayment } from './subscription-page-queries.ts'

interface Attempted {
  bill: ListedBill
  /** Payments of the bill, in any order. */
  payments: readonly ListedPayment[]
  timeZone: string
  isCharging: boolean
}

/**
 * Returns the four attempts of a bill: those that were made, and the days of the next ones if each is declined.
 *
 * @see BIL-17
 */
export function attemptMarks({ bill, payments, timeZone, isCharging }: Attempted): AttemptMark[] {
  const made = [...payments]
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    .slice(0, ATTEMPTS_MAX)
    .map((payment, index) => madeMark(payment, index + 1, timeZone))
  if (made.some(({ state }) => state === 'succeeded')) return made
  return [...made, ...later(bill, made, { timeZone, isCharging })]
}

function madeMark({ id, status, code, trigger, createdAt }: ListedPayment, attempt: number, zone: string): AttemptMark {
  const state = status === 'failed' ? 'failed' : 'succeeded'
  return {
    attempt,
    day: dayOf(createdAt, zone),
    state,
    code: state === 'failed' ? code : null,
    payment: id,
    trigger,
  }
}

function later(
  { status, nextAttemptAt, periodStart }: ListedBill,
  made: readonly AttemptMark[],
  { timeZone, isCharging }: Pick<Attempted, 'timeZone' | 'isCharging'>,
): AttemptMark[] {
  const marks: AttemptMark[] = []
  const last = made.at(-1)
  const planned = nextAttemptAt ? dayOf(nextAttemptAt, timeZone) : null
  let day = planned ?? (last ? nextAttemptDay(last.day as Day, made.length) : periodStart)
  for (let attempt = made.length + 1; attempt <= ATTEMPTS_MAX && day !== null; attempt++) {
    const isNow = isCharging && marks.length === 0
    const state = status === 'PENDING' ? (isNow ? 'charging' : 'planned') : 'dropped'
    marks.push({ attempt, day, state, code: null, payment: null, trigger: null })
    day = nextAttemptDay(day, attempt)
  }
  return marks
}
