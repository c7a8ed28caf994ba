import type { FastifyBaseLogger } from 'fastify'
import { isDatabaseAway } from '../../db/database-errors.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Operation } from '../operation.ts'
import type { PaymentServices } from '../services.ts'
import { recordUnknownOutcome, unknownOutcome } from './unknown-outcome.ts'

// What an unexpected error means for money depends on which side of the committed intent it is thrown.

/**
 * Everything up to the committed intent, and all that can fail without the gateway: nothing was sent.
 *
 * @throws ApiError as thrown inside; `internal_error` with `charged: false` for what nobody foresaw
 */
export async function beforeIntent<Planned>(
  { log }: { log: FastifyBaseLogger },
  plan: () => Promise<Planned>,
): Promise<Planned> {
  try {
    return await plan()
  } catch (error) {
    if (error instanceof ApiError || isDatabaseAway(error)) throw error
    log.error({ err: error }, 'a payment failed before its intent was committed; nothing was sent')
    throw new ApiError('internal_error', {
      message: 'Unexpected error. Nothing was charged. Quote the request_id to the operator.',
      extra: { charged: false },
      cause: error,
    })
  }
}

/**
 * Sending, and recording the result. Whatever is thrown here without saying whether money moved leaves the outcome unknown,
 * also after an approval: recovery inquires at the gateway, and no caller receives an "error" for a charge.
 *
 * @throws ApiError `gateway_unavailable`; `gateway_timeout` for every unknown outcome
 */
export async function afterIntent<Response>(
  services: PaymentServices,
  operation: Operation,
  finish: () => Promise<Response>,
): Promise<Response> {
  try {
    return await finish()
  } catch (error) {
    if (error instanceof ApiError && error.detail.extra?.charged !== undefined) throw error
    const { log } = services
    log.error({ err: error, operation: operation.id }, 'a payment failed after its intent; its outcome is unknown')
    await recordUnknownOutcome(services, operation, 'The result could not be recorded').catch((failure: unknown) =>
      log.error({ err: failure, operation: operation.id }, 'unknown outcome not recorded; left to recovery'),
    )
    throw unknownOutcome(services.owners(operation.owner.kind))
  }
}
