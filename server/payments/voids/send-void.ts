import type { GatewayResult } from '../../gateway/gateway.ts'
import { callGateway, inquire } from '../call-gateway.ts'
import type { Operation } from '../operation.ts'
import { findOperation } from '../operation-queries.ts'
import type { Payment } from '../payment.ts'
import type { PaymentServices } from '../services.ts'
import { recordFailedVoid, recordVoided } from './record-void.ts'

/** Step 2: calls the gateway once. Returns `unknown` after 15 seconds; a later result is recorded when it arrives. */
export function sendVoid(services: PaymentServices, operation: Operation, sale: Operation): Promise<GatewayResult> {
  const gateway = services.gateways(operation.gateway)
  const original = { gatewayRef: sale.gatewayRef ?? '', originalMerchantRef: sale.merchantRef }
  return callGateway(operation, (shared) => gateway.void({ ...shared, ...original }), {
    ...services,
    onLateResult: (late) => recordLateResult(services, operation, late),
  })
}

/** What became of a void. `undecided`: unknown, or another writer was first. */
export type VoidEnd =
  | { end: 'voided'; payment: Payment }
  | { end: 'settled' }
  | { end: 'refused'; message: string }
  | { end: 'undecided' }

export const UNDECIDED: VoidEnd = { end: 'undecided' }

/**
 * Records a definite result. A refusal alone is not definite: the gateway refuses to void a sale that is already
 * voided, or whose batch has closed, and only the state of the sale distinguishes the two.
 *
 * @param isLast whether no earlier request of this void may still reach the gateway
 * @see REF-11
 */
export async function recordDefinite(
  services: PaymentServices,
  operation: Operation,
  { sale, result, isLast }: { sale: Operation; result: GatewayResult; isLast: boolean },
): Promise<VoidEnd> {
  switch (result.outcome) {
    case 'approved':
      return voided(services, operation, result.message)
    case 'declined':
    case 'refused':
      return recordRefusal(services, operation, { sale, message: result.message, isLast })
    case 'partial':
    case 'not_sent':
    case 'unknown':
      return UNDECIDED
  }
}

async function recordRefusal(
  services: PaymentServices,
  operation: Operation,
  { sale, message, isLast }: { sale: Operation; message: string; isLast: boolean },
): Promise<VoidEnd> {
  const finding = await inquire(services, sale)
  if (finding.found !== true) return UNDECIDED
  const { state, batchOpen } = finding.transaction
  if (state === 'voided') return voided(services, operation, message)
  if (batchOpen && !isLast) return UNDECIDED
  const isRecorded = await recordFailedVoid(services, operation, 'declined', message)
  if (!isRecorded) return UNDECIDED
  return batchOpen ? { end: 'refused', message } : { end: 'settled' }
}

async function voided(services: PaymentServices, operation: Operation, message: string): Promise<VoidEnd> {
  const payment = await recordVoided(services, operation, message)
  return payment ? { end: 'voided', payment } : UNDECIDED
}

/** Recovery claims an operation at most this often in the moment between reading and writing it. */
const LATE_RESULT_READS_MAX = 5

/**
 * Records an approval that arrived after the 15 seconds, whoever owns the operation now. Recovery resolves other
 * results.
 */
async function recordLateResult(services: PaymentServices, sent: Operation, late: GatewayResult): Promise<void> {
  if (late.outcome !== 'approved') return
  for (let reads = 0; reads < LATE_RESULT_READS_MAX; reads++) {
    const operation = await findOperation(services.db, sent.businessId, sent.id)
    if (!operation || (operation.state !== 'SENT' && operation.state !== 'IN_DOUBT')) return
    if (await recordVoided(services, operation, late.message)) return
  }
}
