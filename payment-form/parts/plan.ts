import type { FormSession } from '../../contract/checkout-form.ts'
import type { FormSubscription } from '../../contract/form-subscription.ts'
import { formatDay, formatMoney } from '../../contract/money-text.ts'
import { amountDue, type SurchargeState } from '../view/surcharge-state.ts'
import type { PageContext } from './page-context.ts'

/** CHK-19: the first bill is charged with the session, or on the start date. */
export function chargesToday({ subscription }: FormSession): boolean {
  return subscription === null || subscription.first_charge > 0
}

/** The customer of a running plan enters another card. */
export function replacesCard({ subscription }: FormSession): boolean {
  return subscription?.replaces_card === true
}

/** What the payer agrees to: "$40 today, then $40 every month from January 1, 2027, until cancelled." */
export function planSentence(session: FormSession, context: PageContext, state: SurchargeState): string {
  const { subscription: plan } = session
  if (plan === null) return ''
  const { say, formats } = context
  if (replacesCard(session)) return say(context.text.card_note)
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
