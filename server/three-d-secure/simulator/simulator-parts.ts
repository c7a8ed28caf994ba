import type { Received } from './received.ts'
import type { ThreeDsScript } from './script.ts'
import type { Transactions } from './transactions.ts'

/** State shared by the simulated 3-D Secure server and the simulated bank. */
export interface SimulatorParts {
  transactions: Transactions
  received: Received
  script: ThreeDsScript
  /** Multiplies the waits: 0.05 turns 10 s into half a second. */
  timeScale: number
  /** Returns the origin at which payers' browsers reach the bank. */
  publicUrl: () => string
  /** Returns a monotonic time in milliseconds. */
  now: () => number
}
