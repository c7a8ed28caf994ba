import type { FoundMovement, InquiryResult } from '../../gateway/gateway.ts'
import { addSeconds } from '../../lib/clock.ts'
import { newUndo } from '../new-operation.ts'
import { isNotFoundFinal, nextInquiryAt, type Operation } from '../operation.ts'
import { findOperation, renewDeadline, replaceUndo } from '../operation-queries.ts'
import {
  askToUndo,
  fenceOf,
  inquire,
  type MoneyServices,
  sendUndo,
  writeUndoAnswer,
  writeUndone,
} from './reverse-sale.ts'

/** What one round of the resolver came to. */
export type Resolution = 'settled' | { notFoundSince: Date | null }

/** One round of the resolver for a void or refund whose outcome is open: the sale itself says whether it is undone. */
export async function resolveUndo(services: MoneyServices, undo: Operation): Promise<Resolution> {
  const sale = await findOperation(services.db, undo.businessId, undo.parentId ?? '')
  if (!sale) throw new Error('An undo without its sale')
  const finding = await inquire(services, sale)
  if (finding.found !== true) return { notFoundSince: undo.notFoundSince }
  const { movement } = finding
  if (['voided', 'refunded', 'declined'].includes(movement.state)) return settledIf(writeUndone(services, undo, sale))
  const own = await inquire(services, undo)
  if (own.found === true && own.movement.state === 'declined') return settledIf(askAnew(services, undo, sale))
  if (undo.kind === 'refund') return resolveRefund(services, undo, { ...sale, gatewayRef: movement.gatewayRef }, own)
  if (!movement.batchOpen) return settledIf(refundInstead(services, undo, sale, movement))
  return sendAgain(services, undo, { ...sale, gatewayRef: movement.gatewayRef })
}

const settledIf = async (isSettled: Promise<boolean>): Promise<Resolution> =>
  (await isSettled) ? 'settled' : { notFoundSince: null }

/** A refund is not repeated while an earlier one of the same reference may still arrive. */
async function resolveRefund(
  services: MoneyServices,
  refund: Operation,
  sale: Operation,
  finding: InquiryResult,
): Promise<Resolution> {
  const { clock, timings, gateways } = services
  if (finding.found !== false) return { notFoundSince: finding.found === true ? null : refund.notFoundSince }
  const settleMs = gateways(refund.gateway).capabilities.notFoundFinalAfterMs
  const isFinal = isNotFoundFinal(refund, clock.now(), { settleMs, agreeingMs: timings.agreeingMs })
  if (!isFinal) return { notFoundSince: refund.notFoundSince ?? clock.now() }
  return sendAgain(services, refund, sale)
}

async function sendAgain(services: MoneyServices, undo: Operation, sale: Operation): Promise<Resolution> {
  const { db, clock, timings } = services
  const deadlineAt = addSeconds(clock.now(), timings.answerMs / 1000)
  if (!(await renewDeadline(db, undo, deadlineAt))) return { notFoundSince: null }
  const result = await askToUndo(services, { ...undo, deadlineAt }, sale)
  return settledIf(writeUndoAnswer(services, undo, sale, result))
}

/** The gateway declined it. That reference stays declined, so the next try has a new one, on the timetable of the first. */
function askAnew(services: MoneyServices, undo: Operation, sale: Operation): Promise<boolean> {
  const { db, clock, timings } = services
  const now = clock.now()
  const { sentAt, amount } = undo
  const kind = undo.kind === 'refund' ? 'refund' : 'void'
  const next = newUndo(sale, kind, amount, now, timings)
  return replaceUndo(
    db,
    { ...fenceOf(undo), trigger: 'declined', message: 'The gateway declined it', now },
    { ...next, sentAt, deadlineAt: now, lookAgainAt: nextInquiryAt(sentAt, now, timings.scale) },
  )
}

/** The batch closed before the void arrived: the money is on its way, and goes back as a refund. */
async function refundInstead(
  services: MoneyServices,
  undo: Operation,
  sale: Operation,
  { approvedAmount, gatewayRef }: FoundMovement,
): Promise<boolean> {
  const now = services.clock.now()
  const refund = newUndo(sale, 'refund', approvedAmount, now, services.timings)
  const message = 'The batch closed'
  const replaced = await replaceUndo(services.db, { ...fenceOf(undo), trigger: 'declined', message, now }, refund)
  if (replaced) await sendUndo(services, { ...sale, gatewayRef })
  return replaced
}
