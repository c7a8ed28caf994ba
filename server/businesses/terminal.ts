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

/** How the card networks know the merchant's acquirer and the merchant there, for 3-D Secure. `null`: not set. */
export interface Acquirer {
  acquirerBin: string | null
  acquirerMerchantId: string | null
  /** Four digits. */
  categoryCode: string | null
}
