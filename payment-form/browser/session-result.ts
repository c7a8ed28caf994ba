import type { CheckoutResult } from '../../contract/browser-messages.ts'
import type { SessionPayment } from '../../contract/checkout-form.ts'
import type { PageData } from '../view/page-data.ts'

/**
 * Returns the result of an approval. It does not have the ids if the response was lost and only the session shows that
 * it is paid: the merchant's server has them.
 */
export function succeededResult(
  { sessionId, amount, isVerified, currency }: PageData,
  { transaction = '', receipt = '' }: { transaction?: string; receipt?: string },
): CheckoutResult {
  return {
    status: 'succeeded',
    session_id: sessionId,
    transaction_id: transaction,
    receipt_id: receipt,
    amount: isVerified ? 0 : amount,
    currency,
  }
}

/** Returns the result of a session that was paid before, for example in another tab, from the server's data. */
export function paidResult(session_id: string, payment: SessionPayment): CheckoutResult {
  return { status: 'succeeded', session_id, ...payment }
}

/** Returns the result of a session that can no longer be paid. Reads the reason from the panel that the payer sees. */
export function closedResult(session_id: string, isFailed: boolean): CheckoutResult {
  const message = document.querySelector('.closed > p')?.textContent ?? ''
  return { status: 'failed', session_id, message, error_code: isFailed ? 'max_attempts_reached' : 'session_closed' }
}
