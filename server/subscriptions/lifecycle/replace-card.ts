import type { Business } from '../../businesses/business.ts'
import { storedCardFacts, surchargeOf } from '../../checkout/pay/surcharge.ts'
import type { BilledCard } from '../../customers/billed-card.ts'
import { findBilledCards } from '../../customers/billed-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import { isPast } from '../../vault/card.ts'
import { conflict, type LoadedSubscription, type Subscription } from '../subscription.ts'
import {
  changeSubscription,
  type LifecycleServices,
  type Transition,
  type WhichSubscription,
} from './change-subscription.ts'

const FIELD = 'payment_method'

/**
 * Replaces the card that future attempts charge. Nothing else changes: no bill is tried sooner, and an open charge
 * stays on its card.
 *
 * @throws ApiError `validation_failed`; `not_found`, also for another customer's card; `conflict` unless the
 *   subscription is active or paused
 * @see SUB-47, BIL-18
 */
export function replaceCard(
  services: LifecycleServices,
  { cardId, ...which }: WhichSubscription & { cardId: string },
): Promise<LoadedSubscription> {
  return changeSubscription(services, which, async (loaded, now): Promise<Transition | null> => {
    const { subscription } = loaded
    requireReplaceable(subscription)
    if (subscription.storedCardId === cardId) return null
    const card = await findCard(services.db, subscription, cardId)
    requireChargeable(card, now)
    const after = onCard(subscription, card, which.business)
    return { after, bills: [], pauses: [], event: 'subscription.updated' }
  })
}

/** What a replacement of the card would do. */
export interface Replacement {
  card: BilledCard
  /** Why the card is refused; `null` if it is not. */
  refusal: CardRefusal | null
  after: Subscription
}

/**
 * Plans a replacement of the card without writing it.
 *
 * @param now in the business's time
 * @throws ApiError `not_found`, also for another customer's card; `conflict` unless it is active or paused
 */
export async function planReplacement(
  db: Db,
  { subscription, business, cardId }: { subscription: Subscription; business: Business; cardId: string },
  now: Date,
): Promise<Replacement> {
  requireReplaceable(subscription)
  const card = await findCard(db, subscription, cardId)
  return { card, refusal: refusalOf(card, now), after: onCard(subscription, card, business) }
}

function requireReplaceable({ status }: Subscription): void {
  if (status !== 'active' && status !== 'paused')
    throw conflict(`The subscription is ${status}. The card of an active or paused one can be replaced.`)
}

const onCard = (subscription: Subscription, card: BilledCard, business: Business): Subscription => ({
  ...subscription,
  storedCardId: card.id,
  ...surchargedFor(subscription, storedCardFacts(card), business),
})

async function findCard(db: Db, { businessId, customerId }: Subscription, id: string): Promise<BilledCard> {
  const card = (await findBilledCards(db, [{ businessId, id }])).get(id)
  if (card?.customerId === customerId) return card
  throw new ApiError('not_found', {
    message: 'No such payment method',
    errors: { [FIELD]: ['does not exist for the customer of the subscription'] },
  })
}

export type CardRefusal = 'card_detached' | 'card_expired' | 'card_blocked'

function refusalOf({ detachedAt, expMonth: month, expYear: year, chargeBlock }: BilledCard, now: Date) {
  if (detachedAt !== null) return 'card_detached' as const
  if (isPast({ month, year }, now)) return 'card_expired' as const
  return chargeBlock === null ? null : ('card_blocked' as const)
}

function requireChargeable(card: BilledCard, now: Date): void {
  const refusal = refusalOf(card, now)
  if (refusal === 'card_detached') throw invalidField(FIELD, 'is detached')
  if (refusal === 'card_expired') throw invalidField(FIELD, 'has expired')
  if (refusal !== null)
    throw invalidField(FIELD, `must not be charged again: the issuer declined it with ${card.chargeBlock}`)
}

/** Returns the surcharge for this card: rate and amount are 0 for a card that must not be surcharged (BIL-16). */
export function surchargedFor(
  { surchargeRatePpm, surchargeAmount, amount, currency }: Subscription,
  facts: ReturnType<typeof storedCardFacts>,
  business: Business,
): Partial<Subscription> {
  if (!surchargeRatePpm) return {}
  const rate = { amountTotal: 0 as Cents, surchargeRateBp: surchargeRatePpm, currency }
  if (surchargeOf(rate, business, facts).applies) return {}
  return { surchargeRatePpm: 0, surchargeAmount: 0 as Cents, amount: (amount - surchargeAmount) as Cents }
}
