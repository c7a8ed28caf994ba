import type { Cents } from '../../lib/money.ts'
import type { BearerCaller } from './token.ts'

/** A browser token as a row to insert. */
export interface NewBrowserToken {
  token_hash: Buffer
  business_id: string
  client_id: string
  family_id: string
  origin: string
  uses_left: number
  amount_max: number | null
  customer_id: string | null
  customer_email: string | null
  expires_at: Date
  created_at: Date
}

export interface FoundBrowserToken {
  caller: BearerCaller
  hash: Buffer
  origin: string
  amountMax: number | null
  /** `null` for a token that is not bound to a customer. */
  customer: BoundCustomer | null
}

/** The customer that the merchant's server bound a token to. If both are set, the id decides. */
export interface BoundCustomer {
  id: string | null
  email: string | null
}

/** The creator of a session: a server with an access token, or a page with a browser token. */
export interface CreatorCaller extends BearerCaller {
  /** `null` for a server. */
  browserToken: { amountMax: Cents | null; customer: BoundCustomer | null; use(): Promise<void> } | null
}
