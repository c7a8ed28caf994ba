import { businessNow } from '../../businesses/business.ts'
import { addSeconds } from '../../lib/clock.ts'
import {
  type Authentication,
  CANCEL_WAIT_SECONDS,
  CHALLENGE_TIMEOUT_MS,
  OPEN_CHALLENGE_SECONDS,
  RESULT_WAIT_SECONDS,
} from '../../three-d-secure/authentication.ts'
import {
  claimInquiry,
  markChallengeCanceled,
  recordExpiry,
  recordFailure,
} from '../../three-d-secure/authentication-state-queries.ts'
import type { ChallengeResult, Verdict } from '../../three-d-secure/three-ds-server.ts'
import { purposeOf } from './authentication-request.ts'
import { callThreeDsServer, hasFailed, logFailure } from './call-three-ds-server.ts'
import { recordResult } from './record-verdict.ts'
import type { ThreeDsCaller, ThreeDsServices } from './three-ds-services.ts'

/** Interval in which one of all concurrent polls inquires. */
const INQUIRY_EVERY_SECONDS = 0.9
/** Interval of inquiries while the payer is at the bank, which may take minutes. */
const OPEN_INQUIRY_EVERY_SECONDS = 5

interface ChallengeCall extends Pick<ThreeDsCaller, 'loaded' | 'payerIpPrefix'> {
  /** Whether the payer has pressed Cancel. */
  isCanceled: boolean
}

/** Status reason "Transaction attempted but not performed by cardholder". */
const NOT_PERFORMED = '26'

/**
 * Inquires about the result of a challenge: while it is open, because the server forgets the result after 300 s, and
 * more often once the browser is back or the payer has canceled. Nothing that the browser brings back counts as a
 * result (TDS-7).
 *
 * @see TDS-9, TDS-22
 */
export async function awaitChallenge(
  services: ThreeDsServices,
  call: ChallengeCall,
  found: Authentication,
): Promise<void> {
  const { db, clock, timings } = services
  const now = businessNow(clock, call.loaded.business)
  const challenge = await canceledIfSo(services, call, { found, now })
  const { challengeOpenedAt: openedAt, challengeReturnedAt: returnedAt, challengeCanceledAt: canceledAt } = challenge
  if (isTooLate(challenge, now)) return recordExpiry(db, challenge)
  const isOver = returnedAt !== null || canceledAt !== null
  if (!isOver && openedAt === null) return
  const every = isOver ? INQUIRY_EVERY_SECONDS : OPEN_INQUIRY_EVERY_SECONDS
  const since = addSeconds(now, -every * timings.scale)
  if (!(await claimInquiry(db, challenge, { now, since }))) return
  const verdict = await inquire(services, call, challenge)
  if (verdict !== null) return recordResult(services, call, challenge, verdict)
  const isPast = (at: Date | null, seconds: number) => at !== null && now >= addSeconds(at, seconds * timings.scale)
  if (isPast(canceledAt, CANCEL_WAIT_SECONDS)) return recordResult(services, call, challenge, CANCELED)
  if (isPast(returnedAt, RESULT_WAIT_SECONDS)) return recordFailure(db, challenge, { code: null, component: null, now })
}

const CANCELED: Verdict = {
  transStatus: 'N',
  reason: NOT_PERFORMED,
  eci: null,
  value: null,
  dsTransactionId: null,
  cardholderInfo: null,
}

async function canceledIfSo(
  { db }: ThreeDsServices,
  { isCanceled }: ChallengeCall,
  { found, now }: { found: Authentication; now: Date },
): Promise<Authentication> {
  if (!isCanceled || found.challengeCanceledAt !== null) return found
  await markChallengeCanceled(db, found, now)
  return { ...found, challengeCanceledAt: now }
}

/** Whether the challenge is over without a result. A return or cancel in time counts, even if inquired about later. */
function isTooLate(challenge: Authentication, now: Date): boolean {
  const { challengedAt, challengeOpenedAt, challengeReturnedAt, challengeCanceledAt, expiresAt } = challenge
  if (challengedAt === null) return true
  const wholeEnd = addSeconds(challengedAt, CHALLENGE_TIMEOUT_MS / 1000)
  const end = wholeEnd < expiresAt ? wholeEnd : expiresAt
  if (challengeReturnedAt !== null || challengeCanceledAt !== null)
    return [challengeReturnedAt, challengeCanceledAt].every((at) => at === null || at >= end)
  return now >= end || (challengeOpenedAt === null && now >= addSeconds(challengedAt, OPEN_CHALLENGE_SECONDS))
}

/** @returns `null` if there is no result yet, or the server did not respond; the next poll inquires again */
async function inquire(
  services: ThreeDsServices,
  { loaded }: ChallengeCall,
  { id, serverTransactionId, acsTransactionId, messageVersion }: Authentication,
): Promise<Verdict | null> {
  const { reason } = await purposeOf(services, loaded)
  const result = await callThreeDsServer<ChallengeResult>(services, (server, signal) =>
    server.challengeResult({ serverTransactionId, acsTransactionId, messageVersion, reason, signal }),
  )
  if (!hasFailed(result)) return result.outcome === 'decided' ? result : null
  logFailure(services.log, { id }, result, 'the result of a challenge was not obtained')
  return null
}
