import type { Address } from '../../contract/checkout-form.ts'

/** What a payment is paid with. */
export type PaidWith =
  | { payment_method_type: 'new_card'; cardData: TypedCard }
  | { payment_method_type: 'saved_card'; cardId: string; cvv?: string }
  | {
      payment_method_type: 'google_pay'
      googlePayToken: string
      /** Without a surcharge, as the wallet showed it. */
      amount: number
      /** Of the wallet, instead of what is typed. */
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

/** `POST /api/checkout/{token}/pay`: `amount` is in major units (CHK-40). */
export type PayRequest = PaidWith & {
  amount: number
  customerId?: string
  /** The authentication of 3-D Secure that this payment uses. */
  three_ds_id?: string
  consents?: { terms_of_service?: boolean; promotions?: boolean }
  billing_address?: Address
  shipping_address?: Address
}
