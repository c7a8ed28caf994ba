import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import type { OpenedLink } from '../../checkout/pay/sign-ups.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import { findSession, insertSession } from '../../checkout/sessions/session-queries.ts'
import type { SessionPlace } from '../../checkout/sessions/session-token.ts'
import { transaction } from '../../db/transaction.ts'
import { conflict, type Subscription } from '../subscription.ts'
import { findSubscription } from '../subscription-queries.ts'
import { findCardSession, moveCardLink } from './card-link-queries.ts'
import { cardSession } from './link-session.ts'
import { type LinkServices, openLink } from './open-link.ts'

const ATTEMPTS_MAX = 5

/**
 * Opens the page where the customer replaces the card of an active or paused subscription. Each of its sessions lives
 * 24 hours and takes three attempts, as with the link of a subscription that waits; a session that was used says so
 * until then.
 *
 * @returns `null` when there is no such subscription
 * @see SUB-48
 */
export async function openCardLink(services: LinkServices, place: SessionPlace): Promise<OpenedLink | null> {
  const { businessId, id: subscriptionId } = place
  const business = await findBusiness(services.db, businessId)
  if (!business) return null
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const loaded = await findSubscription(services.db, businessId, subscriptionId)
    if (!loaded) return null
    const { status } = loaded.subscription
    if (status === 'pending_payment_method') return openLink(services, place)
    if (status !== 'active' && status !== 'paused') return { expiredOf: business }
    const now = businessNow(services.clock, business)
    const currentId = await findCardSession(services.db, businessId, subscriptionId)
    const current = currentId === null ? null : await findSession(services, businessId, currentId)
    if (current && (current.session.expiresAt > now || current.paymentInProgress)) return { session: current.session }
    const session = await beginSession(services, loaded.subscription, { from: currentId, now })
    if (session) return { session }
  }
  throw conflict('The link is being opened by other requests. Try again.')
}

/** @returns `null` when another request has begun one meanwhile */
async function beginSession(
  services: LinkServices,
  subscription: Subscription,
  { from, now }: { from: string | null; now: Date },
): Promise<Session | null> {
  const session = await cardSession(services, subscription, { tokenKeyId: services.keyring.currentId, now })
  const { businessId, id: subscriptionId } = subscription
  return transaction(services.db, async (tx) => {
    if (!(await moveCardLink(tx, { businessId, subscriptionId }, { from, to: session.id }))) return null
    await insertSession(tx, session)
    return session
  })
}
