/**
 * Named places in the money path. A test kills the process at one of them and looks at what is left; in production nothing
 * is ever configured, and a place costs one comparison.
 */
export interface FaultPoints {
  reach(place: FaultPlace): void
}

export type FaultPlace = 'before:intent_commit' | 'after:intent_commit' | 'after:gateway_result' | 'after:result_commit'

export const noFaults: FaultPoints = { reach: () => {} }

/** The process dies there as if the power went: no handler runs, nothing is flushed. */
export function killAt(fatal: string): FaultPoints {
  return {
    reach(place) {
      if (place === fatal) process.kill(process.pid, 'SIGKILL')
    },
  }
}
