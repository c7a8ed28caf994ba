import { ApiError } from '../lib/errors.ts'

/**
 * Returns the merchant API's error for a declined charge.
 *
 * @param code the result code, shown as `decline_code`
 */
export function cardDeclined({ code, message }: { code: string; message: string }): ApiError {
  return new ApiError('card_declined', {
    message: `The card was declined: ${message || 'no reason was given'}`,
    errors: { payment_method: ['was declined'] },
    extra: { decline_code: code },
  })
}

/**
 * Maps an error of `charge()` to the merchant API: 402 for an unknown outcome, which is reversed if it was approved;
 * 503 if nothing was sent.
 *
 * @see SUB-4, SUB-33
 */
export function chargeRefusal(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { message } = error.detail
  if (error.code === 'gateway_timeout') return new ApiError('card_declined', { message, cause: error })
  return error.code === 'gateway_unavailable' ? gatewayUnavailable(message) : error
}

/** Nothing was charged, nor will be: the request may be repeated. */
export function gatewayUnavailable(message: string): ApiError {
  return new ApiError('unavailable', { message, headers: { 'retry-after': '2' } })
}
