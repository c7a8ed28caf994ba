/** What one endpoint may have under way. */
export interface Lane {
  readonly businessId: string
  readonly endpointId: string
  /** Its last attempt, or the one under way, has taken long. */
  isSlow: boolean
  /** Attempts under way, and those that are about to be claimed. */
  taken: number
  /** The last claim was full, so more may be due. */
  mayHaveMore: boolean
}

/** Attempts under way at one endpoint. */
const OF_LANE = { quick: 8, slow: 2 }
/** Attempts under way in this process. What is slow has places of its own, so that it takes none from the others. */
const OF_PROCESS = { quick: 256, slow: 64 }
const LANES_MAX = 10_000

export interface Lanes {
  of(businessId: string, endpointId: string): Lane
  /** @returns how many attempts the lane may begin now; they count as taken */
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
