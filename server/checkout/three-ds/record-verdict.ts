import { businessNow } from '../../businesses/business.ts'
import { transaction } from '../../db/transaction.ts'
import { type Authentication, payBefore, shiftsLiability } from '../../three-d-secure/authentication.ts'
import { type RecordedVerdict, recordVerdict } from '../../three-d-secure/authentication-state-queries.ts'
import { sealValue } from '../../three-d-secure/sealed-card.ts'
import type { Verdict } from '../../three-d-secure/three-ds-server.ts'
import { countUnverified } from '../pay/refused-card-queries.ts'
import { failedEvent } from '../pay/session-charge.ts'
import { declineTrigger, nextStatus } from '../sessions/session.ts'
import { lockSession } from './session-lock-queries.ts'
import type { ThreeDsCaller, ThreeDsServices } from './three-ds-services.ts'

const CARDHOLDER_INFO_MAX = 128

/**
 * Records the result of an authentication, once. N and R count as a failed attempt of the session, in the same
 * transaction, so that only one of several concurrent calls counts. U and I do not count (TDS-12 to TDS-14).
 */
export async function recordResult(
  services: ThreeDsServices,
  { loaded, payerIpPrefix }: Pick<ThreeDsCaller, 'loaded' | 'payerIpPrefix'>,
  authentication: Authentication,
  verdict: Verdict,
): Promise<void> {
  const { db, clock, log, cardTesting } = services
  const { business } = loaded
  const { id, cardFingerprint: fingerprint, storedCardId } = authentication
  const { transStatus, reason } = verdict
  const recorded = recordedOf(services, authentication, { verdict, now: businessNow(clock, business) })
  log.info({ authentication: id, transStatus, reason }, 'a payer was authenticated, or not')
  if (transStatus !== 'N' && transStatus !== 'R') {
    await recordVerdict(db, authentication, recorded)
    return
  }
  if (!(await recordFailed(services, loaded, authentication, recorded))) return
  await cardTesting.unverified({ business, payerIpPrefix, fingerprint, storedCardId })
}

function recordedOf(
  { keyring }: ThreeDsServices,
  { id, expiresAt }: Authentication,
  { verdict, now }: { verdict: Verdict; now: Date },
): RecordedVerdict {
  const { transStatus, reason, eci, value, dsTransactionId, cardholderInfo } = verdict
  return {
    transStatus,
    reason,
    eci,
    dsTransactionId,
    cardholderInfo: cardholderInfo === null ? null : plainText(cardholderInfo),
    sealedValue: value && sealValue(keyring, id, value),
    expiresAt: shiftsLiability(transStatus) ? payBefore(now) : expiresAt,
    counted: false,
    now,
  }
}

/** Removes control characters, and cuts the text to the length that the protocol allows; `null` if nothing remains. */
function plainText(text: string): string | null {
  const plain = text
    .replace(/\p{C}+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...plain].slice(0, CARDHOLDER_INFO_MAX).join('').trim() || null
}

/**
 * Records N or R, and counts it as an attempt unless a payment of the session is open: then the outcome of that payment
 * decides about the session.
 *
 * @returns whether an attempt was counted
 */
function recordFailed(
  { db }: ThreeDsServices,
  { session: { businessId, id } }: ThreeDsCaller['loaded'],
  authentication: Authentication,
  recorded: RecordedVerdict,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const { session, paymentInProgress } = await lockSession(tx, { businessId, id })
    const counted = session.status === 'PENDING' && !paymentInProgress
    if (!(await recordVerdict(tx, authentication, { ...recorded, counted })) || !counted) return false
    const { now, transStatus, reason } = recorded
    const attemptCount = session.attemptCount + 1
    const isLast = nextStatus('PENDING', declineTrigger(attemptCount)) === 'FAILED'
    const lastDecline = {
      code: 'ND',
      message: `3-D Secure: ${transStatus}${reason === null ? '' : `, reason ${reason}`}`,
    }
    const failed = isLast ? failedEvent({ ...session, attemptCount, lastDecline }, now) : null
    if (!(await countUnverified(tx, session, { attemptCount, lastDecline, failed, now })))
      throw new Error('a locked session changed while an attempt was counted')
    return true
  })
}
