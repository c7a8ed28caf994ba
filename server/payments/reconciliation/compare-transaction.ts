import type { ListedTransaction } from '../../gateway/gateway.ts'
import { holdsCardNumber } from '../../lib/card-number-in-text.ts'
import type { Finding, FindingKind, OurOperation } from './finding.ts'

/** Stands for a reference that is not ours and holds a card number: anyone can have typed it. */
const REMOVED = '[card number removed]'

/** What of a listed transaction is compared. */
export type Compared = Omit<ListedTransaction, 'at'>

/**
 * Compares a transaction of the gateway with the operation that has its reference.
 *
 * @param ours `undefined` when no operation of the terminal has the reference
 * @param isRepeated the list had this reference before
 * @returns `null` when they agree
 */
export function compareTransaction(
  theirs: Compared,
  ours: OurOperation | undefined,
  isRepeated = false,
): Finding | null {
  const holdsMoney = theirs.state === 'approved' || theirs.state === 'partial'
  if (!ours) return holdsMoney || theirs.state === 'refunded' ? finding('unknown_transaction', theirs) : null
  if (isAnother(theirs, ours, isRepeated)) return holdsMoney ? finding('duplicate_transaction', theirs, ours) : null
  if (!statesAgree(theirs, ours)) return finding('state_differs', theirs, ours)
  if (!holdsMoney) return null
  const amountsAgree = theirs.approvedAmount === ours.amount && theirs.currency === ours.currency
  return amountsAgree ? null : finding('amount_differs', theirs, ours)
}

/** Approved here, unknown there. */
export function missingTransaction(ours: OurOperation): Finding {
  return {
    kind: 'missing_transaction',
    subject: ours.id,
    transactionKind: ours.kind === 'refund' ? 'refund' : 'sale',
    operationId: ours.id,
    merchantRef: ours.merchantRef,
    gatewayRef: ours.gatewayRef,
    ourState: ours.state,
    ourAmount: ours.amount,
    gatewayState: null,
    gatewayAmount: null,
    currency: ours.currency,
  }
}

/** Refunds do not keep the gateway's reference, so there the second one of a reference is the other one. */
function isAnother(theirs: Compared, ours: OurOperation, isRepeated: boolean): boolean {
  if (theirs.kind !== ours.kind) return true
  return ours.gatewayRef === null ? isRepeated : ours.gatewayRef !== theirs.gatewayRef
}

/** What was never approved here, or was reversed, must hold no money there. */
function statesAgree({ state }: Compared, ours: OurOperation): boolean {
  if (ours.state !== 'APPROVED') return state !== 'approved' && state !== 'partial'
  if (ours.isVoided) return state === 'voided'
  const isRefunded = ours.kind === 'sale' && ours.refundedAmount >= ours.amount
  return state === (isRefunded ? 'refunded' : 'approved')
}

function finding(kind: FindingKind, theirs: Compared, ours?: OurOperation): Finding {
  return {
    kind,
    subject: theirs.gatewayRef,
    transactionKind: theirs.kind,
    operationId: ours?.id ?? null,
    merchantRef: ours || !holdsCardNumber(theirs.merchantRef) ? theirs.merchantRef : REMOVED,
    gatewayRef: theirs.gatewayRef,
    ourState: ours?.state ?? null,
    ourAmount: ours?.amount ?? null,
    gatewayState: theirs.state,
    gatewayAmount: theirs.approvedAmount,
    currency: theirs.currency,
  }
}
