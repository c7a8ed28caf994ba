import type { FormPost } from '../../../contract/form-post.ts'
import { plainDigits, readExpiry } from '../../../contract/typed-card.ts'
import type { PayRequest, PostalAddress } from '../pay/pay-request.ts'

// Converts the form fields that the page posts without JavaScript to the JSON pay request.

const SAVED = 'saved:'

/** @param total total of the session in major units, used if the post does not contain the total of the page */
export function payRequestFrom(posted: FormPost, total: number): PayRequest {
  const post = textsOf(posted)
  const shipping = shippingFrom(post)
  const savedCard = post.payment_method?.startsWith(SAVED) && post.payment_method.slice(SAVED.length)
  return {
    amount: post.amount ? Number(post.amount) : total,
    ...(savedCard
      ? { payment_method_type: 'saved_card', cardId: savedCard, cvv: plainDigits(post.saved_cvc ?? '') }
      : { payment_method_type: 'new_card', cardData: cardFrom(post), billing_address: billingFrom(post) }),
    consents: { terms_of_service: post.terms === 'on', promotions: post.promotions === 'on' },
    ...(shipping && { shipping_address: shipping }),
  }
}

/** Returns the payment method that the payer chose. */
export const paymentMethodFrom = (posted: FormPost): string | undefined => textsOf(posted).payment_method

/** Returns the payer as typed; `null` if the page has no fields for one. */
export function customerFrom(posted: FormPost): { name: string; email: string } | null {
  const { email, ccname } = textsOf(posted)
  return email ? { name: ccname || email, email } : null
}

function cardFrom(post: FormPost): NonNullable<PayRequest['cardData']> {
  const { month, year } = expiryFrom(post.exp ?? '')
  return {
    cardNumber: plainDigits(post.cardnumber ?? ''),
    month,
    year,
    cvv: plainDigits(post.cvc ?? ''),
    ...(post.ccname && { nameOnCard: post.ccname }),
    saveCard: post.save_card === 'on',
    address: { ...(post.postal && { postalCode: post.postal }), ...(post.line1 && { line1: post.line1 }) },
  }
}

/** Returns the fields of a post that are texts. Ignores repeated fields and JSON values that are not strings. */
function textsOf(posted: unknown): FormPost {
  const members = typeof posted === 'object' && posted !== null ? Object.entries(posted) : []
  return Object.fromEntries(members.filter(([, value]) => typeof value === 'string'))
}

function expiryFrom(text: string): { month: string; year: number } {
  const expiry = readExpiry(text)
  return expiry ? { month: String(expiry.month), year: expiry.year } : { month: '', year: 0 }
}

function billingFrom(post: FormPost): PostalAddress {
  const state = stateOf(post.country, post.state_us, post.state_ca, post.state)
  return given({
    line1: post.line1,
    line2: post.line2,
    city: post.city,
    state,
    postal_code: post.postal,
    country: post.country,
  })
}

function shippingFrom(post: FormPost): PostalAddress | undefined {
  if (post.same_as_billing === 'on') return billingFrom(post)
  const state = stateOf(post.shipping_country, post.shipping_state_us, post.shipping_state_ca, post.shipping_state)
  const address = given({
    name: post.shipping_name,
    line1: post.shipping_line1,
    line2: post.shipping_line2,
    city: post.shipping_city,
    state,
    postal_code: post.shipping_postal,
    country: post.shipping_country,
  })
  // The country list always posts a value, so a country alone is not an address.
  return Object.keys(address).some((part) => part !== 'country') ? address : undefined
}

/** Returns the state from one of three fields: a list for each of two countries, and a text field for all others. */
function stateOf(country: string | undefined, us?: string, ca?: string, other?: string): string | undefined {
  return country === 'US' ? us : country === 'CA' ? ca : other
}

/** Returns the fields that are not empty: an empty field counts as absent. */
function given(
  address: Record<keyof PostalAddress, string | undefined> | Partial<Record<keyof PostalAddress, string | undefined>>,
): PostalAddress {
  return Object.fromEntries(Object.entries(address).filter(([, text]) => text))
}
