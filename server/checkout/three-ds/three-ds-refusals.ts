import type { ThreeDsFailure } from '../../../contract/three-ds.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Authentication } from '../../three-d-secure/authentication.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import { returnUrl } from '../sessions/return-url.ts'
import { PAYMENT_ATTEMPTS_MAX } from '../sessions/session.ts'

// The refusals of TDS-12 to TDS-17. Nothing is charged before `pay`.

const NOT_CHARGED = { charged: false }

const FAILED: Record<ThreeDsFailure['trans_status'], string> = {
  N: 'The bank did not authenticate the payer. Try again or use a different card.',
  R: 'The bank refused this payment. Use a different card.',
  U: 'The security check of the bank is not available. Try again in a few minutes or use a different card.',
  I: 'The security check of the bank is not available. Try again in a few minutes or use a different card.',
}

export function notAuthenticated(
  { session, token }: Pick<LoadedSession, 'session' | 'token'>,
  transStatus: ThreeDsFailure['trans_status'],
  { transStatusReason, cardholderInfo }: Pick<Authentication, 'transStatusReason' | 'cardholderInfo'>,
): ApiError {
  const failure: ThreeDsFailure = {
    trans_status: transStatus,
    trans_status_reason: transStatusReason,
    cardholder_info: cardholderInfo,
    attempt_count: session.attemptCount,
    max_attempts: PAYMENT_ATTEMPTS_MAX,
    cancel_url: returnUrl(session.cancelUrl, token),
  }
  return new ApiError('three_ds_failed', { message: FAILED[transStatus], extra: { ...failure, ...NOT_CHARGED } })
}

export const cardNotSupported = () =>
  new ApiError('DDD_NOT_SUPPORTED', {
    message: 'The card does not support 3-D Secure 2, which the merchant requires. Use a different card.',
    extra: NOT_CHARGED,
  })

export const authenticationExpired = () =>
  new ApiError('three_ds_expired', {
    message: 'The authentication took too long, was replaced by a newer one, or was used. Begin a new one.',
    extra: NOT_CHARGED,
  })

export const threeDsServerFailed = ({
  errorCode,
  errorComponent,
}: Pick<Authentication, 'errorCode' | 'errorComponent'>) =>
  new ApiError('three_ds_server_error', {
    message: 'The 3-D Secure server failed. Nothing was charged. Try again.',
    extra: { error_code: errorCode, error_component: errorComponent, ...NOT_CHARGED },
  })

/** @param seconds seconds until the session ends */
export const tooManyAuthentications = (max: number, seconds: number) =>
  new ApiError('rate_limited', {
    message: `A session allows ${max} authentications. Begin a new session.`,
    headers: { 'retry-after': String(seconds) },
    extra: { retry_after: seconds },
  })
