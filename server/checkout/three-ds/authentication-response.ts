import type { DddAuthenticateResponse } from '../../../contract/three-ds.ts'
import { addSeconds } from '../../lib/clock.ts'
import {
  type Authentication,
  CANCEL_WAIT_SECONDS,
  CHALLENGE_TIMEOUT_MS,
  NOT_SUPPORTED,
  OPEN_CHALLENGE_SECONDS,
  payBefore,
  RESULT_WAIT_SECONDS,
  shiftsLiability,
} from '../../three-d-secure/authentication.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import { challengeUrl } from './bridge-urls.ts'
import { authenticationExpired, cardNotSupported, notAuthenticated, threeDsServerFailed } from './three-ds-refusals.ts'
import type { ThreeDsServices } from './three-ds-services.ts'

type ResponseServices = Pick<ThreeDsServices, 'links' | 'timings'>

/**
 * Polling intervals while the payer is at the bank, and while the directory server has the request. They leave some of
 * the 20 requests per minute (TDS-1) for the return from the bank, which the page reports at once.
 */
const CHALLENGE_POLL_MS = 3_500
const SENT_POLL_MS = 1_000
/**
 * First and last polling interval for the result of a challenge: 1, 2, 4, 4, … seconds, because the browser may be
 * back long before the result.
 */
const FIRST_RESULT_POLL_MS = 1_000
const LAST_RESULT_POLL_MS = 4_000

/**
 * Returns the response of `authenticate` for the state of the authentication. It never contains the authentication
 * value (TDS-4).
 *
 * @throws ApiError TDS-12 to TDS-17
 */
export function authenticationResponse(
  services: ResponseServices,
  loaded: LoadedSession,
  authentication: Authentication,
): DddAuthenticateResponse {
  switch (authentication.state) {
    case 'SENT':
      return inProgress(services, SENT_POLL_MS)
    case 'CHALLENGE':
      return challengeResponse(services, loaded, authentication)
    case 'AUTHENTICATED':
      return authenticatedResponse(loaded, authentication)
    case 'FAILED':
      throw refusalOf(loaded, authentication)
    // Another call is about to send the request; it is looking up the card again.
    case 'STARTED':
      return inProgress(services, SENT_POLL_MS)
    case 'CONSUMED':
    case 'EXPIRED':
      throw authenticationExpired()
  }
}

const inProgress = ({ timings }: ResponseServices, ms: number): DddAuthenticateResponse => ({
  ok: true,
  status: 'challenge_in_progress',
  retry_after_ms: Math.max(1, Math.ceil(ms * timings.scale)),
})

/** Returns the challenge again until the browser has opened it, because the first response may have been lost. */
function challengeResponse(
  services: ResponseServices,
  { now }: LoadedSession,
  authentication: Authentication,
): DddAuthenticateResponse {
  const { challengedAt, challengeOpenedAt, challengeReturnedAt, challengeCanceledAt, challengeWindow } = authentication
  if (challengeCanceledAt !== null) return inProgress(services, CANCEL_WAIT_SECONDS * 1000)
  if (challengeReturnedAt !== null) return inProgress(services, resultPollMs(services, challengeReturnedAt, now))
  if (challengeOpenedAt !== null || challengedAt === null) return inProgress(services, CHALLENGE_POLL_MS)
  return {
    ok: true,
    status: 'challenge_required',
    challenge: {
      url: challengeUrl(services.links, authentication),
      window_size: challengeWindow ?? '05',
      start_before: addSeconds(challengedAt, OPEN_CHALLENGE_SECONDS).toISOString(),
      timeout_ms: CHALLENGE_TIMEOUT_MS,
    },
  }
}

/** Returns the time that has passed so far, so that the intervals double up to the last one. The result is unscaled. */
function resultPollMs({ timings }: ResponseServices, returnedAt: Date, now: Date): number {
  const passedMs = Math.max(0, now.getTime() - returnedAt.getTime()) / timings.scale
  const leftMs = RESULT_WAIT_SECONDS * 1000 - passedMs
  return Math.max(FIRST_RESULT_POLL_MS, Math.min(passedMs, leftMs, LAST_RESULT_POLL_MS))
}

function authenticatedResponse({ now }: LoadedSession, authentication: Authentication): DddAuthenticateResponse {
  const { transStatus, eci, messageVersion, dsTransactionId, decidedAt } = authentication
  if (decidedAt === null || (transStatus !== 'Y' && transStatus !== 'A'))
    throw new Error('an authentication without a result is AUTHENTICATED')
  if (now >= payBefore(decidedAt)) throw authenticationExpired()
  return {
    ok: true,
    status: 'authenticated',
    trans_status: transStatus,
    eci,
    message_version: messageVersion,
    ds_trans_id: dsTransactionId,
    liability_shift: shiftsLiability(transStatus),
    pay_before: payBefore(decidedAt).toISOString(),
  }
}

function refusalOf(loaded: LoadedSession, authentication: Authentication): Error {
  const { transStatus, errorCode } = authentication
  if (errorCode === NOT_SUPPORTED) return cardNotSupported()
  if (transStatus === null || transStatus === 'Y' || transStatus === 'A') return threeDsServerFailed(authentication)
  return notAuthenticated(loaded, transStatus, authentication)
}
