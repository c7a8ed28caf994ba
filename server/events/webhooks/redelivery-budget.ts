import { REDELIVERIES_PER_HOUR } from '../../../contract/webhook-delivery.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { type CountedMinute, countRedeliveries, findCountedMinutes } from './redelivery-budget-queries.ts'

const HOUR_SECONDS = 3_600
const MINUTE_SECONDS = 60

/** What an endpoint may still have of redeliveries. */
export interface RedeliveryBudget {
  endpointId: string
  left: number
  /** Until as many are left as are wanted; null when they are. */
  retryAfter: number | null
}

interface OfEndpoints {
  businessId: string
  endpointIds: readonly string[]
  /** Real time: a test clock does not bring more. */
  at: Date
  /** Of each endpoint; one unless given. */
  wanted?: number
}

/**
 * What counts: whole minutes, of which any instant may be less than an hour ago. After a clock was set back, so do
 * those of the next hour. What lies further ahead was counted by a clock that was wrong.
 */
export const countedSpan = (at: Date) => ({
  after: addSeconds(at, -HOUR_SECONDS - MINUTE_SECONDS),
  before: addSeconds(at, HOUR_SECONDS),
})

/**
 * The budgets of endpoints. They hold until the end of the transaction if the endpoints are locked.
 *
 * @see EVT-143
 */
export async function readBudgets(
  db: Db,
  { businessId, endpointIds, at, wanted = 1 }: OfEndpoints,
): Promise<RedeliveryBudget[]> {
  const minutes = await findCountedMinutes(db, { businessId, endpointIds, ...countedSpan(at) })
  return endpointIds.map((endpointId) => {
    const own = minutes.filter((minute) => minute.endpointId === endpointId)
    const used = own.reduce((sum, { deliveries }) => sum + deliveries, 0)
    const left = Math.max(0, REDELIVERIES_PER_HOUR - used)
    return { endpointId, left, retryAfter: left >= wanted ? null : secondsUntilLeft(wanted, own, { used, at }) }
  })
}

/** Rounded up, so that whoever waits this long has them. */
function secondsUntilLeft(
  wanted: number,
  minutes: readonly CountedMinute[],
  { used, at }: { used: number; at: Date },
): number {
  let stillUsed = used
  const last = minutes.find(({ deliveries }) => {
    stillUsed -= deliveries
    return stillUsed + wanted <= REDELIVERIES_PER_HOUR
  })
  const free = addSeconds(last?.minute ?? at, MINUTE_SECONDS + HOUR_SECONDS)
  return Math.max(1, Math.ceil((free.getTime() - at.getTime()) / 1_000))
}

/**
 * Requires that each of the endpoints, which are locked, may have as many more as are wanted.
 *
 * @throws ApiError `rate_limited`
 */
export async function requireBudget(tx: Tx, given: OfEndpoints): Promise<void> {
  const spent = (await readBudgets(tx, given)).find(({ retryAfter }) => retryAfter !== null)
  if (spent) throw budgetSpent(spent)
}

/** Counts redeliveries of each of the endpoints, which are locked. */
export async function countRedelivered(tx: Tx, { at, ...given }: OfEndpoints & { deliveries: number }): Promise<void> {
  if (given.deliveries === 0) return
  const minuteMs = MINUTE_SECONDS * 1_000
  await countRedeliveries(tx, { ...given, minute: new Date(Math.floor(at.getTime() / minuteMs) * minuteMs) })
}

/** The refusal of what goes beyond the budget. Nothing of it was done. */
export function budgetSpent({ endpointId, left, retryAfter }: RedeliveryBudget): ApiError {
  return new ApiError('rate_limited', {
    message:
      `A webhook endpoint may have ${REDELIVERIES_PER_HOUR} redeliveries and tests in an hour, and ${endpointId} has ` +
      `${left} left. Try again in ${retryAfter} seconds.`,
    headers: { 'retry-after': String(retryAfter) },
    extra: { retry_after: retryAfter, redeliveries_left: left },
  })
}
