import { REDELIVERIES_PER_HOUR } from '../../../contract/webhook-delivery.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { type CountedMinute, countRedeliveries, findCountedMinutes } from './redelivery-budget-queries.ts'

const HOUR_SECONDS = 3_600
const MINUTE_SECONDS = 60

/** Redeliveries that an endpoint may still have. */
export interface RedeliveryBudget {
  endpointId: string
  left: number
  /** Seconds until as many are left as are wanted; `null` if they are left now. */
  retryAfter: number | null
}

interface OfEndpoints {
  businessId: string
  endpointIds: readonly string[]
  /** Real time, so that a test clock does not increase the budget. */
  at: Date
  /** Number wanted for each endpoint; 1 by default. */
  wanted?: number
}

/**
 * Returns the span of the minutes that count: whole minutes, any instant of which may be less than an hour ago. If a
 * clock was set back, the minutes of the next hour count, too. Anything further ahead was counted by a wrong clock.
 */
export const countedSpan = (at: Date) => ({
  after: addSeconds(at, -HOUR_SECONDS - MINUTE_SECONDS),
  before: addSeconds(at, HOUR_SECONDS),
})

/**
 * Reads the budgets of endpoints. They hold until the end of the transaction if the endpoints are locked.
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

/** Returns the seconds until the wanted number is left, rounded up so that waiting this long is enough. */
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
 * Checks that each of the endpoints, which must be locked, may have as many more redeliveries as are wanted.
 *
 * @throws ApiError `rate_limited`
 */
export async function requireBudget(tx: Tx, given: OfEndpoints): Promise<void> {
  const spent = (await readBudgets(tx, given)).find(({ retryAfter }) => retryAfter !== null)
  if (spent) throw budgetSpent(spent)
}

/** Counts redeliveries to each of the endpoints, which must be locked. */
export async function countRedelivered(tx: Tx, { at, ...given }: OfEndpoints & { deliveries: number }): Promise<void> {
  if (given.deliveries === 0) return
  const minuteMs = MINUTE_SECONDS * 1_000
  await countRedeliveries(tx, { ...given, minute: new Date(Math.floor(at.getTime() / minuteMs) * minuteMs) })
}

/** Returns the error for a request beyond the budget, of which nothing was done. */
export function budgetSpent({ endpointId, left, retryAfter }: RedeliveryBudget): ApiError {
  return new ApiError('rate_limited', {
    message:
      `A webhook endpoint may have ${REDELIVERIES_PER_HOUR} redeliveries and tests in an hour, and ${endpointId} has ` +
      `${left} left. Try again in ${retryAfter} seconds.`,
    headers: { 'retry-after': String(retryAfter) },
    extra: { retry_after: retryAfter, redeliveries_left: left },
  })
}
