import { html } from 'ghtml'
import type { FormSavedCard } from '../../contract/checkout-form.ts'
import { brandById } from '../fields/card-brands.ts'
import { chosenAtFirst, offeredCards } from '../view/surcharge-state.ts'
import { attributes, icon } from './markup.ts'
import type { FormView, PageContext } from './page-context.ts'

/** One radio button for each saved card and one for a new card. */
export function savedCards(view: FormView, context: PageContext): string {
  const cards = offeredCards(view)
  if (cards.length === 0) return ''
  const chosen = chosenAtFirst(view)
  const radios = cards.map((card) => savedCard(card, context, card.id === chosen?.id)).join('')
  return html`<fieldset class="group saved"><legend>${context.text.pay_with}</legend>
!${radios}<label class="choice"><input !${attributes({ type: 'radio', name: 'payment_method', value: 'new_card', id: 'new_card', checked: !chosen })}><span>${context.text.new_card}</span></label>
</fieldset>`
}

function savedCard(card: FormSavedCard, { text, say }: PageContext, checked: boolean): string {
  const brand = brandById(card.brand)
  const expiry = `${String(card.exp_month).padStart(2, '0')}/${String(card.exp_year % 100).padStart(2, '0')}`
  const name = say(card.expired ? text.saved_card_expired : text.saved_card, {
    brand: brand?.name ?? card.brand,
    last4: card.last4,
    expiry,
  })
  const radio = attributes({
    type: 'radio',
    name: 'payment_method',
    value: `saved:${card.id}`,
    checked,
    disabled: card.expired,
  })
  return html`<label class="choice"><input !${radio}>!${icon(`brand-${brand?.id ?? 'unknown'}`, 'brand')}<span>${name}</span></label>`
}
