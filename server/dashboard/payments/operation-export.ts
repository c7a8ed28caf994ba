import type { OPERATION_COLUMNS } from '../../../contract/dashboard/export-columns.ts'
import type { CsvCell } from '../export/csv.ts'
import { blockedBy } from './open-operation.ts'
import type { StoredOpenOperation } from './open-operations-queries.ts'
import { kindOf } from './payment-filter.ts'

/** Cells of an exported operation without an outcome, by column. */
export const OPERATION_CELLS: Record<(typeof OPERATION_COLUMNS)[number], (open: StoredOpenOperation) => CsvCell> = {
  id: ({ id }) => id,
  sent: ({ sentAt }) => sentAt,
  kind: ({ kind }) => kind,
  state: ({ state }) => state,
  amount: ({ amount }) => ({ cents: amount }),
  currency: ({ currency }) => currency,
  payment: ({ paymentId, saleId }) => paymentId ?? saleId,
  payment_kind: ({ ownerKind }) => kindOf(ownerKind),
  blocked_session: (open) => blockedBy(open).session,
  blocked_subscription: (open) => blockedBy(open).subscription,
  blocked_payment_method: (open) => blockedBy(open).payment_method,
  customer: ({ customerId }) => customerId,
  customer_name: ({ customerName }) => customerName,
  customer_email: ({ customerEmail }) => customerEmail,
  card_brand: ({ cardBrand }) => cardBrand,
  card_last4: ({ cardLast4 }) => cardLast4,
  inquiries: ({ inquiries }) => inquiries,
  last_inquiry: ({ lastInquiryAt }) => lastInquiryAt,
  next_inquiry: ({ nextInquiryAt }) => nextInquiryAt,
  not_found_since: ({ notFoundSince }) => notFoundSince,
  needs_attention: ({ needsAttention }) => needsAttention,
}
