import type { UiMode } from '../contract/checkout-session.ts'
import type { ClosedPageData } from './closed-page-data.ts'
import { brandById } from './fields/card-brands.ts'
import { CATALOGUE } from './messages/catalogue.ts'
import type { ScriptText } from './messages/text.ts'
import type { FormView, PageContext } from './parts/page-context.ts'
import { payLabel } from './parts/payment-section.ts'
import { money } from './parts/summary.ts'
import { amountDue, type SurchargeState, surchargeState } from './surcharge-state.ts'

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

export function pageData(view: FormView, context: PageContext): PageData {
  const { checkout_session: session, business, customer, payment_methods: methods } = view.data
  return {
    phase: view.state === 'checking' || session.payment_in_progress ? 'checking' : 'ready',
    token: view.token,
    sessionId: session.id,
    apiBaseUrl: view.apiBaseUrl.replace(/\/$/, ''),
    surface: view.surface,
    parentOrigin: view.parent?.origin ?? null,
    locale: view.locale,
    businessName: business.name,
    amount: amountDue(session, surchargeState(view)),
    surcharge: pageSurcharge(view, context),
    currency: session.currency,
    brands: methods.card.brands.map((id) => brandById(id)?.id ?? id),
    customerId: customer?.id ?? null,
    cancelUrl: session.cancel_url,
    expiresAt: session.expires_at,
    serverTime: session.server_time,
    text: CATALOGUE[view.locale].script,
  }
}

function pageSurcharge(view: FormView, context: PageContext): PageSurcharge | null {
  const session = view.data.checkout_session
  if (!session.surcharge) return null
  const { surcharge_added: added, surcharge_removed: removed } = context.scriptText
  const amount = money(session, context, session.surcharge.amount)
  const texts = (state: SurchargeState, said: string) => {
    const due = amountDue(session, state)
    const total = money(session, context, due)
    return {
      amount: due,
      total,
      payLabel: payLabel(view, context, state),
      announcement: context.say(said, { amount, total }),
    }
  }
  return {
    state: surchargeState(view),
    needsPlace: view.data.business.country === 'CA' || session.currency === 'CAD',
    savedCards: view.data.saved_cards.filter((card) => card.surcharge_applies).map(({ id }) => id),
    texts: { with: texts('yes', added), without: texts('no', removed) },
  }
}

/** JSON that cannot end its `<script>` block early, whatever the texts in it are. */
export function scriptJson(data: PageData | ClosedPageData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
