import type { Address } from '../../contract/checkout-form.ts'

/** `POST /api/checkout/{token}/pay`: `amount` is in major units (CHK-40). */
export interface PayRequest {
  payment_method_type: 'new_card' | 'saved_card' | 'google_pay'
  amount: number
  customerId?: string
  /** For `new_card`. `month` has two digits, `year` four. */
  cardData?: {
    cardNumber: string
    month: string
    year: number
    nameOnCard?: string
    cvv: string
    saveCard: boolean
    address: { postalCode?: string; line1?: string }
  }
  /** For `saved_card`. */
  cardId?: string
  consents?: { terms_of_service?: boolean; promotions?: boolean }
  billing_address?: Address
  shipping_address?: Address
}
