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

/** `revokedBy`, `endedOf`: nothing can be done on the page any more. */
export type OpenedCardLink = { session: Session } | { revokedBy: Business } | { endedOf: Business }

const ATTEMPTS_MAX = 5

/**
 * Opens the page where a customer stores a card. Each of its sessions lives 24 hours, or until the link ends, and takes
 * three attempts, so that the link cannot be used to test cards; a session that was used says so until then.
 *
 * @returns `null` when there is no such link
 * @see CHK-60
 */
export async function openCustomerCardLink(
  services: CardLinkServices,
  place: SessionPlace,
): Promise<OpenedCardLink | null> {
  const { businessId } = place
  const business = await findBusiness(services.db, businessId)
  if (!business) return null
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const link = await findCustomerCardLink(services.db, place)
    if (!link) return null
    if (link.revokedAt !== null) return { revokedBy: business }
    const now = businessNow(services.clock, business)
    const current = link.sessionId === null ? null : await findSession(services, businessId, link.sessionId)
    if (current && (current.session.expiresAt > now || current.paymentInProgress)) return { session: current.session }
    if (link.expiresAt <= now) return { endedOf: business }
    const session = setupSession(services, { business, link }, { tokenKeyId: services.keyring.currentId, now })
    if (await beginSession(services.db, session, link)) return { session }
  }
  throw new ApiError('conflict', { message: 'The link is being opened by other requests. Try again.' })
}

/** @returns `false` when another request has begun one meanwhile */
function beginSession(db: Db, session: Session, link: CustomerCardLink): Promise<boolean> {
  return transaction(db, async (tx) => {
    if (!(await moveCustomerCardLink(tx, link, { from: link.sessionId, to: session.id }))) return false
    await insertSession(tx, session)
    return true
  })
}
