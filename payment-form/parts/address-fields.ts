import { html } from 'ghtml'
import type { ComparedAddress } from '../../contract/card-checks.ts'
import type { FormPost } from '../../contract/form-post.ts'
import type { RuleName } from '../fields/rule-name.ts'
import type { FieldErrors } from './card-fields.ts'
import { type Field, selectField, textField } from './field.ts'
import type { FormView, PageContext } from './page-context.ts'
import { countryOptions, regionOptions } from './regions.ts'

type AddressKind = 'billing' | 'shipping'

interface AddressForm {
  kind: AddressKind
  context: PageContext
  required: boolean
  errors: FieldErrors
}

function asksFullBilling(view: FormView): boolean {
  return view.data.checkout_session.billing_address_collection === 'required'
}

/**
 * Whether the page has a billing address. The modal has address fields only if the session requires them, a surcharge
 * depends on them, or the issuer compares them.
 */
function asksBilling(view: FormView): boolean {
  const { billing_address_collection: collection, surcharge } = view.data.checkout_session
  return view.surface !== 'rapid' || collection !== null || surcharge !== null || comparedIn(view) !== 'none'
}

const comparedIn = ({ data }: FormView): ComparedAddress => data.payment_methods.card.compared_address

/** Whether the page has the street of the billing address. */
export const asksStreet = (view: FormView): boolean => asksFullBilling(view) || comparedIn(view) === 'street'

export function billingFields(view: FormView, context: PageContext, errors: FieldErrors): string {
  if (!asksBilling(view)) return ''
  const form: AddressForm = { kind: 'billing', context, required: view.data.saved_cards.length === 0, errors }
  const country = context.business?.country ?? 'US'
  if (!asksFullBilling(view)) {
    const street = streetBefore(view, form)
    const place = html`<div class="row">!${countryField(form, country)}!${postalField(form, country)}</div>`
    return html`<div class="address">!${street}!${place}</div>`
  }
  return html`<fieldset class="group address"><legend>${context.text.billing_address}</legend>
!${fullAddress(form, country)}</fieldset>`
}

export function shippingFields(view: FormView, context: PageContext, errors: FieldErrors): string {
  const collection = view.data.checkout_session.shipping_address_collection
  if (collection === null) return ''
  const { text } = context
  const form: AddressForm = { kind: 'shipping', context, required: false, errors }
  const sameBox = asksFullBilling(view)
    ? html`<label class="check"><input type="checkbox" name="same_as_billing" id="same_as_billing" value="on" checked><span>${text.same_as_billing}</span></label>`
    : ''
  return html`<fieldset class="group shipping" data-collection="${collection}">
<legend>${collection === 'auto' ? text.shipping_optional : text.shipping_address}</legend>
!${sameBox}<div class="address shipping-fields">!${recipientField(form)}!${fullAddress(form, context.business?.country ?? 'US')}</div>
</fieldset>`
}

function fullAddress(form: AddressForm, country: string): string {
  const { text } = form.context
  return html`!${countryField(form, country)}
!${streetField(form, text.line1)}
!${textField({ ...field(form, 'line2', text.line2, 'address-line2', 'line2'), required: false })}
!${textField({ ...field(form, 'city', text.city, 'address-level2', 'city'), required: false })}
<div class="row">!${regionFields(form)}!${postalField(form, country)}</div>`
}

/** Renders three fields; CSS shows one of them by the chosen country, so that it works without JavaScript too. */
function regionFields(form: AddressForm): string {
  const { text, locale } = form.context
  const region = (name: string, label: string): Field => ({
    ...field(form, name, label, 'address-level1', 'region'),
    required: false,
  })
  return html`<div class="region-us">!${selectField(region('state_us', text.state), regionOptions('US', locale, text.choose))}</div>
<div class="region-ca">!${selectField(region('state_ca', text.province), regionOptions('CA', locale, text.choose))}</div>
<div class="region-other">!${textField(region('state', text.region))}</div>`
}

function streetField(form: AddressForm, label: string): string {
  return textField(field(form, 'line1', label, 'address-line1', 'line1'))
}

function recipientField(form: AddressForm): string {
  return textField(field(form, 'name', form.context.text.recipient, 'name', 'recipient'))
}

function countryField(form: AddressForm, country: string): string {
  const select = field(form, 'country', form.context.text.country, 'country', 'country')
  return selectField(select, countryOptions(form.context.locale, country))
}

/**
 * Renders the street that the issuer compares; if a country does not have postal codes, the script shows it in their
 * place.
 */
function streetBefore(view: FormView, form: AddressForm): string {
  const label = form.context.text.billing_address
  if (asksStreet(view)) return streetField(form, label)
  if (comparedIn(view) === 'none') return ''
  return html`<div class="street-instead" hidden>!${streetField({ ...form, required: false }, label)}</div>`
}

/**
 * Renders the postal code. Neither it nor the city is required before the script knows the country: not every country
 * has them.
 */
function postalField(form: AddressForm, country: string): string {
  const { scriptText } = form.context
  const label = country === 'US' ? scriptText.zip_code : scriptText.postal_code
  const postal = field(form, 'postal', label, 'postal-code', 'postal_code')
  return textField({
    ...postal,
    required: false,
    attributes: { ...postal.attributes, inputmode: country === 'US' ? 'numeric' : null },
  })
}

function field(form: AddressForm, part: string, label: string, autocomplete: string, rule: RuleName): Field {
  const name = (form.kind === 'shipping' ? `shipping_${part}` : part) as keyof FormPost
  return {
    name,
    label,
    rule,
    autocomplete: `${form.kind} ${autocomplete}`,
    required: form.required,
    error: form.errors[name],
    attributes: { 'data-address': form.kind },
  }
}
