import type { Subscription } from '../../../contract/subscription.ts'
import type { NotificationData } from '../../events/notification.ts'
import { LETTER_LINK } from '../letter-link.ts'
import {
  cardExpiring,
  cardLink,
  subscriptionCreated,
  subscriptionLink,
  upcomingRenewal,
} from '../templates/subscription-letters.ts'
import { laterInvoice, paymentInvoice } from './draft-invoice.ts'
import type { DraftInvoice, FactContext, LetterDraft } from './letter-draft.ts'
import { found, type LetterCard, type LetterSubscription } from './letter-sources.ts'

/** @see LTR-1, LTR-2 */
export async function draftSubscriptionCreated(context: FactContext): Promise<LetterDraft[]> {
  const { sources, notification } = context
  const object = notification.event?.data.object as Subscription
  const subscription = found(await sources.subscription(object.id), 'the subscription')
  if (object.status === 'pending_payment_method') return subscription.sendsPaymentLink ? linkDrafts(subscription) : []
  const isCharged = object.latest_payment !== null
  // A customer who has paid on the payment page gets the letter about the payment.
  if (!subscription.hasMerchantCard && isCharged) return []
  const card = object.payment_method === null ? null : await sources.card(object.payment_method)
  const invoice = subscription.hasMerchantCard && card ? await invoiceOf(context, object, subscription, card) : null
  return [
    {
      kind: 'subscription_created',
      customerId: subscription.customerId,
      objectId: subscription.id,
      write: (words) =>
        subscriptionCreated(words, {
          subscription,
          card,
          firstPaymentDay: isCharged ? null : object.start_date,
          hasInvoice: invoice !== null,
        }),
      ...(invoice && { invoice }),
    },
  ]
}

function linkDrafts(subscription: LetterSubscription): LetterDraft[] {
  return [
    {
      kind: 'subscription_link',
      customerId: subscription.customerId,
      objectId: subscription.id,
      link: { id: subscription.id },
      write: (words) => subscriptionLink(words, { subscription, url: LETTER_LINK }),
    },
  ]
}

async function invoiceOf(
  { sources }: FactContext,
  { latest_payment }: Subscription,
  subscription: LetterSubscription,
  card: LetterCard,
): Promise<DraftInvoice | null> {
  if (latest_payment === null) return laterInvoice(subscription, card)
  const stored = found(await sources.payment(latest_payment), 'the payment')
  return paymentInvoice(stored, subscription)
}

/**
 * Drafts the link for the first card while the subscription waits for it, otherwise the link for a replacement.
 *
 * @see LTR-1, LTR-7
 */
export async function draftCardLink(context: FactContext): Promise<LetterDraft[]> {
  const { subscription_id: id } = context.notification.data as NotificationData['subscription.card_link']
  const subscription = found(await context.sources.subscription(id), 'the subscription')
  return subscription.status === 'pending_payment_method' ? linkDrafts(subscription) : cardLinkDrafts(context, id)
}

/**
 * Drafts letters about a period that has begun unpaid without an attempt, because the card may not be charged: there is
 * no payment that a letter could be about (BIL-20).
 */
export async function draftUnpaidPeriod(context: FactContext): Promise<LetterDraft[]> {
  const { sources, notification } = context
  const { object, previous_attributes: before = {} } = notification.event?.data ?? {}
  const { id, status, payment_method } = object as Subscription
  if (status !== 'active' || payment_method === null) return []
  if (!('current_period_start' in before) || 'latest_payment' in before) return []
  const card = await sources.card(payment_method)
  return card?.isChargeable === false ? cardLinkDrafts(context, id) : []
}

async function cardLinkDrafts({ sources, notification }: FactContext, id: string): Promise<LetterDraft[]> {
  const subscription = found(await sources.subscription(id), 'the subscription')
  const card = subscription.storedCardId === null ? null : await sources.card(subscription.storedCardId)
  const made = sources.newCardLink(subscription, notification.createdAt)
  const link = { url: LETTER_LINK, expiresAt: made.expiresAt }
  return [
    {
      kind: 'card_link',
      customerId: subscription.customerId,
      objectId: id,
      link: { made },
      write: (words) => cardLink(words, { subscription, card, link }),
    },
  ]
}

export async function draftCardExpiring({ sources, notification }: FactContext): Promise<LetterDraft[]> {
  const {
    stored_card_id: id,
    exp_month: month,
    exp_year: year,
  } = notification.data as NotificationData['card.expiring']
  const card = found(await sources.card(id), 'the card')
  const charged = await sources.subscriptionsOfCard({ id, customerId: card.customerId })
  const [first] = charged
  const made = first ? sources.newCardLink(first, notification.createdAt) : null
  const link = made && { url: LETTER_LINK, expiresAt: made.expiresAt }
  const descriptions = charged.map(({ description }) => description)
  return [
    {
      kind: 'card_expiring',
      customerId: card.customerId,
      objectId: id,
      ...(made && { link: { made } }),
      write: (words) => cardExpiring(words, { card, month, year, descriptions, link }),
    },
  ]
}

export async function draftUpcomingRenewal({ sources, notification }: FactContext): Promise<LetterDraft[]> {
  const { subscription_id: id, date: day } = notification.data as NotificationData['subscription.upcoming_renewal']
  const subscription = found(await sources.subscription(id), 'the subscription')
  const card = subscription.storedCardId === null ? null : await sources.card(subscription.storedCardId)
  return [
    {
      kind: 'upcoming_renewal',
      customerId: subscription.customerId,
      objectId: id,
      write: (words) => upcomingRenewal(words, { subscription, card, day }),
    },
  ]
}
