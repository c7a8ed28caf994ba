import type { ReversingOwner } from '../../payments/charge-owner.ts'

/** The payer was told "not confirmed" and may have paid some other way. The session's own events tell the merchant. */
export const SESSION_OWNER: ReversingOwner = {
  kind: 'session',
  onRecoveredApproval: 'reverse',
  unconfirmedMessage: 'Do not pay again; ask for the status of the session.',
  failed: async () => null,
}
