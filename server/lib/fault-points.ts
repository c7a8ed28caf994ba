/**
 * Named places in the money path. A test kills the process at one of them and checks what remains. In production none
 * is configured, and a place costs one comparison.
 */
export interface FaultPoints {
  reach(place: FaultPlace): void
}

export type FaultPlace =
  | 'before:intent_commit'
  | 'after:intent_commit'
  | 'after:gateway_result'
  | 'after:result_commit'
  /** Of webhooks. */
  | 'after:delivery_claim'
  | 'after:delivery_post'
  /** Of letters. */
  | 'before:letter_commit'
  | 'after:letter_sent'

export const noFaults: FaultPoints = { reach: () => {} }

/** Kills the process at a place as in a power failure: no handler runs, nothing is flushed. */
export function killAt(fatal: string): FaultPoints {
  return {
    reach(place) {
      if (place === fatal) process.kill(process.pid, 'SIGKILL')
    },
  }
}
