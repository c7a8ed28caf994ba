import type { DddInitRequest } from '../view/ddd-init-request.ts'
import type { PayRequest } from '../view/pay-request.ts'
import { browserData } from './browser-data.ts'
import type { Page } from './page.ts'

/** Returns the init request, which never contains the security code. */
export function initRequest({ data }: Page, payment: PayRequest): DddInitRequest {
  const { amount, billing_address, shipping_address } = payment
  const common = {
    session_token: data.token,
    amount,
    ...(billing_address && { billing_address }),
    ...(shipping_address && { shipping_address }),
  }
  switch (payment.payment_method_type) {
    case 'saved_card':
      return { ...common, payment_method_type: 'saved_card', cardId: payment.cardId }
    case 'google_pay':
      return { ...common, payment_method_type: 'google_pay', googlePayToken: payment.googlePayToken }
    case 'new_card': {
      const { cvv: _cvv, saveCard: _saveCard, ...cardData } = payment.cardData
      return { ...common, payment_method_type: 'new_card', cardData }
    }
  }
}

/** Returns the fields that the first and all later requests have in common. */
export function authenticateRequest(page: Page, payment: PayRequest, email: string) {
  return {
    session_token: page.data.token,
    browser: browserData(page),
    ...(email && { contact: { email } }),
    ...(payment.billing_address && { billing: payment.billing_address }),
    ...(payment.shipping_address && { shipping: payment.shipping_address }),
  }
}
