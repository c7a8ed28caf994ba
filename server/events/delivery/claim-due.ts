import { transaction } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import { cancelDeliveries } from '../webhooks/endpoint-delivery-queries.ts'
import type { ClaimedDelivery, DeliveryServices } from './delivery.ts'
import { claimDeliveries } from './delivery-queries.ts'
import { holdBack, lockEndpoints } from './order-queries.ts'
import type { TakenPlaces } from './turns.ts'

export interface Due {
  /** Deliveries that may be sent now. */
  deliveries: ClaimedDelivery[]
  /** Endpoints at which other deliveries were held back. */
  heldBackAt: Set<string>
}

/** Claims at most as many deliveries for each endpoint as it has free places. */
export async function claimDue(
  services: DeliveryServices,
  businessId: string,
  places: readonly TakenPlaces[],
): Promise<Due> {
  const { db, clock, timings, faults } = services
  const now = clock.now()
  const claimed = await claimDeliveries(db, {
    businessId,
    wanted: places.map(({ lane, limit }) => ({ endpointId: lane.endpointId, limit })),
    now,
    leaseUntil: addSeconds(now, timings.leaseMs / 1_000),
  })
  if (claimed.length > 0) faults.reach('after:delivery_claim')
  const ended = new Set(claimed.filter(({ isEnabled }) => !isEnabled).map(({ endpointId }) => endpointId))
  // The events were recorded while the endpoint was disabled or deleted.
  for (const id of ended) await cancelDeliveries(db, { businessId, id, at: now })
  const receiving = claimed.filter(({ isEnabled }) => isEnabled)
  const held = await holdBackLater(services, businessId, receiving)
  const isHeld = ({ eventId, endpointId }: ClaimedDelivery) =>
    held.some((one) => one.eventId === eventId && one.endpointId === endpointId)
  return {
    deliveries: held.length === 0 ? receiving : receiving.filter((delivery) => !isHeld(delivery)),
    heldBackAt: new Set(held.map(({ endpointId }) => endpointId)),
  }
}

/** Holds back deliveries that have to wait for an earlier one of the same object. */
async function holdBackLater(
  { db, clock, timings }: DeliveryServices,
  businessId: string,
  claimed: readonly ClaimedDelivery[],
): Promise<Pick<ClaimedDelivery, 'eventId' | 'endpointId'>[]> {
  const ordered = claimed.filter((delivery) => delivery.ordered)
  if (ordered.length === 0) return []
  const endpointIds = ordered.map(({ endpointId }) => endpointId)
  const until = addSeconds(clock.now(), timings.heldBackSeconds)
  return transaction(db, async (tx) => {
    await lockEndpoints(tx, businessId, endpointIds)
    return holdBack(tx, businessId, ordered, until)
  })
}
