import { transaction } from '../../db/transaction.ts'
import { addSeconds } from '../../lib/clock.ts'
import type { ClaimedDelivery, DeliveryServices } from './delivery.ts'
import { claimDeliveries } from './delivery-queries.ts'
import { cancelWaiting } from './disable-queries.ts'
import type { Lane, Lanes } from './lanes.ts'
import { holdBack, lockEndpoints } from './order-queries.ts'

/** Statements at the same time, so that payments have connections too. */
const AT_ONCE = 2

export interface Claimer {
  /** Claims what is due at an endpoint, as soon as it and the process have free places. */
  claim(lane: Lane): void
  /** Tries again: places have become free. */
  pump(): void
  /** Waits for claims under way. */
  stop(): Promise<void>
}

interface Wanted {
  lane: Lane
  limit: number
}

/** Claims for one business at a time, in turns. @param begin takes over a place of the lane for each delivery */
export function createClaimer(
  services: DeliveryServices,
  lanes: Lanes,
  begin: (lane: Lane, delivery: ClaimedDelivery) => void,
): Claimer {
  const queue = new Map<string, Set<Lane>>()
  /** By business. */
  const busy = new Map<string, Promise<void>>()
  let isStopped = false

  /** Moves a business that could not have all its lanes served to the end. */
  function takeTurn(businessId: string, waiting: Set<Lane>): Wanted[] {
    const wanted = [...waiting].map((lane) => ({ lane, limit: lanes.take(lane) })).filter(({ limit }) => limit > 0)
    for (const { lane } of wanted) waiting.delete(lane)
    if (waiting.size === 0) queue.delete(businessId)
    else if (wanted.length > 0) {
      queue.delete(businessId)
      queue.set(businessId, waiting)
    }
    return wanted
  }

  function pump(): void {
    for (const [businessId, waiting] of [...queue]) {
      if (isStopped || busy.size >= AT_ONCE) return
      if (busy.has(businessId)) continue
      const wanted = takeTurn(businessId, waiting)
      if (wanted.length === 0) continue
      const served = serve(businessId, wanted).finally(() => {
        busy.delete(businessId)
        pump()
      })
      busy.set(businessId, served)
    }
  }

  async function serve(businessId: string, wanted: readonly Wanted[]): Promise<void> {
    let claimed: ClaimedDelivery[] = []
    try {
      claimed = await claimBatch(services, businessId, wanted)
    } catch (error) {
      services.log.warn({ err: error }, 'webhook deliveries could not be claimed; retrying')
    }
    for (const { lane, limit } of wanted) {
      const ours = claimed.filter(({ endpointId }) => endpointId === lane.endpointId)
      lane.mayHaveMore = ours.length === limit
      lanes.release(lane, limit - ours.length)
      for (const delivery of ours) begin(lane, delivery)
    }
  }

  return {
    claim(lane) {
      const waiting = queue.get(lane.businessId) ?? new Set()
      queue.set(lane.businessId, waiting.add(lane))
      pump()
    },
    pump,
    async stop() {
      isStopped = true
      queue.clear()
      await Promise.all(busy.values())
    },
  }
}

async function claimBatch(
  services: DeliveryServices,
  businessId: string,
  wanted: readonly Wanted[],
): Promise<ClaimedDelivery[]> {
  const { db, clock, timings, faults } = services
  const now = clock.now()
  const claimed = await claimDeliveries(db, {
    businessId,
    wanted: wanted.map(({ lane, limit }) => ({ endpointId: lane.endpointId, limit })),
    now,
    leaseUntil: addSeconds(now, timings.leaseMs / 1_000),
  })
  if (claimed.length > 0) faults.reach('after:delivery_claim')
  const receiving = claimed.filter(({ isEnabled }) => isEnabled)
  const ended = new Set(claimed.filter(({ isEnabled }) => !isEnabled).map(({ endpointId }) => endpointId))
  // An event that was recorded while its endpoint was disabled or deleted.
  for (const id of ended) await transaction(db, (tx) => cancelWaiting(tx, { businessId, id, at: now }))
  return receiving.some(({ ordered }) => ordered) ? inOrder(services, businessId, receiving) : receiving
}

/** Without those that wait for an earlier one of their object. */
async function inOrder(
  { db, clock, timings }: DeliveryServices,
  businessId: string,
  claimed: readonly ClaimedDelivery[],
): Promise<ClaimedDelivery[]> {
  const ordered = claimed.filter((delivery) => delivery.ordered)
  const until = addSeconds(clock.now(), timings.heldBackSeconds)
  const held = await transaction(db, async (tx) => {
    await lockEndpoints(
      tx,
      businessId,
      ordered.map(({ endpointId }) => endpointId),
    )
    return holdBack(tx, businessId, ordered, until)
  })
  const keyOf = ({ eventId, endpointId }: Pick<ClaimedDelivery, 'eventId' | 'endpointId'>) => eventId + endpointId
  const heldKeys = new Set(held.map(keyOf))
  return claimed.filter((delivery) => !heldKeys.has(keyOf(delivery)))
}
