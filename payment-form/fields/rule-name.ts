/** What the script checks a field with; the rules are in payment-form/browser/field-rules.ts. */
export type RuleName =
  | 'card_number'
  | 'expiry'
  | 'security_code'
  | 'name_on_card'
  | 'email'
  | 'country'
  | 'postal_code'
  | 'line1'
  | 'city'
  | 'region'
  | 'recipient'
  | 'terms'
