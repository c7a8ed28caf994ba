import type { GatewayResult } from '../../gateway/gateway.ts'
import type { Operation } from '../operation.ts'
import { recordUnknownOutcome } from '../record-unknown-outcome.ts'
import type { SendingServices } from '../services.ts'
import { whileCallerWaits } from '../while-caller-waits.ts'
import { type BegunRefund, beginRefund, type RefundOrder } from './begin-refund.ts'
import { recordFailedRefund } from './record-refund.ts'
import type { Refund } from './refund.ts'
import { findRefund } from './refund-queries.ts'
import { recordDefinite, sendRefund } from './send-refund.ts'

/**
 * Refunds a payment of any kind, in whole or in part. The three steps are those of a charge (PAY-1 to PAY-9). Once the
 * intent is committed the refund exists, so nothing is thrown any more: an unknown outcome is a `pending` refund, whose
 * amount stays reserved until recovery resolves it.
 *
 * @throws ApiError `not_found`, `conflict`, `validation_failed`
 * @see REF-2 to REF-8
 */
export async function refundPayment(services: SendingServices, order: RefundOrder): Promise<Refund> {
  const begun = await beginRefund(services, order)
  const { operation, refund } = begun
  try {
    const result = await sendRefund(services, operation, begun.sale)
    services.faults.reach('after:gateway_result')
    const recorded = await recordResult(services, begun, result)
    services.faults.reach('after:result_commit')
    return recorded
  } catch (error) {
    services.log.error({ err: error, operation: operation.id }, 'a refund failed after its intent; left to recovery')
    await recordUnknownOutcome(services, operation, 'The result could not be recorded').catch((failure: unknown) =>
      services.log.error({ err: failure, operation: operation.id }, 'unknown outcome not recorded; left to recovery'),
    )
    return refund
  }
}

/** Step 3: records the result, and repeats that while the database is away. */
async function recordResult(services: SendingServices, begun: BegunRefund, result: GatewayResult): Promise<Refund> {
  const { operation, refund } = begun
  const recorded = await whileCallerWaits(services, operation, () => recordOnce(services, operation, result))
  // `null`: not recorded, still unknown, or another writer was first, perhaps an earlier attempt of this same write.
  return recorded ?? (await findRefund(services.db, refund.businessId, refund.id)) ?? refund
}

async function recordOnce(
  services: SendingServices,
  operation: Operation,
  result: GatewayResult,
): Promise<Refund | null> {
  if (result.outcome === 'not_sent') {
    const { message } = result
    return recordFailedRefund(services, operation, { reason: 'gateway_unavailable', trigger: 'not sent', message })
  }
  if (result.outcome === 'unknown' || result.outcome === 'partial') {
    await recordUnknownOutcome(services, operation, result.message)
  }
  return recordDefinite(services, operation, result)
}
