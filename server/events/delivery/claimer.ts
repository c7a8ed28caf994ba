import { claimDue, type Due } from './claim-due.ts'
import type { ClaimedDelivery, DeliveryServices } from './delivery.ts'
import type { Lane, Lanes } from './lanes.ts'
import { createTurns, type Turn } from './turns.ts'

const NOTHING: Due = { deliveries: [], heldBackAt: new Set() }
/** Number of concurrent statements, limited so that connections are left for payments. */
const AT_ONCE = 2

export interface Claimer {
  /** Claims what is due at an endpoint as soon as both the endpoint and the process have free places. */
  claim(lane: Lane): void
  /** Claims what waited for places, now that some have become free. */
  pump(): void
  /** Waits for claims in progress. */
  stop(): Promise<void>
}

/**
 * Claims for one business at a time, at all its waiting endpoints together.
 *
 * @param begin starts a delivery, and takes over one of the places that the lane has taken for it
 */
export function createClaimer(
  services: DeliveryServices,
  lanes: Lanes,
  begin: (lane: Lane, delivery: ClaimedDelivery) => void,
): Claimer {
  const turns = createTurns(lanes)
  /** Claims in progress by business. */
  const underWay = new Map<string, Promise<void>>()
  let isStopped = false

  function pump(): void {
    while (!isStopped && underWay.size < AT_ONCE) {
      const turn = turns.next((businessId) => !underWay.has(businessId))
      if (!turn) return
      underWay.set(
        turn.businessId,
        serve(turn).finally(() => ended(turn)),
      )
    }
  }

  function ended({ businessId }: Turn): void {
    underWay.delete(businessId)
    pump()
  }

  async function serve(turn: Turn): Promise<void> {
    const due = await claimOrNothing(services, turn)
    for (const { lane, limit } of turn.places) {
      const ours = due.deliveries.filter(({ endpointId }) => endpointId === lane.endpointId)
      lane.mayHaveMore = mayHaveMore(due, lane, ours.length === limit)
      lanes.release(lane, limit - ours.length)
      if (due.heldBackAt.has(lane.endpointId)) turns.add(lane)
      for (const delivery of ours) begin(lane, delivery)
    }
  }

  return {
    claim(lane) {
      turns.add(lane)
      pump()
    },
    pump,
    async stop() {
      isStopped = true
      turns.clear()
      await Promise.all(underWay.values())
    },
  }
}

async function claimOrNothing(services: DeliveryServices, { businessId, places }: Turn): Promise<Due> {
  try {
    return await claimDue(services, businessId, places)
  } catch (error) {
    services.log.warn({ err: error }, 'webhook deliveries could not be claimed; retrying')
    return NOTHING
  }
}

/** Whether more may be due: a delivery in order makes the next one due. */
function mayHaveMore({ deliveries, heldBackAt }: Due, { endpointId }: Lane, isFull: boolean): boolean {
  const isOrdered = deliveries.some((delivery) => delivery.endpointId === endpointId && delivery.ordered)
  return isFull || isOrdered || heldBackAt.has(endpointId)
}
