import { businessNow } from '../../businesses/business.ts'
import type { Authentication } from '../../three-d-secure/authentication.ts'
import { authenticationIdOf } from '../../three-d-secure/authentication.ts'
import { findAuthenticationById } from '../../three-d-secure/authentication-queries.ts'
import type { LookupServices } from '../sessions/load-session.ts'
import { statusAt } from '../sessions/session.ts'
import { findSession } from '../sessions/session-queries.ts'

/** An authentication found by its id in the bank's pages, with what its documents need from its session. */
export interface FoundStep {
  authentication: Authentication
  /** Current time of the business. */
  now: Date
  isSessionOpen: boolean
  /** The only foreign origin that may frame the documents; `null` for a hosted session. */
  merchantOrigin: string | null
  businessLocale: string | null
}

export async function findStep(
  { db, clock, merchants }: Pick<LookupServices, 'db' | 'clock' | 'merchants'>,
  dddSessionId: string,
): Promise<FoundStep | null> {
  const id = authenticationIdOf(dddSessionId)
  const authentication = id === null ? undefined : await findAuthenticationById(db, id)
  if (!authentication) return null
  const found = await findSession({ db, merchants }, authentication.businessId, authentication.sessionId)
  if (!found) return null
  const { session, business, paymentInProgress } = found
  const now = businessNow(clock, business)
  return {
    authentication,
    now,
    isSessionOpen: statusAt(session, now, paymentInProgress) === 'PENDING',
    merchantOrigin: session.uiMode === 'hosted' ? null : session.parentOrigin,
    businessLocale: business.locale,
  }
}
