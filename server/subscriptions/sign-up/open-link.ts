import { type Business, businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import type { SessionServices } from '../../checkout/pay/pay-services.ts'
import type { OpenedLink } from '../../checkout/pay/sign-ups.ts'
import type { Session } from '../../checkout/sessions/session.ts'
import { findSession, insertSession } from '../../checkout/sessions/session-queries.ts'
import type { SessionPlace } from '../../checkout/sessions/session-token.ts'
import type { Links } from '../../checkout/sessions/session-view.ts'
import { transaction } from '../../db/transaction.ts'
import { saveChange } from '../change-queries.ts'
import { isUnsigned } from '../contract.ts'
import { findContract } from '../contracts/contract-queries.ts'
import { conflict, type LoadedSubscription } from '../subscription.ts'
import { findSubscription } from '../subscription-queries.ts'
import { linkSession } from './link-session.ts'

export interface LinkServices extends SessionServices {
  links: Links
}

const ATTEMPTS_MAX = 5

/**
 * Opens the page of a subscription or a contract.
 *
 * @returns `null` if there is no such object, or nothing for the customer to do
 * @see SUB-3, SUB-41, SUB-43
 */
export async function openLink(services: LinkServices, { businessId, id }: SessionPlace): Promise<OpenedLink | null> {
  const business = await findBusiness(services.db, businessId)
  if (!business) return null
  const subscription = await findSubscription(services.db, businessId, id)
  return subscription ? openSubscription(services, business, id) : openContract(services, business, id)
}

/**
 * Opens the link of a subscription, which works as long as the subscription waits for its card, whatever happened to
 * its earlier sessions. Each session lives 24 hours and allows three attempts; the next one begins when it is over and
 * none of its payments is open. Card testing is stopped by the limits that count across all sessions (SEC-8).
 */
async function openSubscription(services: LinkServices, business: Business, id: string): Promise<OpenedLink | null> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const loaded = await findSubscription(services.db, business.id, id)
    if (!loaded) return null
    const { checkoutSessionId, status } = loaded.subscription
    if (status === 'canceled') return { canceledBy: business }
    const current = checkoutSessionId === null ? null : await findSession(services, business.id, checkoutSessionId)
    if (status !== 'pending_payment_method') return current && { session: current.session }
    if (isUnsigned(loaded) && loaded.contract) return { signAt: loaded.contract }
    const now = businessNow(services.clock, business)
    if (current && (canBePaid(current.session, now) || current.paymentInProgress)) return { session: current.session }
    const session = await beginSession(services, loaded, now)
    if (session) return { session }
  }
  throw conflict('The link is being opened by other requests. Try again.')
}

/** Opens the page of a contract. Once it is signed, the page of a subscription that waits for its card follows. */
async function openContract(services: LinkServices, business: Business, id: string): Promise<OpenedLink | null> {
  const found = await findContract(services.db, business.id, id)
  if (!found) return null
  const { contract, subscriptionId } = found
  const { title, text, status } = contract
  if (status === 'void') return null
  if (status === 'signed' && subscriptionId !== null) {
    const loaded = await findSubscription(services.db, business.id, subscriptionId)
    if (loaded?.subscription.status === 'pending_payment_method')
      return openSubscription(services, business, subscriptionId)
  }
  // The content of a draft is not for the customer yet.
  if (status === 'draft') return { business, contract: { title: business.name, text: '', status } }
  return { business, contract: { title, text, status } }
}

const canBePaid = ({ status, expiresAt }: Session, now: Date) => status === 'PENDING' && expiresAt > now

/** @returns `null` if another request has changed the subscription meanwhile */
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
