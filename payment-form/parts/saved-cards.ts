import { html } from 'ghtml'
import type { FormSavedCard } from '../../contract/checkout-form.ts'
import { brandById } from '../fields/card-brands.ts'
import { chosenAtFirst, offeredCards } from '../view/surcharge-state.ts'
import type { FieldErrors } from './card-fields.ts'
import { textField } from './field.ts'
import { attributes, icon } from './markup.ts'
import type { FormView, PageContext } from './page-context.ts'

/**
 * Renders a radio button for each saved card and one for a new card, and the security code if the business asks for it.
 */
export function savedCards(view: FormView, context: PageContext, errors: FieldErrors): string {
  const cards = offeredCards(view)
  if (cards.length === 0) return ''
  const chosen = chosenAtFirst(view)
  const asksCode = view.data.payment_methods.saved_card.cvv_required
  const radios = cards.map((card) => savedCard(card, context, card.id === chosen?.id)).join('')
  return html`<fieldset class="group saved"><legend>${context.text.pay_with}</legend>
!${radios}<label class="choice"><input !${attributes({ type: 'radio', name: 'payment_method', value: 'new_card', id: 'new_card', checked: !chosen })}><span>${context.text.new_card}</span></label>
</fieldset>
<div !${attributes({ id: 'saved-code', hidden: !asksCode })}>!${codeField(context, errors.saved_cvc)}</div>`
}

/**
 * Renders the field for the security code of the chosen card. It is also on pages that do not ask for it, in case the
 * business begins to. `required` would stop a post without JavaScript while a new card hides the field.
 */
function codeField({ text, scriptText }: PageContext, error?: string): string {
  return textField({
    name: 'saved_cvc',
    label: text.security_code,
    rule: 'security_code',
    autocomplete: 'cc-csc',
    required: false,
    error,
    hint: [
      { text: scriptText.security_code_back, class: 'code-back' },
      { text: scriptText.security_code_front, class: 'code-front' },
    ],
    attributes: { inputmode: 'numeric', dir: 'ltr', spellcheck: 'false' },
  })
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
    'data-code': brand?.codeLength ?? 3,
    checked,
    disabled: card.expired,
  })
  return html`<label class="choice"><input !${radio}>!${icon(`brand-${brand?.id ?? 'unknown'}`, 'brand')}<span>${name}</span></label>`
}
