import type { Received } from './received.ts'
import type { ThreeDsScript } from './script.ts'
import type { Transactions } from './transactions.ts'

/** What the simulated 3-D Secure server and the simulated bank share. */
export interface SimulatorParts {
  transactions: Transactions
  received: Received
  script: ThreeDsScript
  /** Multiplies the waits: 0.05 turns 10 s into half a second. */
  timeScale: number
  /** The origin at which payers' browsers reach the bank. */
  publicUrl: () => string
  /** Milliseconds that never go back. */
  now: () => number
}
