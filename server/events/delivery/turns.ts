import type { Lane, Lanes } from './lanes.ts'

/** Places of an endpoint that are taken for a claim. */
export interface TakenPlaces {
  lane: Lane
  limit: number
}

export interface Turn {
  businessId: string
  places: TakenPlaces[]
}

export interface Turns {
  add(lane: Lane): void
  /** Returns the next business that may claim; `null` if no business may, or if no place is free. */
  next(mayClaim: (businessId: string) => boolean): Turn | null
  clear(): void
}

/** Businesses take turns, so that one with many endpoints or a backlog does not delay any other (EVT-11). */
export function createTurns(lanes: Lanes): Turns {
  const queue = new Map<string, Set<Lane>>()

  function take(businessId: string, waiting: Set<Lane>): Turn | null {
    const places = [...waiting].map((lane) => ({ lane, limit: lanes.take(lane) })).filter(({ limit }) => limit > 0)
    if (places.length === 0) return null
    for (const { lane } of places) waiting.delete(lane)
    queue.delete(businessId)
    // Moved to the end of the queue: its other endpoints wait for places of their own.
    if (waiting.size > 0) queue.set(businessId, waiting)
    return { businessId, places }
  }

  return {
    add(lane) {
      const waiting = queue.get(lane.businessId) ?? new Set()
      queue.set(lane.businessId, waiting.add(lane))
    },
    next(mayClaim) {
      for (const [businessId, waiting] of queue) {
        const turn = mayClaim(businessId) ? take(businessId, waiting) : null
        if (turn) return turn
      }
      return null
    },
    clear: () => queue.clear(),
  }
}
