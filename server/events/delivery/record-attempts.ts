import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { newNotification } from '../notification.ts'
import { recordNotification } from '../notification-queries.ts'
import { cancelDeliveries } from '../webhooks/endpoint-delivery-queries.ts'
import { type EndpointHealth, type MadeAttempt, recordAttempts, recordHealth } from './attempt-queries.ts'
import type { DeliveryServices } from './delivery.ts'
import { type DisableReason, disableEndpoint } from './disable-queries.ts'
import { lockEndpoints, releaseNext } from './order-queries.ts'

/** Attempts made for deliveries of one business. */
interface Batch {
  businessId: string
  made: readonly MadeAttempt[]
}

/**
 * Records attempts and their consequences: the next delivery in order, the health of the endpoint, and whether it is
 * disabled.
 */
export async function recordBatch(services: DeliveryServices, batch: Batch): Promise<void> {
  const { db, clock } = services
  const at = clock.now()
  const inOrder = batch.made.filter(({ delivery, result }) => delivery.ordered && result.status !== 'pending')
  const ending = endingOf(services, batch, at)
  if (inOrder.length === 0 && ending.size === 0) await recordAttempts(db, { ...batch, at })
  else await transaction(db, (tx) => recordWithFollowers(services, tx, { ...batch, at, inOrder, ending }))
  const health = changedHealth(batch.made)
  if (health.length > 0) await recordHealth(db, batch.businessId, health)
}

interface Followers extends Batch {
  at: Date
  inOrder: readonly MadeAttempt[]
  ending: ReadonlyMap<string, DisableReason>
}

async function recordWithFollowers(services: DeliveryServices, tx: Tx, followers: Followers): Promise<void> {
  const { businessId, at, inOrder, ending } = followers
  await lockEndpoints(tx, businessId, [...inOrder.map(({ delivery }) => delivery.endpointId), ...ending.keys()])
  await recordAttempts(tx, followers)
  const leaseEnd = addSeconds(at, services.timings.leaseMs / 1_000)
  if (inOrder.length > 0)
    await releaseNext(
      tx,
      businessId,
      inOrder.map(({ delivery }) => delivery),
      leaseEnd,
    )
  for (const [id, reason] of ending) await disable(services, tx, { businessId, id, reason, at })
}

/** Returns endpoints that responded 410, or that have been failing for too long (EVT-9). */
function endingOf({ timings }: DeliveryServices, { made }: Batch, at: Date): Map<string, DisableReason> {
  const ending = new Map<string, DisableReason>()
  const failingMax = addSeconds(at, -timings.failingMaxSeconds)
  for (const { delivery, result } of made) {
    const { endpointId, failingSince } = delivery
    if (result.status === 'failed' && result.isGone) ending.set(endpointId, 'gone')
    else if (
      result.status !== 'succeeded' &&
      failingSince !== null &&
      failingSince <= failingMax &&
      !ending.has(endpointId)
    )
      ending.set(endpointId, 'failing')
  }
  return ending
}

interface Ending {
  businessId: string
  id: string
  reason: DisableReason
  at: Date
}

async function disable({ clock }: DeliveryServices, tx: Tx, ending: Ending): Promise<void> {
  const url = await disableEndpoint(tx, ending)
  if (url === undefined) return
  await cancelDeliveries(tx, ending)
  const { businessId, id, reason } = ending
  const business = await findBusiness(tx, businessId)
  if (!business) throw new Error('the business of an endpoint is missing')
  const data = { endpoint_id: id, url, reason }
  const createdAt = businessNow(clock, business)
  await recordNotification(tx, newNotification({ businessId, type: 'webhook_endpoint.disabled', data, createdAt }))
}

/** Returns the health only of endpoints where it has changed. */
function changedHealth(made: readonly MadeAttempt[]): EndpointHealth[] {
  const changed = new Map<string, EndpointHealth>()
  const inTime = made.toSorted((a, b) => a.attempt.attemptedAt.getTime() - b.attempt.attemptedAt.getTime())
  for (const { delivery, attempt, result } of inTime) {
    const { endpointId, failingSince } = delivery
    const known = changed.get(endpointId)
    if (result.status === 'succeeded') {
      if (failingSince !== null || known) changed.set(endpointId, { endpointId, hasSucceeded: true, failedAt: null })
    } else if (failingSince === null || known) {
      const { hasSucceeded = false, failedAt = null } = known ?? {}
      changed.set(endpointId, { endpointId, hasSucceeded, failedAt: failedAt ?? attempt.attemptedAt })
    }
  }
  return [...changed.values()]
}
