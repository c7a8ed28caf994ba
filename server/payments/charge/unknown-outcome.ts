import { ApiError } from '../../lib/errors.ts'
import type { ChargeOwner } from '../charge-owner.ts'

/** Returns the error for a caller whose outcome is not known yet. */
export function unknownOutcome({ unconfirmedMessage }: Pick<ChargeOwner, 'unconfirmedMessage'>): ApiError {
  return new ApiError('gateway_timeout', {
    message: `The payment could not be confirmed yet. ${unconfirmedMessage}`,
    extra: { charged: null },
  })
}
