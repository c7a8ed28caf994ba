import type { Currency } from '../lib/money.ts'

/** A merchant account at a gateway. */
export interface Terminal {
  id: string
  currency: Currency
  /** The name of the gateway's adapter: `simulator`, … */
  gateway: string
  /** The gateway's name for the account. */
  merchantCode: string
}
