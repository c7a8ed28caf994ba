import { blockDeclinedCard } from '../../payments/charge-block.ts'
import type { ReversingOwner } from '../../payments/charge-owner.ts'

/**
 * Owner of the first charge of a subscription, which does not exist before the approval. The merchant got "not
 * confirmed", so an approval found later is reversed, and nothing of the subscription remains.
 *
 * @see SUB-4
 */
export const SUBSCRIPTION_START_OWNER: ReversingOwner = {
  kind: 'subscription_start',
  onRecoveredApproval: 'reverse',
  unconfirmedMessage: 'No subscription was created. If the charge turns out to be approved, it will be reversed.',
  failed: async () => null,
  // The card outlives the create, and its block applies to every charge without the payer (BIL-20).
  declined: blockDeclinedCard,
}
