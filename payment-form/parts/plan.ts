import type { FormSession } from '../../contract/checkout-form.ts'
import type { FormSubscription } from '../../contract/form-subscription.ts'
import { formatDay, formatMoney } from '../../contract/money-text.ts'
import type { SavedCard } from '../../contract/payment-page.ts'
import { amountDue, type SurchargeState } from '../view/surcharge-state.ts'
import type { PageContext } from './page-context.ts'

/**
 * Whether something is charged today (CHK-19): the first bill is charged with the session, or on the start date. A card
 * that is only stored is not charged.
 */
export function chargesToday({ mode, subscription }: FormSession): boolean {
  return mode !== 'setup' && (subscription === null || subscription.first_charge > 0)
}

/** Returns what happens to a card if only a card is asked for: it replaces the card of a running plan, or is stored. */
export function savedCard({ mode, subscription }: FormSession): SavedCard | null {
  if (mode === 'setup') return 'stored'
  return subscription?.replaces_card ? 'replaced' : null
}

/** Returns what the payer agrees to: "$40 today, then $40 every month from January 1, 2027, until cancelled." */
export function planSentence(session: FormSession, context: PageContext, state: SurchargeState): string {
  const { subscription: plan } = session
  const { say, formats, text } = context
  const saved = savedCard(session)
  if (saved) return say(saved === 'stored' ? text.store_note : text.card_note)
  if (plan === null) return ''
  const total = formatMoney(amountDue(session, state), session.currency, formats)
  const isToday = chargesToday(session)
  const day = isToday ? plan.next_charge_date : plan.first_charge_date
  return say(sentenceOf(plan, isToday, context), {
    total,
    date: formatDay(day ?? plan.first_charge_date, formats),
    until: untilWhen(plan, context),
  })
}

function sentenceOf({ interval, next_charge_date: next }: FormSubscription, isToday: boolean, { text }: PageContext) {
  if (next === null) return isToday ? text.today_once : text.later_once
  return isToday ? text[`today_then_${interval}`] : text[`later_${interval}`]
}

function untilWhen({ installments }: FormSubscription, { text, say }: PageContext): string {
  return installments === null ? text.until_cancelled : say(text.until_paid, { count: installments })
}
