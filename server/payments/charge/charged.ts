import { ApiError } from '../../lib/errors.ts'
import type { ChargeOwner } from '../charge-owner.ts'

/**
 * How a charge ended for its caller.
 *
 * - `recorded`: the gateway approved or declined, and the result is durable.
 * - `unknown`: money may have moved. Recovery inquires; what happens to an approval depends on the owner.
 * - `not sent`: nothing was charged, nor will be.
 * - `blocked`: nothing was sent. The owner may not be charged now, or already has an open or approved sale.
 *
 * The messages are sentences for the caller.
 */
export type Charged<Response> = Begun<Response> | { outcome: 'blocked' }

/** Outcome of a charge whose intent was committed. */
export type Begun<Response> =
  | { outcome: 'recorded'; response: Response }
  | { outcome: 'unknown'; message: string }
  | { outcome: 'not sent'; message: string }

export const unknownOutcome = ({ unconfirmedMessage }: Pick<ChargeOwner, 'unconfirmedMessage'>) => ({
  outcome: 'unknown' as const,
  message: `The payment could not be confirmed yet. ${unconfirmedMessage}`,
})

/**
 * Returns the response of a charge with a result.
 *
 * @throws ApiError `gateway_timeout` for an unknown outcome, `gateway_unavailable` if nothing was sent
 */
export function responseOf<Response>(charged: Begun<Response>): Response {
  if (charged.outcome === 'recorded') return charged.response
  const { message } = charged
  throw charged.outcome === 'unknown'
    ? new ApiError('gateway_timeout', { message, extra: { charged: null } })
    : new ApiError('gateway_unavailable', { message, extra: { charged: false } })
}
