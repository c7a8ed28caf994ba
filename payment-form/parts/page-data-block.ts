import { brandById } from '../fields/card-brands.ts'
import { CATALOGUE } from '../messages/catalogue.ts'
import type { ClosedPageData } from '../view/closed-page-data.ts'
import type { PageData, PageSurcharge } from '../view/page-data.ts'
import { amountDue, type SurchargeState, surchargeState } from '../view/surcharge-state.ts'
import type { FormView, PageContext } from './page-context.ts'
import { payLabel } from './payment-section.ts'
import { chargesToday, savedCard } from './plan.ts'
import { money } from './summary.ts'

export function pageData(view: FormView, context: PageContext): PageData {
  const { checkout_session: session, business, customer, payment_methods: methods } = view.data
  return {
    phase: view.state === 'checking' || session.payment_in_progress ? 'checking' : 'ready',
    token: view.token,
    sessionId: session.id,
    businessId: business.id,
    apiBaseUrl: view.apiBaseUrl.replace(/\/$/, ''),
    surface: view.surface,
    parentOrigin: view.parent?.origin ?? null,
    locale: view.locale,
    businessName: business.name,
    amount: amountDue(session, surchargeState(view)),
    isVerified: !chargesToday(session),
    savedCard: savedCard(session),
    surcharge: pageSurcharge(view, context),
    currency: session.currency,
    threeDs: view.data.three_ds.enabled,
    brands: methods.card.brands.map((id) => brandById(id)?.id ?? id),
    customerId: customer?.id ?? null,
    walletFrame: view.walletFrame ?? null,
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

/** Returns JSON that cannot end its `<script>` block early, whatever texts it contains. */
export function scriptJson(data: PageData | ClosedPageData): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
