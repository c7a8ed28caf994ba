import { html } from 'ghtml'
import type { RenderPaymentPage } from '../contract/payment-page.ts'
import { brandById } from './fields/card-brands.ts'
import { closedPage, closedTemplates, closedTitle } from './parts/closed-states.ts'
import { page } from './parts/document.ts'
import { sprite } from './parts/icons.ts'
import { type ClosedView, type FormView, pageContext } from './parts/page-context.ts'
import { pageData, scriptJson } from './parts/page-data-block.ts'
import { paymentSection } from './parts/payment-section.ts'
import { pageTitle, summary } from './parts/summary.ts'
import { closedPageData } from './view/closed-page-data.ts'

const APPROVED_SECONDS = 2
const CHECK_AGAIN_SECONDS = 5

/**
 * Renders the page that takes the card, in any of its states, as one HTML document.
 *
 * A pure function: the same view gives the same text. All texts of the payer and the merchant are escaped here;
 * URLs must have been checked to be `https:` (or the shop's own origin) when they were stored.
 *
 * @see PAG-1 to PAG-5
 */
export const renderPaymentPage: RenderPaymentPage = (view) =>
  view.state === 'open' || view.state === 'checking' ? formPage(view) : statePage(view)

function formPage(view: FormView): string {
  const context = pageContext(view)
  const data = pageData(view, context)
  const main = html`<div class="columns" id="columns" data-phase="${data.phase}">!${summary(view, context)}!${paymentSection(view, context)}</div>`
  return page(view, context, {
    title: pageTitle(view.data.checkout_session, context),
    main,
    sprite: sprite(brandsOf(view)),
    afterMain: html`!${closedTemplates(view, context)}<script type="application/json" id="page-data">!${scriptJson(data)}</script>`,
    refresh: data.phase === 'checking' ? { seconds: CHECK_AGAIN_SECONDS, url: '' } : null,
  })
}

function statePage(view: ClosedView): string {
  const context = pageContext(view)
  const returnUrl = view.state === 'approved' ? view.returnUrl : null
  const data = view.script && closedPageData(view)
  return page(view, context, {
    title: closedTitle(view, context),
    main: closedPage(view, context),
    sprite: sprite([]),
    afterMain: data ? html`<script type="application/json" id="closed-data">!${scriptJson(data)}</script>` : '',
    refresh: returnUrl ? { seconds: APPROVED_SECONDS, url: returnUrl } : null,
  })
}

/**
 * Returns the brands whose pictures this page may need: accepted ones and those of saved cards; all if all are
 * accepted.
 */
function brandsOf(view: FormView): string[] {
  const all = [...view.data.payment_methods.card.brands, ...view.data.saved_cards.map((card) => card.brand)]
  return all.flatMap((id) => brandById(id)?.id ?? [])
}
