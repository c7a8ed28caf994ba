import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayResult } from '../../gateway/gateway.ts'
import { callGateway, type GatewayCall } from '../call-gateway.ts'
import { fenceOf, nextInquiryAt, type Operation } from '../operation.ts'
import { findOpenReversal } from '../operation-queries.ts'
import { finalize, finalizeReversal } from '../outcome-queries.ts'
import type { PaymentServices } from '../services.ts'

/**
 * Sends the recorded reversal of a sale, after a partial approval or an approval found by recovery. If it does not
 * succeed now, recovery continues, because the reversal's row is open.
 *
 * @see REC-1 to REC-3
 */
export async function sendReversal(services: PaymentServices, sale: Operation): Promise<void> {
  const reversal = await findOpenReversal(services.db, sale.businessId, sale.id)
  if (!reversal || !sale.gatewayRef) return
  const result = await callReversal(services, reversal, sale)
  await recordReversalResult(services, reversal, sale, result)
}

/**
 * Immediately voids an approval that must not stand, such as a partial one. The caller waits for it until the deadline
 * of the sale; then recovery continues.
 */
export async function reverseNow(services: PaymentServices, sale: Operation): Promise<void> {
  const { clock, log } = services
  const left = sale.deadlineAt.getTime() - clock.now().getTime()
  const reversed = sendReversal(services, sale).catch((error: unknown) =>
    log.warn({ err: error, operation: sale.id }, 'void not completed; left to recovery'),
  )
  await Promise.race([reversed, sleep(Math.max(0, left), undefined, { ref: false })])
}

export function callReversal(services: PaymentServices, reversal: Operation, sale: Operation): Promise<GatewayResult> {
  const gateway = services.gateways(reversal.gateway)
  const original = { gatewayRef: sale.gatewayRef ?? '', originalMerchantRef: sale.merchantRef }
  const call: GatewayCall = (shared) =>
    reversal.kind === 'reversal_refund'
      ? gateway.refund({ ...shared, ...original, amount: reversal.amount })
      : gateway.void({ ...shared, ...original })
  return callGateway(reversal, call, {
    ...services,
    onLateResult: async (late) => void (await recordReversalResult(services, reversal, sale, late)),
  })
}

/** @returns whether the sale is reversed */
export async function recordReversalResult(
  services: PaymentServices,
  reversal: Operation,
  sale: Operation,
  result: GatewayResult,
): Promise<boolean> {
  if (result.outcome === 'approved') return recordReversed(services, reversal, sale)
  services.log.warn({ operation: reversal.id, outcome: result.outcome }, 'a reversal is not completed yet')
  const now = services.clock.now()
  await finalize(services.db, {
    ...fenceOf(reversal),
    trigger: 'silence',
    message: result.message,
    nextInquiryAt: nextInquiryAt(reversal.sentAt, now, services.timings.scale),
    now,
  })
  return false
}

export async function recordReversed(
  services: PaymentServices,
  reversal: Operation,
  sale: Operation,
): Promise<boolean> {
  const now = services.clock.now()
  const isReversed = await finalizeReversal(
    services.db,
    { ...fenceOf(reversal), trigger: 'approved', code: 'AA', now },
    { businessId: sale.businessId, operationId: sale.id, now },
  )
  if (isReversed) services.count('reversed')
  return isReversed
}
