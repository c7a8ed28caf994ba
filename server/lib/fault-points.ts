import { readFileSync } from 'node:fs'

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
  /** Places in webhook delivery. */
  | 'after:delivery_claim'
  | 'after:delivery_post'
  /** Places in sending letters. */
  | 'before:letter_commit'
  | 'after:letter_sent'

export const noFaults: FaultPoints = { reach: () => {} }

const FILE = 'file:'

/**
 * Returns fault points that kill the process at a place as in a power failure: no handler runs, nothing is flushed.
 *
 * @param fatal name of the place, or `file:` and the path of a file that contains it. The file may change while the
 * process runs, so a test needs no other process for what precedes the fault.
 */
export function killAt(fatal: string): FaultPoints {
  const file = fatal.startsWith(FILE) ? fatal.slice(FILE.length) : null
  return {
    reach(place) {
      if (place === (file === null ? fatal : readFileSync(file, 'utf8'))) process.kill(process.pid, 'SIGKILL')
    },
  }
}
