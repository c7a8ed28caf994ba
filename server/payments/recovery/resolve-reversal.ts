import type { FoundTransaction, InquiryResult } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import { inquire } from '../call-gateway.ts'
import { newReversal } from '../new-operation.ts'
import { fenceOf, isNotFoundFinal, nextInquiryAt, type Operation, type Resolution } from '../operation.ts'
import { findOperation, renewDeadline } from '../operation-queries.ts'
import { replaceReversal } from '../outcome-queries.ts'
import type { PaymentServices } from '../services.ts'
import { callReversal, recordReversalResult, recordReversed, sendReversal } from './reverse-sale.ts'

/** Runs one round of recovery for an open reversal. The sale's state at the gateway shows whether it is reversed. */
export async function resolveReversal(services: PaymentServices, reversal: Operation): Promise<Resolution> {
  const sale = await findOperation(services.db, reversal.businessId, reversal.parentId ?? '')
  if (!sale) throw new Error('the sale of a reversal is missing')
  const finding = await inquire(services, sale)
  if (finding.found !== true) return { notFoundSince: reversal.notFoundSince }
  const { transaction } = finding
  if (holdsNothing(transaction)) return resolvedIf(recordReversed(services, reversal, sale))
  const own = await inquire(services, reversal)
  if (own.found === true && own.transaction.state === 'declined')
    return resolvedIf(reverseAnew(services, reversal, sale))
  if (reversal.kind === 'reversal_refund')
    return resolveRefund(services, reversal, { ...sale, gatewayRef: transaction.gatewayRef }, own)
  if (!transaction.batchOpen) return resolvedIf(refundInstead(services, reversal, sale, transaction))
  return sendAgain(services, reversal, { ...sale, gatewayRef: transaction.gatewayRef })
}

/** Whether the sale holds no money. A partial approval of 0 needs no reversal: no gateway refunds 0. */
const holdsNothing = ({ state, approvedAmount }: FoundTransaction) =>
  state === 'partial' ? approvedAmount === 0 : state !== 'approved'

const resolvedIf = async (isResolved: Promise<boolean>): Promise<Resolution> =>
  (await isResolved) ? 'resolved' : { notFoundSince: null }

/** Sends the refund again, but not while the earlier request with the same reference may still arrive. */
async function resolveRefund(
  services: PaymentServices,
  refund: Operation,
  sale: Operation,
  finding: InquiryResult,
): Promise<Resolution> {
  const { clock, timings, gateways } = services
  if (finding.found !== false) return { notFoundSince: finding.found === true ? null : refund.notFoundSince }
  const notFoundFinalAfterMs = gateways(refund.gateway).capabilities.notFoundFinalAfterMs
  const isFinal = isNotFoundFinal(refund, clock.now(), { notFoundFinalAfterMs, agreeingMs: timings.agreeingMs })
  if (!isFinal) return { notFoundSince: refund.notFoundSince ?? clock.now() }
  return sendAgain(services, refund, sale)
}

async function sendAgain(services: PaymentServices, reversal: Operation, sale: Operation): Promise<Resolution> {
  const { db, clock, timings } = services
  const deadlineAt = addSeconds(clock.now(), timings.responseMs / 1000)
  if (!(await renewDeadline(db, reversal, deadlineAt))) return { notFoundSince: null }
  const result = await callReversal(services, { ...reversal, deadlineAt }, sale)
  return resolvedIf(recordReversalResult(services, reversal, sale, result))
}

/** Replaces a declined reversal with one that has a new reference and the inquiry schedule of the first. */
function reverseAnew(services: PaymentServices, reversal: Operation, sale: Operation): Promise<boolean> {
  const { db, clock, timings } = services
  const now = clock.now()
  const { sentAt, amount } = reversal
  const kind = reversal.kind === 'reversal_refund' ? 'reversal_refund' : 'reversal_void'
  const next = newReversal(sale, kind, amount, now, timings)
  return replaceReversal(
    db,
    { ...fenceOf(reversal), trigger: 'declined', message: 'The gateway declined the reversal', now },
    { ...next, sentAt, deadlineAt: now, nextInquiryAt: nextInquiryAt(sentAt, now, timings.scale) },
  )
}

/** Replaces a void with a refund, because the batch was settled before the void arrived. */
async function refundInstead(
  services: PaymentServices,
  reversal: Operation,
  sale: Operation,
  { approvedAmount, gatewayRef }: FoundTransaction,
): Promise<boolean> {
  const now = services.clock.now()
  const refund = newReversal(sale, 'reversal_refund', approvedAmount, now, services.timings)
  const message = 'The batch was settled before the void'
  const replaced = await replaceReversal(
    services.db,
    { ...fenceOf(reversal), trigger: 'declined', message, now },
    refund,
  )
  if (replaced) await sendReversal(services, { ...sale, gatewayRef })
  return replaced
}
