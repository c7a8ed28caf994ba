// What the payment page posts without JavaScript: `application/x-www-form-urlencoded` to its own URL. With JavaScript
// the same fields become the JSON of the pay request, so both ways mean the same.

/** Field names are those that browsers use for autofill. An unchecked box is absent. */
export interface FormPost {
  /** `new_card` or `saved:<card id>`; absent, which means `new_card`, when the page has no saved cards. */
  payment_method?: string
  /** The total that the page showed, in major units: `26.11`. If it has changed, the payer must press Pay again. */
  amount?: string
  /** As typed, with spaces: `4242 4242 4242 4242`. Never stored, never logged, never sent back to the page. */
  cardnumber?: string
  /** As typed: everything that `readExpiry` reads (contract/typed-card.ts). */
  exp?: string
  cvc?: string
  /** Of the saved card that is chosen, where the business asks for it; treated like `cardnumber`. */
  saved_cvc?: string
  ccname?: string
  email?: string
  save_card?: 'on'
  country?: string
  postal?: string
  line1?: string
  line2?: string
  city?: string
  /** `country` decides which of the three is read: US, CA, any other. */
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
  /** Of the page of a contract: the name that signs it, and the box. */
  contract_name?: string
  contract_agreed?: 'on'
  promotions?: 'on'
}
