import type { Address } from '../../contract/checkout-form.ts'
import { plainDigits, readExpiry } from '../../contract/typed-card.ts'
import { formatPostalCode } from '../fields/other-fields.ts'
import type { PaidWith, PayRequest, TypedCard } from '../view/pay-request.ts'
import { fieldNamed, isTicked, type Page, typed } from './page.ts'

/** Returns the request for a payment with this card or wallet, and the other fields of the checked form. */
export function payRequest(page: Page, paidWith: PaidWith, customerId: string | null): PayRequest {
  const billing = ('billing_address' in paidWith && paidWith.billing_address) || billingAddress(page)
  const shipping = shippingAddress(page, billing)
  return {
    amount: page.data.amount,
    ...paidWith,
    ...(customerId ? { customerId } : {}),
    consents: consents(page),
    ...(billing ? { billing_address: billing } : {}),
    ...(shipping ? { shipping_address: shipping } : {}),
  }
}

/** Returns the card of the checked form. It exists only here and in its fields: a caller holds it while it submits. */
export function paidByCard(page: Page): PaidWith {
  const cardId = chosenCard(page)
  return cardId
    ? { payment_method_type: 'saved_card', cardId, ...given({ cvv: plainDigits(typed(page, 'saved_cvc')) }) }
    : { payment_method_type: 'new_card', cardData: card(page) }
}

/** Returns the id of the chosen saved card, or `null` for a new card. */
export function chosenCard(page: Page): string | null {
  const choice = new FormData(page.form).get('payment_method')
  return typeof choice === 'string' && choice.startsWith('saved:') ? choice.slice('saved:'.length) : null
}

function card(page: Page): TypedCard {
  const expiry = readExpiry(typed(page, 'exp'))
  return {
    cardNumber: plainDigits(typed(page, 'cardnumber')),
    month: String(expiry?.month ?? '').padStart(2, '0'),
    year: expiry?.year ?? 0,
    ...given({ nameOnCard: typed(page, 'ccname') }),
    cvv: plainDigits(typed(page, 'cvc')),
    saveCard: isTicked(page, 'save_card'),
    address: given({
      postalCode: formatPostalCode(typed(page, 'postal'), typed(page, 'country')),
      line1: typed(page, 'line1'),
    }),
  }
}

function consents(page: Page): NonNullable<PayRequest['consents']> {
  return {
    ...(fieldNamed(page, 'terms') ? { terms_of_service: isTicked(page, 'terms') } : {}),
    ...(fieldNamed(page, 'promotions') ? { promotions: isTicked(page, 'promotions') } : {}),
  }
}

/** Returns the billing address for the pay request. */
export const billingAddress = (page: Page) => address(page, '')

/** Returns the shipping address for the pay request. */
export function shippingAddress(page: Page, billing = billingAddress(page)): Address | null {
  return isTicked(page, 'same_as_billing') ? billing : address(page, 'shipping_')
}

/** Returns the filled-in parts; `null` if the session does not ask for such an address or the payer entered none. */
function address(page: Page, prefix: '' | 'shipping_'): Address | null {
  const country = typed(page, `${prefix}country`)
  const value = (name: string) => typed(page, prefix + name)
  const state = value('state_us') || value('state_ca') || value('state')
  const filled = given({
    name: prefix ? value('name') : '',
    line1: value('line1'),
    line2: value('line2'),
    city: value('city'),
    state,
    postal_code: formatPostalCode(value('postal'), country),
  })
  return Object.keys(filled).length === 0 ? null : { ...filled, country }
}

/** Returns the texts that are not empty. */
function given<Texts extends Record<string, string>>(texts: Texts): Partial<Texts> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as Partial<Texts>
}
