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

/** Nothing was charged, nor will be: the request may be repeated. */
export function gatewayUnavailable(message: string): ApiError {
  return new ApiError('unavailable', { message, headers: { 'retry-after': '2' } })
}
