import type { Address } from '../../contract/checkout-form.ts'

/** Card or wallet with which a payment is made. */
export type PaidWith =
  | { payment_method_type: 'new_card'; cardData: TypedCard }
  | { payment_method_type: 'saved_card'; cardId: string; cvv?: string }
  | {
      payment_method_type: 'google_pay'
      googlePayToken: string
      /** Amount without a surcharge, as the wallet showed it. */
      amount: number
      /** Billing address from the wallet, instead of a typed one. */
      billing_address?: Address
    }

/** `month` has two digits, `year` four. */
export interface TypedCard {
  cardNumber: string
  month: string
  year: number
  nameOnCard?: string
  cvv: string
  saveCard: boolean
  address: { postalCode?: string; line1?: string }
}

/** Body of `POST /api/checkout/{token}/pay`: `amount` is in major units (CHK-40). */
export type PayRequest = PaidWith & {
  amount: number
  customerId?: string
  /** Id of the 3-D Secure authentication that this payment uses. */
  three_ds_id?: string
  consents?: { terms_of_service?: boolean; promotions?: boolean }
  billing_address?: Address
  shipping_address?: Address
}
