import { blockDeclinedCard } from '../../payments/charge-block.ts'
import type { ReversingOwner } from '../../payments/charge-owner.ts'

/**
 * The payer got "not confirmed" and may have paid in another way. The merchant is notified by the session's own events.
 */
export const SESSION_OWNER: ReversingOwner = {
  kind: 'session',
  onRecoveredApproval: 'reverse',
  unconfirmedMessage: 'Do not pay again; check the status of the session.',
  failed: async () => null,
  declined: blockDeclinedCard,
}
