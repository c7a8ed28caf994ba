import type { EndpointRedelivery, EndpointRedeliveryResult } from '../../../contract/webhook-delivery.ts'
import type { Db } from '../../db/connection.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { keptSince, noSuchEvent } from '../kept-events.ts'
import { findEvent } from '../recorded-event-queries.ts'
import { budgetSpent, countRedelivered, readBudgets, requireBudget } from './redelivery-budget.ts'
import { lockReceivers } from './redelivery-budget-queries.ts'
import { REDELIVER_PORTION, type RedeliverAfter, redeliver, redeliverAfter } from './webhook-delivery-queries.ts'
import { noSuchEndpoint, requireEnabled } from './webhook-endpoint.ts'
import { findEndpoint, lockEndpoint } from './webhook-endpoint-queries.ts'

/** Maximum number of statements per request. */
const PORTIONS_MAX = 10

interface RedeliverServices {
  db: Db
  clock: Clock
  eventDays: number
}

interface OfEvent {
  businessId: string
  id: string
  /** `undefined` means every endpoint that receives the type. */
  endpointId: string | undefined
}

/**
 * Delivers an event again, under the same id.
 *
 * @returns the number of deliveries that are due
 * @throws ApiError `not_found`; `conflict` for a disabled endpoint; `validation_failed` for the ping of another
 *   endpoint; `rate_limited` if one of the endpoints has used up its hourly budget: then nothing is redelivered
 */
export async function redeliverEvent(services: RedeliverServices, given: OfEvent): Promise<number> {
  const { db, clock, eventDays } = services
  const { businessId, id } = given
  const event = await findEvent(db, { businessId, id, since: keptSince(clock, eventDays) })
  if (!event) throw noSuchEvent()
  const isPing = event.type === 'ping'
  const endpointId = given.endpointId ?? (isPing ? event.objectId : null)
  if (endpointId !== null) await requireReceiver(db, businessId, endpointId)
  if (isPing && endpointId !== event.objectId) {
    throw invalidField('webhook_endpoint', 'is not the endpoint of this ping')
  }
  return transaction(db, async (tx) => {
    const at = clock.now()
    const endpointIds = await lockReceivers(tx, { businessId, type: event.type, endpointId })
    const budget = { businessId, endpointIds, at }
    await requireBudget(tx, budget)
    await redeliver(tx, { businessId, eventId: id, endpointIds, at })
    await countRedelivered(tx, { ...budget, deliveries: 1 })
    return endpointIds.length
  })
}

async function requireReceiver(db: Db, businessId: string, id: string): Promise<void> {
  const endpoint = await findEndpoint(db, businessId, id)
  if (!endpoint) throw noSuchEndpoint('webhook_endpoint')
  requireEnabled(endpoint)
}

/**
 * Delivers again what an endpoint has missed since an instant, oldest first. A request examines a limited number of
 * events, and redelivers as many as the endpoint's hourly budget allows; the next request continues.
 *
 * @throws ApiError `not_found`, `conflict` for a disabled endpoint, `validation_failed`; `rate_limited` if there is
 *   something to redeliver and none of it is allowed now
 */
export async function redeliverSince(
  { db, clock, eventDays }: RedeliverServices,
  { businessId, id, input }: { businessId: string; id: string; input: EndpointRedelivery },
): Promise<EndpointRedeliveryResult> {
  if (input.since * 1000 > clock.now().getTime()) throw invalidField('since', 'must not be in the future')
  const endpoint = await findEndpoint(db, businessId, id)
  if (!endpoint) throw noSuchEndpoint('id')
  requireEnabled(endpoint)
  const which = { businessId, endpointId: id, statuses: input.status }
  const start = startOf(input, keptSince(clock, eventDays))
  let [deliveries, isOver, lastEvent]: [number, boolean, string | null] = [0, false, null]
  for (let portion = 0; portion < PORTIONS_MAX; portion++) {
    const at = clock.now()
    const done = await transaction(db, (tx) => redeliverPortion(tx, { ...which, at, after: lastEvent ?? start }))
    deliveries += done.deliveries
    lastEvent = done.lastEvent ?? lastEvent
    isOver = !done.isCut && done.scanned < REDELIVER_PORTION
    if (done.isCut && deliveries === 0) throw budgetSpent(done.budget)
    if (done.isCut || isOver) break
  }
  const [left] = await readBudgets(db, { businessId, endpointIds: [id], at: clock.now() })
  const { left: remaining = 0, retryAfter: retry_after = null } = left ?? {}
  return { object: 'redelivery', deliveries, has_more: !isOver, last_event: lastEvent, remaining, retry_after }
}

/** Redelivers within the endpoint's budget; the lock on the endpoint keeps other calls from using it up meanwhile. */
async function redeliverPortion(tx: Tx, given: Omit<RedeliverAfter, 'limit'>) {
  const { businessId, endpointId, at } = given
  await lockEndpoint(tx, businessId, endpointId)
  const of = { businessId, endpointIds: [endpointId], at }
  const [budget = { endpointId, left: 0, retryAfter: 1 }] = await readBudgets(tx, of)
  const done = await redeliverAfter(tx, { ...given, limit: budget.left })
  await countRedelivered(tx, { ...of, deliveries: done.deliveries })
  return { ...done, budget }
}

/**
 * Returns the id to start after; ids are ordered by time. Of events before `kept`, possibly only their numbers are
 * left.
 */
function startOf({ since, starting_after }: EndpointRedelivery, kept: Date): string {
  const instant = new Date(Math.max(since * 1000, kept.getTime()))
  const first = firstIdAt(instant)
  return starting_after !== undefined && starting_after > first ? starting_after : first
}
