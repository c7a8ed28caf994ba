import { endOfSession } from '../../checkout/sessions/customer-card-link.ts'
import type { FindReplacement } from '../../checkout/sessions/open-customer-card-link.ts'
import { findSubscription } from '../subscription-queries.ts'
import { cardSession } from './link-session.ts'
import type { LinkServices } from './open-link.ts'

/**
 * Finds the page where the customer replaces the card of an active or paused subscription.
 *
 * @see SUB-48
 */
export const findReplacement =
  (services: LinkServices): FindReplacement =>
  async (link) => {
    const { businessId, subscriptionId } = link
    const loaded = subscriptionId && (await findSubscription(services.db, businessId, subscriptionId))
    if (!loaded) return null
    const { subscription } = loaded
    if (subscription.status !== 'active' && subscription.status !== 'paused') return null
    return async (now) => {
      const session = await cardSession(services, subscription, { tokenKeyId: services.keyring.currentId, now })
      return { ...session, expiresAt: endOfSession(link, now) }
    }
  }
