import type { Address } from '../../contract/checkout-form.ts'
import type { PaidWith, TypedCard } from './pay-request.ts'

/**
 * Body of `POST /api/{business_id}/ddd/init`: card and addresses, but never the security code (TDS-2). A surcharge
 * depends on the addresses.
 */
export type DddInitRequest = {
  session_token: string
  amount: number
  billing_address?: Address
  shipping_address?: Address
} & (
  | Extract<PaidWith, { googlePayToken: string }>
  | { payment_method_type: 'saved_card'; cardId: string }
  | { payment_method_type: 'new_card'; cardData: Omit<TypedCard, 'cvv' | 'saveCard'> }
)
