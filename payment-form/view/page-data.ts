import type { UiMode } from '../../contract/checkout-session.ts'
import type { ScriptText } from '../messages/text.ts'
import type { SurchargeState } from './surcharge-state.ts'

/** What the script is told: a JSON block in the page. Nothing about the payer but the customer's id. */
export interface PageData {
  phase: 'ready' | 'checking'
  token: string
  /** Names the payment to the business without being the credential that the token is. */
  sessionId: string
  /** Without a slash at the end. */
  apiBaseUrl: string
  surface: UiMode
  /** Of the merchant's page, when that may frame this one. */
  parentOrigin: string | null
  locale: string
  businessName: string
  /** What the pay request must say, in major units. */
  amount: number
  currency: string
  /** `null` where none can come: then the amount stays. */
  surcharge: PageSurcharge | null
  /** Accepted brands; empty means all. */
  brands: string[]
  customerId: string | null
  cancelUrl: string
  expiresAt: string
  serverTime: string
  text: ScriptText
}

/** How the page reads with the surcharge and without it, as the server wrote it: the script only chooses. */
export interface PageSurcharge {
  state: SurchargeState
  /** Where the payer may be in Quebec, nothing is known before the place is. */
  needsPlace: boolean
  /** Ids of the saved cards that it applies to. */
  savedCards: string[]
  texts: Record<'with' | 'without', { amount: number; total: string; payLabel: string; announcement: string }>
}
