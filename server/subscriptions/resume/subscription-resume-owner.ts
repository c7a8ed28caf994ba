import type { ReversingOwner } from '../../payments/charge-owner.ts'

/**
 * The charge that ends a pause; its id is that of the pause. The merchant got 402, so an approval found later is reversed,
 * and the subscription stays paused as it was.
 *
 * @see SUB-33
 */
export const SUBSCRIPTION_RESUME_OWNER: ReversingOwner = {
  kind: 'subscription_resume',
  onRecoveredApproval: 'reverse',
  unconfirmedMessage: 'The subscription stays paused. If the charge turns out to be approved, it will be reversed.',
  failed: async () => null,
}
