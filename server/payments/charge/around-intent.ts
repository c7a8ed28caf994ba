import type { FastifyBaseLogger } from 'fastify'
import { isDatabaseAway } from '../../db/database-errors.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Operation } from '../operation.ts'
import { recordUnknownOutcome } from '../record-unknown-outcome.ts'
import type { PaymentServices } from '../services.ts'
import { type Begun, unknownOutcome } from './charged.ts'

// Whether an unexpected error may have moved money depends on whether the intent was already committed.

/**
 * Runs everything before the intent is committed. Any error here proves that nothing was sent.
 *
 * @throws ApiError any that `plan` throws; `internal_error` with `charged: false` for an unexpected error
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
 * Runs everything after the intent is committed. An error leaves the outcome unknown, even after an approval, and
 * recovery inquires at the gateway.
 *
 * @throws ApiError a refusal with `charged`, by a plan that has reversed the approval itself (SUB-42)
 */
export async function afterIntent<Response>(
  services: PaymentServices,
  operation: Operation,
  finish: () => Promise<Begun<Response>>,
): Promise<Begun<Response>> {
  try {
    return await finish()
  } catch (error) {
    if (error instanceof ApiError && error.detail.extra?.charged !== undefined) throw error
    const { log } = services
    log.error({ err: error, operation: operation.id }, 'a payment failed after its intent; its outcome is unknown')
    await recordUnknownOutcome(services, operation, 'The result could not be recorded').catch((failure: unknown) =>
      log.error({ err: failure, operation: operation.id }, 'unknown outcome not recorded; left to recovery'),
    )
    return unknownOutcome(services.owners(operation.owner.kind))
  }
}
