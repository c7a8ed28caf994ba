import type { Rules } from './rules.ts'
import {
  AMOUNT,
  isOpen,
  type Operation,
  type Payment,
  type Reference,
  type Result,
  requesterOf,
  rowOf,
  type State,
  withRow,
} from './state.ts'

/**
 * Step 3: the outcome, and its effect on the payment, in one transaction.
 *
 * @param epoch `null` for a writer that reads it directly before
 * @returns `null` if another writer has decided the outcome first
 */
export function record(
  state: State,
  { reference, result, epoch }: { reference: Reference; result: Result; epoch: number | null },
  { fencedByEpoch, fencedByState }: Rules,
): State | null {
  const operation = rowOf(state.operations, reference) ?? newOperation(reference)
  if (fencedByState && !isOpen(operation)) return null
  if (fencedByEpoch && epoch !== null && operation.epoch !== epoch) return null
  const ended: Operation = { ...operation, state: result === 'approved' ? 'APPROVED' : 'DECLINED' }
  const operations = withRow(state.operations, ended)
  return { ...state, operations, payment: result === 'approved' ? paymentAfter(state, reference) : state.payment }
}

export const newOperation = (reference: Reference): Operation => ({ reference, state: 'SENT', epoch: 1 })

function paymentAfter(state: State, reference: Reference): Payment {
  const { wanted, amount } = requesterOf(state, reference)
  if (wanted === 'void') return { ...state.payment, status: 'voided' }
  const refunded = state.payment.refunded + amount
  return { status: refunded >= AMOUNT ? 'refunded' : state.payment.status, refunded }
}

/** Marks the outcome as unknown: the operation is left to recovery. */
export function markInDoubt(state: State, reference: Reference): State {
  const operation = rowOf(state.operations, reference)
  if (operation?.state !== 'SENT') return state
  return { ...state, operations: withRow(state.operations, { ...operation, state: 'IN_DOUBT' }) }
}
