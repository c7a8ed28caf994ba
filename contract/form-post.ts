// Fields that the payment page posts without JavaScript: `application/x-www-form-urlencoded` to its own URL. With
// JavaScript the same fields become the JSON of the pay request, so both ways have the same effect.

/** Field names are those that browsers use for autofill. An unchecked checkbox is absent. */
export interface FormPost {
  /** `new_card` or `saved:<card id>`; absent if the page has no saved cards, which means `new_card`. */
  payment_method?: string
  /** The total that the page showed, in major units: `26.11`. If it has changed, the payer must press Pay again. */
  amount?: string
  /** As typed, with spaces: `4242 4242 4242 4242`. Never stored, never logged, never sent back to the page. */
  cardnumber?: string
  /** Expiry as typed, in any form that `readExpiry` reads (contract/typed-card.ts). */
  exp?: string
  cvc?: string
  /** Security code of the chosen saved card, if the business asks for it; treated like `cardnumber`. */
  saved_cvc?: string
  ccname?: string
  email?: string
  save_card?: 'on'
  country?: string
  postal?: string
  line1?: string
  line2?: string
  city?: string
  /** `country` decides which of the three states is read: US, CA, or any other. */
  state_us?: string
  state_ca?: string
  state?: string
  same_as_billing?: 'on'
  shipping_name?: string
  shipping_country?: string
  shipping_postal?: string
  shipping_line1?: string
  shipping_line2?: string
  shipping_city?: string
  shipping_state_us?: string
  shipping_state_ca?: string
  shipping_state?: string
  terms?: 'on'
  /** On the page of a contract: the name that signs it, and the checkbox. */
  contract_name?: string
  contract_agreed?: 'on'
  promotions?: 'on'
}
