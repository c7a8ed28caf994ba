import { html } from 'ghtml'
import type { FormSession } from '../../contract/checkout-form.ts'
import { formatMoney, formatPercent } from '../../contract/money-text.ts'
import { amountDue, type SurchargeState, surchargeState } from '../view/surcharge-state.ts'
import { type Attributes, attributes, icon } from './markup.ts'
import type { FormView, PageContext } from './page-context.ts'
import { chargesToday, savedCard } from './plan.ts'

/** Renders what is paid and for what: the total, then the items and how they add up. */
export function summary(view: FormView, context: PageContext): string {
  const { text } = context
  const session = view.data.checkout_session
  const state = surchargeState(view)
  const total = money(session, context, amountDue(session, state))
  const isPlan = session.mode !== 'payment'
  const isToday = chargesToday(session)
  return html`<section class="summary" aria-labelledby="page-title">
<h1 id="page-title">${pageTitle(session, context)}</h1>
<p class="total"><span class="total-label">${isPlan ? text.total_due_today : text.total_due}</span>
<strong !${attributes({ 'data-total': isToday })}>${isToday ? total : money(session, context, 0)}</strong> <span class="currency">${session.currency}!${isPlan ? html` <span aria-hidden="true">${text.due_today}</span>` : ''}</span></p>
!${session.subscription?.name ? html`<p class="plan-name">${session.subscription.name}</p>` : ''}!${surchargeLine(session, context, state)}!${session.description ? html`<p class="description">${session.description}</p>` : ''}
!${view.surface === 'rapid' ? '' : details(session, context, { total, state })}
</section>`
}

export function pageTitle(session: FormSession, { text, say }: PageContext): string {
  const saved = savedCard(session)
  if (saved) return say(saved === 'stored' ? text.title_store : text.title_card)
  return say(session.mode === 'subscription' ? text.title_plan : text.title_pay)
}

function details(
  session: FormSession,
  context: PageContext,
  { total, state }: { total: string; state: SurchargeState },
): string {
  const rows = totalRows(session, context, state)
  if (session.line_items.length === 0 && rows === '' && !session.subscription?.name) return ''
  return html`<details class="order"><summary><span>!${icon('sign-down')}${context.text.order_details}</span> <b data-total>${total}</b></summary>
<table>
<thead class="visually-hidden"><tr><th scope="col">${context.text.item}</th><th scope="col">${context.text.amount}</th></tr></thead>
<tbody>!${itemRows(session, context)}</tbody>
<tfoot>!${rows}!${row(session.subscription ? context.text.each_payment : context.text.total, total, { class: 'grand' }, { 'data-total': true })}</tfoot>
</table></details>`
}

function itemRows(session: FormSession, context: PageContext): string {
  if (session.line_items.length === 0 && session.subscription?.name)
    return row(session.subscription.name, money(session, context, session.amount_total))
  return session.line_items
    .map((item) => {
      const quantity = { quantity: item.quantity, amount: money(session, context, item.unit_amount) }
      const times = item.quantity > 1 ? html`<small>${context.say(context.text.quantity_times, quantity)}</small>` : ''
      const picture = item.image ? image(item.image) : ''
      return html`<tr><th scope="row"><span class="item">!${picture}<span>${item.name}!${times}</span></span></th><td>${money(session, context, item.total)}</td></tr>`
    })
    .join('')
}

/** Renders the picture of an item. It repeats the name beside it, so its alternative text is empty. */
function image(src: string): string {
  return html`<img !${attributes({ src, alt: '', width: 40, height: 40, loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer' })}>`
}

/** Renders subtotal, discounts, tax and surcharge; parts that the session does not have are not shown as zero. */
function totalRows(session: FormSession, context: PageContext, state: SurchargeState): string {
  const { text } = context
  const amount = (value: number) => money(session, context, value)
  return [
    session.amount_subtotal === null ? '' : row(text.subtotal, amount(session.amount_subtotal)),
    ...discountRows(session, context),
    session.amount_tax ? row(text.tax, amount(session.amount_tax)) : '',
    ...surchargeRows(session, context, state),
  ].join('')
}

function discountRows(session: FormSession, context: PageContext): string[] {
  const minus = (value: number) => `−${money(session, context, value)}`
  const withAmount = session.discounts.filter((discount) => discount.amount !== null)
  if (withAmount.length > 0 && withAmount.length === session.discounts.length)
    return withAmount.map(({ name, code, amount }) => row(name ?? code ?? context.text.discount, minus(amount ?? 0)))
  if (!session.amount_discount) return []
  const names = session.discounts.map(({ name, code }) => name ?? code).filter((name) => name !== null)
  return [row(names.join(', ') || context.text.discount, minus(session.amount_discount))]
}

/** Renders a row for a credit card and one for a card that is not known yet; the script shows one of them, or none. */
function surchargeRows(session: FormSession, context: PageContext, state: SurchargeState): string[] {
  if (!session.surcharge) return []
  const { label, possible, amount } = surchargeTexts(session.surcharge, session, context)
  const notice = attributes({ class: 'notice', ...shownWhen('unknown', state) })
  return [row(label, amount, shownWhen('yes', state)), html`<tr !${notice}><td colspan="2">${possible}</td></tr>`]
}

/** Renders the surcharge beside the total, because the rows may be collapsed, and the modal has none. */
function surchargeLine(session: FormSession, context: PageContext, state: SurchargeState): string {
  if (!session.surcharge) return ''
  const { label, possible, amount } = surchargeTexts(session.surcharge, session, context)
  return html`<p !${attributes(shownWhen('yes', state))}>${label}: ${amount}</p>
<p !${attributes(shownWhen('unknown', state))}>${possible}</p>`
}

function surchargeTexts({ rate, amount }: Surcharge, session: FormSession, { text, say, formats }: PageContext) {
  const percent = formatPercent(rate, formats)
  return {
    label: say(text.surcharge, { rate: percent }),
    possible: say(text.surcharge_possible, { rate: percent }),
    amount: formatMoney(amount, session.currency, formats),
  }
}

type Surcharge = NonNullable<FormSession['surcharge']>

function shownWhen(wanted: SurchargeState, state: SurchargeState) {
  return { 'data-surcharge': wanted, hidden: state !== wanted }
}

function row(name: string, amount: string, of: Attributes = {}, ofAmount: Attributes = {}): string {
  return html`<tr !${attributes(of)}><th scope="row">${name}</th><td !${attributes(ofAmount)}>${amount}</td></tr>`
}

export function money(session: FormSession, context: PageContext, amount: number): string {
  return formatMoney(amount, session.currency, context.formats)
}
