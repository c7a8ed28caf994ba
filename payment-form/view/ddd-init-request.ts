import type { PaidWith, TypedCard } from './pay-request.ts'

/** `POST /api/{business_id}/ddd/init`: what is paid with, but never the security code (TDS-2). */
export type DddInitRequest = { session_token: string; amount: number } & (
  | Exclude<PaidWith, { cardData: TypedCard }>
  | { payment_method_type: 'new_card'; cardData: Pick<TypedCard, 'cardNumber' | 'month' | 'year' | 'nameOnCard'> }
)
