import { CARD_NUMBER_IN_TEXT } from '../../contract/card-number-in-text.ts'
import type { FormPost } from '../../contract/form-post.ts'
import type { SentenceKey } from '../messages/text.ts'

export interface FieldFault {
  field: keyof FormPost
  text: SentenceKey
}

const ADDRESS: [end: string, field: string, text: SentenceKey][] = [
  ['name', 'name', 'recipient_required'],
  ['country', 'country', 'country_required'],
  ['postal_code', 'postal', 'postal_code_invalid'],
  ['postalCode', 'postal', 'postal_code_invalid'],
  ['line1', 'line1', 'line1_required'],
  ['line2', 'line2', 'card_number_elsewhere'],
  ['city', 'city', 'city_required'],
  // The country decides which one of the three is visible.
  ['state', 'state', 'region_required'],
  ['state', 'state_us', 'region_required'],
  ['state', 'state_ca', 'region_required'],
]

const FAULTS: [name: string, FieldFault][] = [
  ['cardData.cardNumber', { field: 'cardnumber', text: 'card_number_invalid' }],
  ['cardData.month', { field: 'exp', text: 'expiry_invalid' }],
  ['cardData.year', { field: 'exp', text: 'expiry_invalid' }],
  ['cardData.cvv', { field: 'cvc', text: 'security_code_required' }],
  ['cvv', { field: 'saved_cvc', text: 'security_code_required' }],
  ['cardData.nameOnCard', { field: 'ccname', text: 'name_on_card_invalid' }],
  ['consents.terms_of_service', { field: 'terms', text: 'terms_required' }],
  ['email', { field: 'email', text: 'email_invalid' }],
  ...['cardData.address.', 'billing_address.'].flatMap((start) => addressFaults(start, '')),
  ...addressFaults('shipping_address.', 'shipping_'),
]

function addressFaults(start: string, prefix: string): [string, FieldFault][] {
  return ADDRESS.map(([end, field, text]) => [start + end, { field: `${prefix}${field}` as keyof FormPost, text }])
}

/** Returns the page's fields that a 422 names. Names of other fields are left out. */
export function faultsOf(errors: Record<string, string[]>): FieldFault[] {
  return Object.entries(errors).flatMap(([name, texts]) => {
    const faults = FAULTS.filter(([known]) => known === name).map(([, fault]) => fault)
    if (!texts.includes(CARD_NUMBER_IN_TEXT)) return faults
    return faults.map((fault) => ({ ...fault, text: 'card_number_elsewhere' as const }))
  })
}
