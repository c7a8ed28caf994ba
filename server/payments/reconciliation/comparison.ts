import type { PaymentServices } from '../services.ts'
import type { TerminalDay } from './reconciliation-queries.ts'

/** One comparison of a day of a terminal. */
export interface Comparison extends TerminalDay {
  services: PaymentServices
  runId: string
  /** Of the day, in UTC. */
  from: Date
  until: Date
}

/** The gateway did not say what a comparison needs. Nothing is concluded from that, and it is tried again. */
export class GatewaySilent extends Error {
  override readonly name = 'GatewaySilent'
}
