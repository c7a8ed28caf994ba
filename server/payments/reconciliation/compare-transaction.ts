import type { ListedTransaction } from '../../gateway/gateway.ts'
import { holdsCardNumber } from '../../lib/card-number-in-text.ts'
import type { Finding, FindingKind, OurOperation } from './finding.ts'

/** Replaces a reference that is not ours and contains a card number, which another system may have sent. */
const REMOVED = '[card number removed]'

/** The fields of a listed transaction that are compared. */
export type Compared = Omit<ListedTransaction, 'at'>

/**
 * Compares a transaction of the gateway with the operation that has its reference.
 *
 * @param ours `undefined` when no operation of the terminal has the reference
 * @param isRepeated whether an earlier transaction of the list has the same reference
 * @returns the difference, or `null`
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

/** Returns the finding for an approved operation that the gateway does not have. */
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

/**
 * Whether the gateway's transaction is not our operation but a duplicate. Our own reversals do not store the gateway's
 * reference, so for them the second transaction with the same reference is the duplicate.
 */
function isAnother(theirs: Compared, ours: OurOperation, isRepeated: boolean): boolean {
  if (theirs.kind !== ours.kind) return true
  return ours.gatewayRef === null ? isRepeated : ours.gatewayRef !== theirs.gatewayRef
}

/** Whether both states agree: a sale that was not approved, or was reversed, must not hold money at the gateway. */
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
