import { businessNow } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import type { Merchants } from '../../businesses/merchants.ts'
import { customerExists } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { setupSession } from './customer-card-link.ts'
import { findSetupSession, moveCustomerCardLink } from './customer-card-link-queries.ts'
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

const ATTEMPTS_MAX = 5

/**
 * Opens the page where a customer stores a card. Each of its sessions lives 24 hours and takes three attempts, so that
 * the link cannot be used to test cards; a session that was used says so until then.
 *
 * @param place of the business and the customer
 * @returns `null` when there is no such customer
 * @see CHK-60
 */
export async function openCustomerCardLink(
  services: CardLinkServices,
  { businessId, id: customerId }: SessionPlace,
): Promise<{ session: Session } | null> {
  const business = await findBusiness(services.db, businessId)
  if (!business || !(await customerExists(services.db, businessId, customerId))) return null
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const now = businessNow(services.clock, business)
    const currentId = await findSetupSession(services.db, { businessId, customerId })
    const current = currentId === null ? null : await findSession(services, businessId, currentId)
    if (current && (current.session.expiresAt > now || current.paymentInProgress)) return { session: current.session }
    const given = { tokenKeyId: services.keyring.currentId, now }
    const session = setupSession(services, { business, customerId }, given)
    if (await beginSession(services.db, session, { customerId, from: currentId })) return { session }
  }
  throw new ApiError('conflict', { message: 'The link is being opened by other requests. Try again.' })
}

/** @returns `false` when another request has begun one meanwhile */
function beginSession(
  db: Db,
  session: Session,
  { customerId, from }: { customerId: string; from: string | null },
): Promise<boolean> {
  const { businessId } = session
  return transaction(db, async (tx) => {
    if (!(await moveCustomerCardLink(tx, { businessId, customerId }, { from, to: session.id }))) return false
    await insertSession(tx, session)
    return true
  })
}
