import type { DddAuthenticateResponse } from '../../../contract/three-ds.ts'
import { businessNow } from '../../businesses/business.ts'
import { addSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import {
  ABANDONED_AFTER_SECONDS,
  type Authentication,
  authenticationIdOf,
} from '../../three-d-secure/authentication.ts'
import { findAuthentication } from '../../three-d-secure/authentication-queries.ts'
import { recordExpiry, recordFailure } from '../../three-d-secure/authentication-state-queries.ts'
import { findByToken, type LoadedSession, paymentInProgress } from '../sessions/load-session.ts'
import { authenticationResponse } from './authentication-response.ts'
import { awaitChallenge } from './await-challenge.ts'
import { sendAuthentication } from './send-authentication.ts'
import type { AuthenticateCall, ThreeDsServices } from './three-ds-services.ts'

/**
 * Advances an authentication as far as possible now, and reports its state. The first call sends the request to the
 * directory server; any number of other calls, even concurrent ones, only report.
 *
 * @throws ApiError `not_found`, `payment_in_progress`, and TDS-12 to TDS-17
 * @see TDS-3
 */
export async function authenticatePayer(
  services: ThreeDsServices,
  call: AuthenticateCall,
): Promise<DddAuthenticateResponse> {
  const { loaded, body } = call
  const found = await findCalled(services, loaded, body.ddd_session_id)
  if (loaded.paymentInProgress) throw paymentInProgress()
  await advance(services, call, found)
  const reached = await findCalled(services, loaded, body.ddd_session_id)
  const now = businessNow(services.clock, loaded.business)
  // Only the response to a failure shows the session, which the failure may have changed.
  const latest = reached.state === 'FAILED' ? await findByToken(services, loaded.token) : { ...loaded, now }
  return authenticationResponse(services, latest, reached)
}

async function findCalled(
  { db }: ThreeDsServices,
  { session: { businessId, id: sessionId } }: LoadedSession,
  name: string,
): Promise<Authentication> {
  const id = authenticationIdOf(name)
  const found = id === null ? undefined : await findAuthentication(db, { businessId, sessionId, id })
  if (found) return found
  throw new ApiError('not_found', {
    message: 'No such authentication',
    errors: { ddd_session_id: ['does not belong to this session'] },
  })
}

async function advance(
  services: ThreeDsServices,
  call: AuthenticateCall,
  authentication: Authentication,
): Promise<void> {
  const now = businessNow(services.clock, call.loaded.business)
  switch (authentication.state) {
    case 'STARTED':
      if (now >= authentication.expiresAt) return recordExpiry(services.db, authentication)
      return sendAuthentication(services, call, authentication)
    case 'SENT':
      return endAbandoned(services, authentication, now)
    case 'CHALLENGE':
      return awaitChallenge(services, { ...call, isCanceled: call.body.challenge_canceled === true }, authentication)
  }
}

/**
 * Ends an authentication whose process crashed after sending the request. The request is not repeated: the server would
 * see two requests with one transaction id, and its decision about the first is lost.
 */
async function endAbandoned(
  { db, timings, log }: ThreeDsServices,
  authentication: Authentication,
  now: Date,
): Promise<void> {
  const { id, sentAt } = authentication
  if (sentAt !== null && now < addSeconds(sentAt, ABANDONED_AFTER_SECONDS * timings.scale)) return
  log.warn({ authentication: id }, 'a request to the 3-D Secure server was sent, and its result was never recorded')
  await recordFailure(db, authentication, { code: null, component: null, now })
}
