import type { FoundTransaction, GatewayResult, InquiryResult } from '../../gateway/gateway.ts'
import type { AdoptingOwner } from '../charge-owner.ts'
import { newReversal } from '../new-operation.ts'
import { fenceOf, isNotFoundFinal, type Operation, type OperationState } from '../operation.ts'
import { findOperation } from '../operation-queries.ts'
import { finalize } from '../outcome-queries.ts'
import type { PaymentServices } from '../services.ts'
import { recordFoundReversal, recordTogether, recordUnpaid } from './record-unpaid.ts'
import { sendReversal } from './reverse-sale.ts'

// Resolves a sale whose outcome was unknown. An approval is reversed or adopted, as its owner defines: reversed after a
// caller got "not confirmed", adopted when no caller got a result. An unknown outcome never counts as a decline, and
// until it is final a unique index prevents another charge of the owner.

/** @returns whether the outcome is final now */
export async function resolveByInquiry(
  services: PaymentServices,
  sale: Operation,
  finding: InquiryResult,
): Promise<boolean> {
  const { clock, timings, gateways } = services
  if (finding.found === 'indeterminate') return false
  if (finding.found === false) {
    const { notFoundFinalAfterMs } = gateways(sale.gateway).capabilities
    if (!isNotFoundFinal(sale, clock.now(), { notFoundFinalAfterMs, agreeingMs: timings.agreeingMs })) return false
    return recordUnpaid(services, sale, { trigger: 'found not charged' })
  }
  const found = finding.transaction
  switch (found.state) {
    case 'approved':
      return acceptOrReverse(services, sale, found)
    case 'partial':
      return reverse(services, sale, found, { isPartial: true })
    case 'declined':
      return recordUnpaid(services, sale, declined(found))
    case 'voided':
    case 'refunded':
      return recordUnpaid(services, sale, { trigger: 'found reversed', code: found.code })
  }
}

/** Recovery claims an operation at most this often in the moment between reading and writing it. */
const LATE_RESULT_READS_MAX = 5

/**
 * Resolves a sale by a result that arrived after the 15 seconds. Race: recovery may be inquiring at the same time. This
 * writer reads the current epoch, so both may write; both write the same fact, and the state lets only one of them
 * through. If recovery claims the operation between the read and the write, both are repeated, because an inquiry may
 * know less than this result.
 */
export async function resolveByLateResult(
  services: PaymentServices,
  sent: Operation,
  late: GatewayResult,
): Promise<void> {
  for (let reads = 0; reads < LATE_RESULT_READS_MAX; reads++) {
    const sale = await findOperation(services.db, sent.businessId, sent.id)
    if (!sale || !OPEN.has(sale.state) || (await recordLateResult(services, sale, late))) return
  }
}

const OPEN: ReadonlySet<OperationState> = new Set(['SENT', 'IN_DOUBT'])

/** @returns `false` if another writer has claimed the operation meanwhile */
async function recordLateResult(services: PaymentServices, sale: Operation, late: GatewayResult): Promise<boolean> {
  switch (late.outcome) {
    case 'approved':
      return acceptOrReverse(services, sale, { ...late, state: 'approved', batchOpen: true, batch: null })
    case 'partial':
      return reverse(services, sale, { ...late, issuerReference: '' }, { isPartial: true })
    case 'declined':
      return recordUnpaid(services, sale, declined(late))
    case 'not_sent':
    case 'refused':
      return recordUnpaid(services, sale, { trigger: 'found not charged' })
    case 'unknown':
      return true
  }
}

const declined = ({ code, message, advice }: Pick<FoundTransaction, 'code' | 'message' | 'advice'>) =>
  ({ trigger: 'declined', code, message, ...(advice && { advice }) }) as const

function acceptOrReverse(services: PaymentServices, sale: Operation, found: FoundTransaction): Promise<boolean> {
  const owner = services.owners(sale.owner.kind)
  return owner.onRecoveredApproval === 'adopt' ? adopt(services, owner, sale, found) : reverse(services, sale, found)
}

async function adopt(
  services: PaymentServices,
  owner: AdoptingOwner,
  sale: Operation,
  found: FoundTransaction,
): Promise<boolean> {
  const { code, message, gatewayRef, issuerReference, networkTransactionId = null } = found
  const now = services.clock.now()
  const outcome = { code, message, gatewayRef, issuerReference, networkTransactionId, now }
  const isAdopted = await recordTogether(
    services,
    (tx) => owner.adopt(tx, sale, found),
    (tx) => finalize(tx, { ...fenceOf(sale), ...outcome, trigger: 'adopted' }),
  )
  if (isAdopted) services.count('adopted')
  return isAdopted
}

async function reverse(
  services: PaymentServices,
  sale: Operation,
  approved: Pick<FoundTransaction, 'code' | 'message' | 'gatewayRef' | 'issuerReference' | 'approvedAmount'>,
  { isPartial = false } = {},
): Promise<boolean> {
  const { clock, timings, log } = services
  const { code, message, gatewayRef, issuerReference } = approved
  const now = clock.now()
  const isWritten = await recordFoundReversal(
    services,
    sale,
    { ...fenceOf(sale), trigger: 'found approved', code, message, gatewayRef, issuerReference, now },
    { reversal: newReversal(sale, 'reversal_void', approved.approvedAmount, now, timings), isPartial },
  )
  if (!isWritten) return false
  log.warn({ operation: sale.id }, 'a sale was approved after its caller got no result; it is being voided')
  await sendReversal(services, { ...sale, gatewayRef })
  return true
}
