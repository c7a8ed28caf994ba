import type { PaymentServices } from '../services.ts'
import type { TerminalDay } from './reconciliation-queries.ts'

/** One comparison of one day of one terminal. */
export interface Comparison extends TerminalDay {
  services: PaymentServices
  runId: string
  /** Start of the day in UTC, inclusive; `until` is exclusive. */
  from: Date
  until: Date
}

/** The gateway did not return what a comparison needs. The comparison fails without conclusions and is repeated. */
export class GatewaySilent extends Error {
  override readonly name = 'GatewaySilent'
}
