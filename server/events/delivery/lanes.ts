/** Use of an endpoint's places for concurrent attempts. */
export interface Lane {
  readonly businessId: string
  readonly endpointId: string
  /** Whether the last attempt, or the one in progress, has taken long. */
  isSlow: boolean
  /** Number of attempts in progress or about to be claimed. */
  taken: number
  /** Whether more deliveries may be due, because the last claim was full. */
  mayHaveMore: boolean
}

/** Maximum number of concurrent attempts at one endpoint. */
const OF_LANE = { quick: 8, slow: 2 }
/**
 * Maximum number of concurrent attempts in this process. Slow endpoints have places of their own, so that they take
 * none from the others.
 */
const OF_PROCESS = { quick: 256, slow: 64 }
const LANES_MAX = 10_000

export interface Lanes {
  of(businessId: string, endpointId: string): Lane
  /** @returns how many attempts may begin now; these places count as taken */
  take(lane: Lane): number
  release(lane: Lane, count: number): void
  setSlow(lane: Lane, isSlow: boolean): void
}

/** Keeps a slow, dead or backlogged endpoint from delaying the others (EVT-11). */
export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>()
  const taken = { quick: 0, slow: 0 }
  const speedOf = ({ isSlow }: Lane) => (isSlow ? 'slow' : 'quick')
  return {
    of(businessId, endpointId) {
      const known = lanes.get(endpointId)
      if (known) return known
      if (lanes.size >= LANES_MAX) forgetIdle(lanes)
      const lane: Lane = { businessId, endpointId, isSlow: false, taken: 0, mayHaveMore: false }
      lanes.set(endpointId, lane)
      return lane
    },
    take(lane) {
      const speed = speedOf(lane)
      const free = Math.max(0, Math.min(OF_LANE[speed] - lane.taken, OF_PROCESS[speed] - taken[speed]))
      lane.taken += free
      taken[speed] += free
      return free
    },
    release(lane, count) {
      lane.taken -= count
      taken[speedOf(lane)] -= count
    },
    setSlow(lane, isSlow) {
      if (lane.isSlow === isSlow) return
      taken[speedOf(lane)] -= lane.taken
      lane.isSlow = isSlow
      taken[speedOf(lane)] += lane.taken
    },
  }
}

function forgetIdle(lanes: Map<string, Lane>): void {
  for (const [id, lane] of lanes) if (lane.taken === 0) lanes.delete(id)
}
