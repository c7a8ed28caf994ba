import { may } from '../../../contract/permissions.ts'
import { membershipsOf } from '../../access/people/person-queries.ts'
import { readSessionCookie } from '../../access/sessions/session-cookie.ts'
import { findSession } from '../../access/sessions/session-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { LetterReader } from '../letter-queries.ts'

export interface ReaderContext {
  db: Db
  keyring: Keyring
  clock: Clock
  /** Origin of the dashboard. */
  dashboardOrigin: string
}

/**
 * Finds the reader of staging's mailbox on another machine: a person who is signed in to the dashboard, for the
 * businesses where they may use the test tools. The browser does not send the cookie when following a link of another
 * site.
 *
 * @see DSH-20
 */
export async function signedInReader(
  { db, keyring, clock, dashboardOrigin }: ReaderContext,
  cookie: string | undefined,
): Promise<LetterReader | null> {
  const token = readSessionCookie(keyring, dashboardOrigin, cookie)
  const session = token === null ? null : await findSession(db, token, clock.now())
  if (!session) return null
  const memberships = await membershipsOf(db, session.userId)
  const businessIds = memberships
    .filter(({ role }) => may(role, 'test.use', 'staging'))
    .map(({ business }) => business.id)
  return businessIds.length > 0 ? { email: session.email, businessIds } : null
}
