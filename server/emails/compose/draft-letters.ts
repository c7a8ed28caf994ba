import type { NotificationType } from '../../events/notification.ts'
import type { DraftLetters, FactContext, LetterDraft } from './letter-draft.ts'
import { draftCardRequest, draftContractLink, draftEndpointDisabled, draftRefund } from './other-drafts.ts'
import { draftPaymentFailed, draftPaymentSucceeded, draftRetriesExhausted } from './payment-drafts.ts'
import { draftAccountChanged, draftFactorsReset, draftInvitation, draftPasswordReset } from './person-drafts.ts'
import {
  draftCardExpiring,
  draftCardLink,
  draftSubscriptionCreated,
  draftUnpaidPeriod,
  draftUpcomingRenewal,
} from './subscription-drafts.ts'

/** Functions that draft letters, by type of notification. */
export const DRAFTS: Partial<Record<NotificationType, DraftLetters>> = {
  'subscription.created': draftSubscriptionCreated,
  'subscription.activated': draftSubscriptionCreated,
  'subscription.updated': draftUnpaidPeriod,
  'payment.succeeded': draftPaymentSucceeded,
  'payment.failed': draftPaymentFailed,
  'payment.retries_exhausted': draftRetriesExhausted,
  'payment.refunded': draftRefund,
  'payment.partially_refunded': draftRefund,
  'webhook_endpoint.disabled': draftEndpointDisabled,
  'card.expiring': draftCardExpiring,
  'subscription.upcoming_renewal': draftUpcomingRenewal,
  'subscription.card_link': draftCardLink,
  'customer.card_request': draftCardRequest,
  'contract.link': draftContractLink,
  'person.password_reset': draftPasswordReset,
  'person.invited': draftInvitation,
  'person.factors_reset': draftFactorsReset,
  'person.account_changed': draftAccountChanged,
}

/** Drafts the letters of a notification. Returns `[]` for types without letters. */
export async function draftLetters(context: FactContext): Promise<LetterDraft[]> {
  return (await DRAFTS[context.notification.type]?.(context)) ?? []
}
