import type { Currency } from '../lib/money.ts'

/** A merchant account at a gateway. */
export interface Terminal {
  id: string
  currency: Currency
  /** Name of the gateway's adapter, such as `simulator`. */
  gateway: string
  /** The gateway's code for the account. */
  merchantCode: string
}

/**
 * How the card networks identify the merchant's acquirer, and the merchant there, for 3-D Secure. `null` if not set.
 */
export interface Acquirer {
  acquirerBin: string | null
  acquirerMerchantId: string | null
  /** Merchant category code of four digits. */
  categoryCode: string | null
}
