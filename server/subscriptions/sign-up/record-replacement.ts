import type { PayAttempt } from '../../checkout/pay/pay-attempt.ts'
import type { SessionServices } from '../../checkout/pay/pay-services.ts'
import { storedCardFacts } from '../../checkout/pay/surcharge.ts'
import { endChargeBlock } from '../../customers/billed-card-queries.ts'
import { transaction } from '../../db/transaction.ts'
import { ApiError } from '../../lib/errors.ts'
import { transitionEvent } from '../lifecycle/change-subscription.ts'
import { surchargedFor } from '../lifecycle/replace-card.ts'
import type { LoadedSubscription } from '../subscription.ts'
import type { DetailServices } from '../subscription-details.ts'
import { findSubscription } from '../subscription-queries.ts'
import { expectedIds, partiesOf, type SignUpInput } from './first-bill.ts'
import { sessionCompleted } from './sign-up-events.ts'
import { recordActivation } from './sign-up-queries.ts'

const ATTEMPTS_MAX = 20

/**
 * Stores the verified card and makes it the card of the subscription, whose schedule stays the same. The customer has
 * proven to be the cardholder, so a block on charges to the card ends.
 *
 * @returns `false` if another writer has already closed the session
 * @throws ApiError `session_cancelled` if the subscription has ended meanwhile
 * @see SUB-48
 */
export async function recordReplacement(
  services: SessionServices & DetailServices,
  input: SignUpInput,
): Promise<boolean> {
  const { businessId, subscriptionId } = input.session
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const before = await findRunning(services, input)
    const { parties, change } = await replacement(services, before, input)
    const isRecorded = await transaction(services.db, async (tx) => {
      if (!(await recordActivation(tx, parties, null, change))) return false
      // The card may have been stored already under another id.
      const saved = await findSubscription(tx, businessId, subscriptionId ?? '')
      if (saved?.subscription.storedCardId) await endChargeBlock(tx, businessId, saved.subscription.storedCardId)
      return true
    })
    if (isRecorded) return true
    const now = await findSubscription(services.db, businessId, before.subscription.id)
    if (now?.subscription.version === before.subscription.version) return false
  }
  return false
}

async function findRunning(
  { db }: SessionServices,
  { session: { businessId, subscriptionId } }: SignUpInput,
): Promise<LoadedSubscription> {
  const found = subscriptionId === null ? undefined : await findSubscription(db, businessId, subscriptionId)
  if (found?.subscription.status === 'active' || found?.subscription.status === 'paused') return found
  throw new ApiError('session_cancelled', {
    message: 'This subscription has ended, so its card was not replaced. Nothing was charged.',
    extra: { status: 'CANCELLED', charged: false },
  })
}

async function replacement(services: DetailServices, before: LoadedSubscription, input: SignUpInput) {
  const { payment, session, at } = input
  const parties = partiesOf(input)
  const ids = expectedIds(parties, payment)
  const { subscription } = before
  const after = {
    ...subscription,
    storedCardId: ids.storedCardId,
    ...surchargedFor(subscription, factsOf(payment), payment.loaded.business),
  }
  const changed = { ...before, subscription: after }
  const updated = await transitionEvent(services, { before, changed, type: 'subscription.updated', createdAt: at })
  const completed = sessionCompleted(session, { ...ids, subscriptionId: subscription.id, transaction: null, at })
  return { parties, change: { before, after, events: [...(updated ? [updated] : []), completed] } }
}

function factsOf({ card, keptCard }: PayAttempt) {
  return storedCardFacts({ funding: card.funding, place: keptCard?.stored.place ?? card.place })
}
