import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import type { SessionServices } from '../../checkout/pay/pay-services.ts'
import type { OpenedLink } from '../../checkout/pay/sign-ups.ts'
import { findSession, insertSession } from '../../checkout/sessions/session-queries.ts'
import type { SessionPlace } from '../../checkout/sessions/session-token.ts'
import type { Links } from '../../checkout/sessions/session-view.ts'
import { transaction } from '../../db/transaction.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { saveChange } from '../change-queries.ts'
import { conflict, type LoadedSubscription } from '../subscription.ts'
import { findSubscription } from '../subscription-queries.ts'
import { linkSession } from './link-session.ts'

export interface LinkServices extends SessionServices {
  keyring: Pick<Keyring, 'currentId'>
  links: Links
}

const ATTEMPTS_MAX = 5

/**
 * Opens the link of a subscription, which lives as long as the subscription waits for its card. Each session of it lives 24
 * hours and takes three attempts, so that the link cannot be used to test cards; the next one begins when its time is
 * over and no payment of it is open.
 *
 * @returns `null` when there is no such subscription, or nothing to enter
 * @see SUB-3, SUB-41
 */
export async function openLink(services: LinkServices, { businessId, id }: SessionPlace): Promise<OpenedLink | null> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const loaded = await findSubscription(services.db, businessId, id)
    if (!loaded) return null
    const { checkoutSessionId, status } = loaded.subscription
    const current = checkoutSessionId === null ? null : await findSession(services, businessId, checkoutSessionId)
    const business = await findBusiness(services.db, businessId)
    if (!business) throw new Error('the business of a subscription is missing')
    const now = businessNow(services.clock, business)
    if (status !== 'pending_payment_method') {
      // Of one that was canceled, the session may be over.
      if (current && status !== 'canceled') return { session: current.session }
      return status === 'canceled' ? { canceledBy: business } : null
    }
    if (current && (current.session.expiresAt > now || current.paymentInProgress)) return { session: current.session }
    const session = await beginSession(services, loaded, now)
    if (session) return { session }
  }
  throw conflict('The link is being opened by other requests. Try again.')
}

/** @returns `null` when another request has changed the subscription meanwhile */
async function beginSession(services: LinkServices, before: LoadedSubscription, now: Date) {
  const tokenKeyId = services.keyring.currentId
  const session = await linkSession(services, before.subscription, { tokenKeyId, now })
  const after = { ...before.subscription, checkoutSessionId: session.id }
  return transaction(services.db, async (tx) => {
    if (!(await saveChange(tx, { before, after }))) return null
    await insertSession(tx, session)
    return session
  })
}
