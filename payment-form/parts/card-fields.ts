import { html } from 'ghtml'
import type { FormPost } from '../../contract/form-post.ts'
import { brandById } from '../fields/card-brands.ts'
import { textField } from './field.ts'
import { icon } from './markup.ts'
import type { FormView, PageContext } from './page-context.ts'

export type FieldErrors = Partial<Record<keyof FormPost, string>>

/** Renders number, expiry, code and the other fields that the payment needs. */
export function cardFields(view: FormView, context: PageContext, errors: FieldErrors): string {
  // Fields that CSS hides while a saved card is chosen must not stop a post without JavaScript.
  const required = view.data.saved_cards.length === 0
  return html`!${numberField(view, context, required, errors.cardnumber)}
<div class="row">!${expiryField(context, required, errors.exp)}!${codeField(context, required, errors.cvc)}</div>
!${asksName(view) ? nameField(context, required, errors.ccname) : ''}
!${asksEmail(view) ? emailField(view, context, required, errors.email) : ''}`
}

/** Whether the page asks for the name: the modal only has the fields that the payment requires. */
function asksName(view: FormView): boolean {
  return view.surface !== 'rapid' || view.data.three_ds.enabled
}

/**
 * Whether the page asks for an e-mail address. With 3-D Secure the bank requires one, which most sessions have; in the
 * modal, which has few fields, a stored telephone number is enough.
 */
function asksEmail({ surface, hasEmail, data: { three_ds: threeDs, customer } }: FormView): boolean {
  const hasContact = hasEmail || customer?.email || (surface === 'rapid' && customer?.phone)
  return threeDs.enabled && !hasContact
}

function numberField(view: FormView, { text, say }: PageContext, required: boolean, error?: string): string {
  const brands = view.data.payment_methods.card.brands.flatMap((id) => brandById(id) ?? [])
  const names = brands.map((brand) => brand.name).join(', ')
  const icons = brands.map((brand) => icon(`brand-${brand.id}`, 'brand')).join('')
  return textField({
    name: 'cardnumber',
    label: text.card_number,
    rule: 'card_number',
    autocomplete: 'cc-number',
    required,
    error,
    aside: names && html`<span class="brands" id="accepted-brands">!${icons}</span>`,
    inside: html`<span class="detected" id="detected-brand"></span>
<span class="visually-hidden" id="cardnumber-hint">${names && say(text.accepted_cards, { brands: names })}</span>`,
    attributes: {
      inputmode: 'numeric',
      autocorrect: 'off',
      spellcheck: 'false',
      dir: 'ltr',
      'aria-describedby': 'cardnumber-hint cardnumber-error',
    },
  })
}

function expiryField({ text }: PageContext, required: boolean, error?: string): string {
  return textField({
    name: 'exp',
    label: text.expiry,
    rule: 'expiry',
    autocomplete: 'cc-exp',
    required,
    error,
    attributes: { inputmode: 'numeric', dir: 'ltr' },
  })
}

function codeField({ text, scriptText }: PageContext, required: boolean, error?: string): string {
  return textField({
    name: 'cvc',
    label: text.security_code,
    rule: 'security_code',
    autocomplete: 'cc-csc',
    required,
    error,
    hint: scriptText.security_code_back,
    attributes: { inputmode: 'numeric', dir: 'ltr', spellcheck: 'false' },
  })
}

function nameField({ text }: PageContext, required: boolean, error?: string): string {
  return textField({
    name: 'ccname',
    label: text.name_on_card,
    rule: 'name_on_card',
    autocomplete: 'cc-name',
    required,
    error,
    attributes: { spellcheck: 'false' },
  })
}

function emailField(view: FormView, { text }: PageContext, required: boolean, error?: string): string {
  return textField({
    name: 'email',
    label: text.email,
    rule: 'email',
    autocomplete: 'email',
    required,
    error,
    ...(view.surface === 'rapid' ? {} : { hint: text.email_hint }),
    attributes: { type: 'email', inputmode: 'email' },
  })
}
