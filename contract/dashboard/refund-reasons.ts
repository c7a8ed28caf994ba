/** Reasons of refunds, for the audit log and the timeline. */
export const REFUND_REASONS = ['requested', 'duplicate', 'fraud', 'other'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]
