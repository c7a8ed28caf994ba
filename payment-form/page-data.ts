import type { UiMode } from '../contract/checkout-session.ts'
import type { PaymentPageView } from '../contract/payment-page.ts'
import { brandById } from './fields/card-brands.ts'
import { CATALOGUE } from './messages/catalogue.ts'
import type { ScriptText } from './messages/text.ts'

/** What the script is told: a JSON block in the page. Nothing about the payer but the customer's id. */
export interface PageData {
  phase: 'ready' | 'checking'
  token: string
  /** Names the payment to the business without being the credential that the token is. */
  sessionId: string
  /** Without a slash at the end. */
  apiBaseUrl: string
  surface: UiMode
  locale: string
  businessName: string
  /** What the pay request must say, in major units. */
  amount: number
  /** Accepted brands; empty means all. */
  brands: string[]
  customerId: string | null
  cancelUrl: string
  expiresAt: string
  serverTime: string
  text: ScriptText
}

type FormView = Extract<PaymentPageView, { state: 'open' | 'checking' }>

export function pageData(view: FormView): PageData {
  const { checkout_session: session, business, customer, payment_methods: methods } = view.data
  return {
    phase: view.state === 'checking' || session.payment_in_progress ? 'checking' : 'ready',
    token: view.token,
    sessionId: session.id,
    apiBaseUrl: view.apiBaseUrl.replace(/\/$/, ''),
    surface: view.surface,
    locale: view.locale,
    businessName: business.name,
    amount: amountDue(session),
    brands: methods.card.brands.map((id) => brandById(id)?.id ?? id),
    customerId: customer?.id ?? null,
    cancelUrl: session.cancel_url,
    expiresAt: session.expires_at,
    serverTime: session.server_time,
    text: CATALOGUE[view.locale].script,
  }
}

/** The total in major units, with the surcharge once it is known to apply. */
export function amountDue(session: FormView['data']['checkout_session']): number {
  const surcharge = session.surcharge?.applies ? session.surcharge.amount : 0
  return Math.round((session.amount_total + surcharge) * 100) / 100
}

/** JSON that cannot end its `<script>` block early, whatever the texts in it are. */
export function scriptJson(data: PageData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
