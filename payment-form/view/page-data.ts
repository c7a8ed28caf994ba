import type { UiMode } from '../../contract/checkout-session.ts'
import type { SavedCard } from '../../contract/payment-page.ts'
import type { ScriptText } from '../messages/text.ts'
import type { SurchargeState } from './surcharge-state.ts'

/** The script's data: a JSON block in the page. Of the payer, only the customer's id. */
export interface PageData {
  phase: 'ready' | 'checking'
  token: string
  /** Identifies the payment to the business; unlike the token, it is not a credential. */
  sessionId: string
  businessId: string
  /** Without a slash at the end. */
  apiBaseUrl: string
  surface: UiMode
  /** Of the merchant's page, when that may frame this one. */
  parentOrigin: string | null
  locale: string
  businessName: string
  /** The amount of the pay request, in major units. */
  amount: number
  /** The card is only verified, and nothing is charged now. */
  isVerified: boolean
  /** Only a card is asked for. */
  savedCard: SavedCard | null
  currency: string
  /** A payment may need an authentication with 3-D Secure. */
  threeDs: boolean
  /** `null` when no surcharge is possible. */
  surcharge: PageSurcharge | null
  /** Accepted brands; empty means all. */
  brands: string[]
  customerId: string | null
  /** The frame of the Google Pay button; `null` where the session cannot be paid with it. */
  walletFrame: string | null
  /** `null` when no shop waits for the payer. */
  cancelUrl: string | null
  expiresAt: string
  serverTime: string
  text: ScriptText
}

/** The page's texts with the surcharge and without it, rendered by the server: the script only chooses. */
export interface PageSurcharge {
  state: SurchargeState
  /** True when the payer may be in Quebec: the surcharge is then unknown until the place is known. */
  needsPlace: boolean
  /** Ids of the saved cards that it applies to. */
  savedCards: string[]
  texts: Record<'with' | 'without', { amount: number; total: string; payLabel: string; announcement: string }>
}
