import type { UiMode } from '../../contract/checkout-session.ts'
import type { SavedCard } from '../../contract/payment-page.ts'
import type { ScriptText } from '../messages/text.ts'
import type { SurchargeState } from './surcharge-state.ts'

/** Data of the script, as a JSON block in the page. About the payer, it contains only the customer's id. */
export interface PageData {
  phase: 'ready' | 'checking'
  token: string
  /** Identifies the payment to the business; unlike the token, it is not a credential. */
  sessionId: string
  businessId: string
  /** Base URL without a trailing slash. */
  apiBaseUrl: string
  surface: UiMode
  /** Origin of the merchant's page, if that page may frame this one. */
  parentOrigin: string | null
  locale: string
  businessName: string
  /** Amount of the pay request, in major units. */
  amount: number
  /** Whether the card is only verified, and nothing is charged now. */
  isVerified: boolean
  /** What happens to the card, if only a card is asked for. */
  savedCard: SavedCard | null
  currency: string
  /** Whether a payment may need authentication with 3-D Secure. */
  threeDs: boolean
  /** `null` if no surcharge is possible. */
  surcharge: PageSurcharge | null
  /** Accepted brands; empty means all. */
  brands: string[]
  customerId: string | null
  /** URL of the frame with the Google Pay button; `null` if the session cannot be paid with it. */
  walletFrame: string | null
  /** `null` if no shop waits for the payer. */
  cancelUrl: string | null
  expiresAt: string
  serverTime: string
  text: ScriptText
}

/** Texts of the page with and without the surcharge, rendered by the server: the script only chooses. */
export interface PageSurcharge {
  state: SurchargeState
  /** True if the payer may be in Quebec: the surcharge is then unknown until the place is known. */
  needsPlace: boolean
  /** Ids of saved cards to which it applies. */
  savedCards: string[]
  texts: Record<'with' | 'without', { amount: number; total: string; payLabel: string; announcement: string }>
}
