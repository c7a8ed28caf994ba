import type { FormSavedCard, FormSession } from '../../contract/checkout-form.ts'
import type { PaymentPageView } from '../../contract/payment-page.ts'
import { brandById } from '../fields/card-brands.ts'

type FormView = Extract<PaymentPageView, { state: 'open' | 'checking' }>

/** Whether the surcharge applies to the card that is chosen now. */
export type SurchargeState = 'yes' | 'no' | 'unknown'

/** Returns the saved cards whose brand the business still accepts, with the usable ones first. */
export function offeredCards(view: FormView): FormSavedCard[] {
  const { card, saved_card: saved } = view.data.payment_methods
  const accepted = card.brands.map((id) => brandById(id)?.id ?? id)
  return view.data.saved_cards
    .filter(({ brand }) => saved.enabled && (accepted.length === 0 || accepted.includes(brandById(brand)?.id ?? brand)))
    .sort((a, b) => Number(a.expired) - Number(b.expired))
}

/**
 * Returns the card that is chosen when the page opens, after a refused post the posted one; `undefined` for a new card.
 */
export function chosenAtFirst(view: FormView): FormSavedCard | undefined {
  const posted = view.state === 'open' ? view.refusal?.paymentMethod : undefined
  if (posted === 'new_card') return undefined
  const cards = offeredCards(view).filter((card) => !card.expired)
  return cards.find(({ id }) => posted === `saved:${id}`) ?? cards[0]
}

/** Returns the state of the surcharge when the page opens. */
export function surchargeState(view: FormView): SurchargeState {
  const { surcharge } = view.data.checkout_session
  if (surcharge === null) return 'no'
  const applies = surcharge.applies ?? chosenAtFirst(view)?.surcharge_applies ?? null
  return applies === null ? 'unknown' : applies ? 'yes' : 'no'
}

/** Returns the total in major units, with the surcharge if it applies. */
export function amountDue(session: FormSession, state: SurchargeState): number {
  const surcharge = state === 'yes' ? (session.surcharge?.amount ?? 0) : 0
  return Math.round((session.amount_total + surcharge) * 100) / 100
}
