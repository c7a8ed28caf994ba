import type { GatewayResult } from '../../gateway/gateway.ts'
import { callGateway } from '../call-gateway.ts'
import type { Operation } from '../operation.ts'
import { findOperation } from '../operation-queries.ts'
import type { PaymentServices } from '../services.ts'
import { type ApprovedRefund, recordFailedRefund, recordRefunded } from './record-refund.ts'
import type { Refund } from './refund.ts'

/** Step 2: calls the gateway once. Returns `unknown` after 15 seconds; a later result is recorded when it arrives. */
export function sendRefund(services: PaymentServices, refund: Operation, sale: Operation): Promise<GatewayResult> {
  const gateway = services.gateways(refund.gateway)
  const original = { gatewayRef: sale.gatewayRef ?? '', originalMerchantRef: sale.merchantRef }
  return callGateway(refund, (shared) => gateway.refund({ ...shared, ...original, amount: refund.amount }), {
    ...services,
    onLateResult: (late) => recordLateResult(services, refund, late),
  })
}

/**
 * Records a definite result. A refund of less than the requested amount is not definite: it stays open until a person
 * looks at it.
 *
 * @returns `null` when the outcome stays unknown, or another writer has decided it
 */
export async function recordDefinite(
  services: PaymentServices,
  refund: Operation,
  result: GatewayResult,
): Promise<Refund | null> {
  const { log } = services
  switch (result.outcome) {
    case 'approved':
      return recordRefunded(services, refund, approvedRefund(result))
    case 'declined':
      return recordFailedRefund(services, refund, { reason: 'declined', trigger: 'declined', message: result.message })
    case 'refused':
      log.error({ operation: refund.id, reason: result.reason }, 'the gateway refused a refund')
      return recordFailedRefund(services, refund, { reason: 'refused', trigger: 'declined', message: result.message })
    case 'partial':
      log.error({ operation: refund.id }, 'the gateway refunded less than it was asked to')
      return null
    case 'not_sent':
    case 'unknown':
      return null
  }
}

export const approvedRefund = ({ code, message, gatewayRef, issuerReference }: ApprovedRefund): ApprovedRefund => ({
  code,
  message,
  gatewayRef,
  issuerReference,
})

/** Recovery claims an operation at most this often in the moment between reading and writing it. */
const LATE_RESULT_READS_MAX = 5

/**
 * Records a result that arrived after the 15 seconds, whoever owns the operation now: it is what recovery is trying to
 * find out.
 */
async function recordLateResult(services: PaymentServices, sent: Operation, late: GatewayResult): Promise<void> {
  for (let reads = 0; reads < LATE_RESULT_READS_MAX; reads++) {
    const refund = await findOperation(services.db, sent.businessId, sent.id)
    if (!refund || (refund.state !== 'SENT' && refund.state !== 'IN_DOUBT')) return
    if (late.outcome === 'unknown' || late.outcome === 'partial' || late.outcome === 'not_sent') return
    if (await recordDefinite(services, refund, late)) return
  }
}
