import { type ApprovedPayment, transactionView } from '../../payments/approved-payment.ts'
import { associationOf, maskedCard } from '../../vault/card-brands.ts'
import type { Session, SessionVerification } from './session.ts'

/** Message for payer and merchant about a card that was only verified. */
export const VERIFIED_MESSAGE = 'Card verified, nothing charged today'

/**
 * Returns the `transaction` of a session for API responses: its payment, or the verification of a card whose first bill
 * comes later.
 *
 * @returns `null` if the session is not completed, or only stored a card
 * @see CHK-35, CHK-54
 */
export function sessionTransaction({ verification }: Pick<Session, 'verification'>, payment?: ApprovedPayment | null) {
  if (payment) return transactionView(payment)
  return verification && verificationView(verification)
}

function verificationView({ id, brand, first6, last4, source, first_bill_date }: SessionVerification) {
  return {
    id,
    transactionID: id,
    receipt_id: null,
    receiptID: null,
    code: 'AA',
    response_code: 'AA',
    message: VERIFIED_MESSAGE,
    card: maskedCard(first6, last4),
    association: associationOf(brand),
    details: { association: associationOf(brand), amount: 0, issuer_reference: null, source, first_bill_date },
  }
}
