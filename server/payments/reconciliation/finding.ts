import type { ListedTransaction, TransactionState } from '../../gateway/gateway.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { OperationState } from '../operation.ts'

export const FINDING_KINDS = [
  /** Money moved at the gateway under a reference that is not ours. */
  'unknown_transaction',
  /** Approved here, and the gateway does not know it. */
  'missing_transaction',
  /** Both know it, and disagree about what became of it. */
  'state_differs',
  'amount_differs',
  /** The gateway recorded a reference of ours a second time. */
  'duplicate_transaction',
] as const

export type FindingKind = (typeof FINDING_KINDS)[number]

/** A difference between the gateway's list and our operations. */
export interface Finding {
  kind: FindingKind
  /** What it is about, so that it is the same finding in every comparison. */
  subject: string
  transactionKind: ListedTransaction['kind']
  operationId: string | null
  merchantRef: string
  gatewayRef: string | null
  ourState: OperationState | null
  ourAmount: Cents | null
  gatewayState: TransactionState | null
  gatewayAmount: Cents | null
  currency: Currency
}

/** A finding as it is kept. */
export interface RecordedFinding extends Finding {
  id: string
  businessId: string
  /** `2026-11-22`, in UTC. */
  day: string
  /** How the gateway calls the terminal. */
  merchantCode: string
  state: 'OPEN' | 'RESOLVED'
  foundAt: Date
  resolvedAt: Date | null
  resolvedBy: 'comparison' | 'person' | null
  note: string | null
}

/** Of our operation what the gateway's list can be compared with. */
export interface OurOperation {
  businessId: string
  terminalId: string
  id: string
  kind: 'sale' | 'void' | 'refund'
  state: OperationState
  merchantRef: string
  gatewayRef: string | null
  amount: Cents
  currency: Currency
  /** Its outcome, or that of a void or refund of it, is open: recovery resolves it, and the next comparison decides. */
  isOpen: boolean
  /** One of our voids of it was approved. */
  isVoided: boolean
  /** What our approved refunds of it gave back. */
  refundedAmount: Cents
}
