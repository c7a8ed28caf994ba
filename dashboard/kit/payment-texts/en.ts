/** Texts in the rows of lists of payments. */
export const en = {
  succeeded: 'Succeeded',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  voided: 'Voided',
  failed: 'Declined',
  pending: 'Being resolved',
  reversed: 'Reversed',
  not_charged: 'Not charged',
  refundedOf: '{amount} refunded',
}
