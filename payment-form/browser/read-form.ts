import type { Address } from '../../contract/checkout-form.ts'
import { plainDigits, readExpiry } from '../../contract/typed-card.ts'
import { formatPostalCode } from '../fields/other-fields.ts'
import type { PaidWith, PayRequest, TypedCard } from '../view/pay-request.ts'
import { fieldNamed, isTicked, type Page, typed } from './page.ts'

/** The request for a payment with this, and what else the checked form has. */
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

/** The card of the checked form, which exists only here and in its fields: a caller keeps it while it submits. */
export function paidByCard(page: Page): PaidWith {
  const cardId = chosenCard(page)
  return cardId
    ? { payment_method_type: 'saved_card', cardId, ...given({ cvv: plainDigits(typed(page, 'saved_cvc')) }) }
    : { payment_method_type: 'new_card', cardData: card(page) }
}

/** The id of the saved card that is chosen, or `null` for a new one. */
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

/** As the pay request has it. */
export const billingAddress = (page: Page) => address(page, '')

/** As the pay request has it. */
export function shippingAddress(page: Page, billing = billingAddress(page)): Address | null {
  return isTicked(page, 'same_as_billing') ? billing : address(page, 'shipping_')
}

/** What is filled in; `null` when the session asks for no such address or the payer gave none. */
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

/** An empty field counts as not given. */
function given<Texts extends Record<string, string>>(texts: Texts): Partial<Texts> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as Partial<Texts>
}
