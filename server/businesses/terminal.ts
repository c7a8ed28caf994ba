import type { Currency } from '../lib/money.ts'

/** The merchant account at a gateway that a business charges on. */
export interface Terminal {
  id: string
  currency: Currency
  /** Which adapter speaks to it: `simulator`, … */
  gateway: string
  /** How the gateway calls it. */
  merchantCode: string
}
