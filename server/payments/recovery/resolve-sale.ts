import type { GatewayResult, InquiryResult } from '../../gateway/gateway.ts'
import type { Cents } from '../../lib/money.ts'
import { newReversal } from '../new-operation.ts'
import { isNotFoundFinal, type Operation } from '../operation.ts'
import { finalize, finalizeWithReversal, findOperation, type Outcome } from '../operation-queries.ts'
import { failedSaleEvent } from '../stored-card-sale/failed-sale.ts'
import { fenceOf, type MoneyServices, sendReversal } from './reverse-sale.ts'

// What becomes of a sale whose caller was told «no response». An approval is reversed, because somebody was told no; it never
// counts as a decline; and until it is settled its owner takes no new charge (the unique index sees to that).

/** @returns whether the doubt is over */
export async function resolveByInquiry(
  services: MoneyServices,
  sale: Operation,
  finding: InquiryResult,
): Promise<boolean> {
  const { clock, timings, gateways } = services
  if (finding.found === 'indeterminate') return false
  if (finding.found === false) {
    const notFoundFinalAfterMs = gateways(sale.gateway).capabilities.notFoundFinalAfterMs
    if (!isNotFoundFinal(sale, clock.now(), { notFoundFinalAfterMs, agreeingMs: timings.agreeingMs })) return false
    return finalizeFailed(services, sale, { trigger: 'found not charged' })
  }
  const { transaction } = finding
  switch (transaction.state) {
    case 'approved':
    case 'partial':
      return reversal(services, sale, { ...transaction, amount: transaction.approvedAmount })
    case 'declined':
      return finalizeFailed(services, sale, { trigger: 'declined', code: transaction.code })
    case 'voided':
    case 'refunded':
      return finalizeFailed(services, sale, { trigger: 'found reversed', code: transaction.code })
  }
}

/**
 * The gateway answered after the 15 seconds: as good as an inquiry, whoever asks meanwhile. It takes the epoch of that one:
 * what it writes can only be «not charged» or «to be reversed», and the state lets one of the two write.
 */
export async function resolveByLateResult(
  services: MoneyServices,
  sent: Operation,
  late: GatewayResult,
): Promise<void> {
  const sale = await findOperation(services.db, sent.businessId, sent.id)
  if (!sale) return
  switch (late.outcome) {
    case 'approved':
    case 'partial': {
      const issuerReference = late.outcome === 'approved' ? late.issuerReference : ''
      await reversal(services, sale, { ...late, issuerReference, amount: late.approvedAmount })
      return
    }
    case 'declined':
      await finalizeFailed(services, sale, { trigger: 'declined', code: late.code })
      return
    case 'not_sent':
    case 'refused':
      await finalizeFailed(services, sale, { trigger: 'found not charged' })
      return
    case 'unknown':
      return
  }
}

/** Nothing was taken, and that is certain now. */
async function finalizeFailed(
  services: MoneyServices,
  sale: Operation,
  outcome: Pick<Outcome, 'trigger' | 'code'>,
): Promise<boolean> {
  const event = await failedSaleEvent(services, sale, outcome)
  return finalize(services.db, { ...fenceOf(sale), ...outcome, now: services.clock.now() }, event)
}

async function reversal(
  services: MoneyServices,
  sale: Operation,
  approved: { code: string; gatewayRef: string; issuerReference: string; amount: Cents },
): Promise<boolean> {
  const { db, clock, timings } = services
  const { code, gatewayRef, issuerReference } = approved
  const now = clock.now()
  const written = await finalizeWithReversal(
    db,
    { ...fenceOf(sale), trigger: 'found approved', code, gatewayRef, issuerReference, now },
    newReversal(sale, 'void', approved.amount, now, timings),
    await failedSaleEvent(services, sale, {}),
  )
  if (!written) return false
  services.log.warn({ operation: sale.id }, 'a sale was approved after its caller was told no: it is being voided')
  await sendReversal(services, { ...sale, gatewayRef })
  return true
}
