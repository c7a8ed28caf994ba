import { type Business, businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import type { Merchants } from '../../businesses/merchants.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { type CustomerCardLink, setupSession } from './customer-card-link.ts'
import { findCustomerCardLink, moveCustomerCardLink } from './customer-card-link-queries.ts'
import type { Session } from './session.ts'
import { findSession, insertSession } from './session-queries.ts'
import type { SessionPlace } from './session-token.ts'
import type { Links } from './session-view.ts'

interface CardLinkServices {
  db: Db
  clock: Clock
  merchants: Merchants
  keyring: Pick<Keyring, 'currentId'>
  links: Links
}

/** What a link opens. If it was revoked, has ended, or its subscription needs no card, its page only says so. */
export type OpenedCardLink =
  | { session: Session }
  | { revokedBy: Business }
  | { endedOf: Business }
  | { expiredOf: Business }

const ATTEMPTS_MAX = 5

/** Makes the next session of a link. @param now current time of the business */
export type MakeSession = (now: Date) => Session | Promise<Session>

/** Returns how to make sessions that replace a subscription's card; `null` if it needs no card any more. */
export type FindReplacement = (link: CustomerCardLink) => Promise<MakeSession | null>

/**
 * Opens the page where a customer stores a card. Each of its sessions lives 24 hours, or until the link ends, and
 * allows three attempts, so that the link cannot be used to test cards. Until a session expires, the link leads to it,
 * even if it is closed.
 *
 * @returns `null` if there is no such link
 * @see CHK-60, CHK-142
 */
export async function openCustomerCardLink(
  services: CardLinkServices,
  place: SessionPlace,
  findReplacement: FindReplacement,
): Promise<OpenedCardLink | null> {
  const business = await findBusiness(services.db, place.businessId)
  if (!business) return null
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const link = await findCustomerCardLink(services.db, place)
    if (!link) return null
    if (link.revokedAt !== null) return { revokedBy: business }
    const make = link.subscriptionId === null ? setupOf(services, business, link) : await findReplacement(link)
    if (!make) return { expiredOf: business }
    const now = businessNow(services.clock, business)
    const current = link.sessionId === null ? null : await findSession(services, place.businessId, link.sessionId)
    if (current && (current.session.expiresAt > now || current.paymentInProgress)) return { session: current.session }
    if (link.expiresAt <= now) return { endedOf: business }
    const session = await make(now)
    if (await beginSession(services.db, session, link)) return { session }
  }
  throw new ApiError('conflict', { message: 'The link is being opened by other requests. Try again.' })
}

const setupOf =
  (services: CardLinkServices, business: Business, link: CustomerCardLink): MakeSession =>
  (now) =>
    setupSession(services, { business, link }, { tokenKeyId: services.keyring.currentId, now })

/** @returns `false` if another request has begun a session meanwhile */
function beginSession(db: Db, session: Session, link: CustomerCardLink): Promise<boolean> {
  return transaction(db, async (tx) => {
    if (!(await moveCustomerCardLink(tx, link, { from: link.sessionId, to: session.id }))) return false
    await insertSession(tx, session)
    return true
  })
}
