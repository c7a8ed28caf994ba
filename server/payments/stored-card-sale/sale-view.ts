import { decimalFromCents } from '../../lib/money.ts'
import type { Operation } from '../operation.ts'

/** Returns the object of saved-card sale events. Amounts are in major units. */
export function saleView(
  { amount, currency, storedCard }: Operation,
  outcome: {
    /** The response's `recordID`. */
    id: string
    status: 'Approved' | 'Declined' | 'Failed'
    code: string | null
    message: string
    receiptId: string | null
  },
) {
  const { id, status, code, message, receiptId } = outcome
  return {
    id,
    status,
    amount: decimalFromCents(amount),
    currency,
    customer_id: storedCard?.customerId ?? null,
    card_id: storedCard?.id ?? null,
    code,
    message,
    receipt_id: receiptId,
  }
}
