import type { TransactionState } from '../../../contract/gateway-words.ts'
import type { ListedTransaction } from '../../gateway/gateway.ts'
import type { Cents, Currency } from '../../lib/money.ts'
import type { OperationState } from '../operation.ts'

export const FINDING_KINDS = [
  /** Money moved at the gateway under a reference that is not ours. */
  'unknown_transaction',
  /** Approved here, but the gateway does not have it. */
  'missing_transaction',
  /** Both have it, in different states. */
  'state_differs',
  'amount_differs',
  /** The gateway has a second transaction with the same reference. */
  'duplicate_transaction',
] as const

export type FindingKind = (typeof FINDING_KINDS)[number]

/** A difference between the gateway's list and our operations. */
export interface Finding {
  kind: FindingKind
  /** Identifies the finding across comparisons: the operation's id, or the gateway's reference. */
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

/** A stored finding. */
export interface RecordedFinding extends Finding {
  id: string
  businessId: string
  /** `2026-11-22`, in UTC. */
  day: string
  /** The gateway's id of the terminal. */
  merchantCode: string
  state: 'OPEN' | 'RESOLVED'
  foundAt: Date
  resolvedAt: Date | null
  resolvedBy: 'comparison' | 'person' | null
  note: string | null
}

/** The fields of our operation that are compared with the gateway's list. */
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
  /** Whether it, or a void or refund of it, is open: recovery resolves it, and the next comparison decides. */
  isOpen: boolean
  /** Whether one of our voids of it was approved. */
  isVoided: boolean
  /** The sum of its approved refunds. */
  refundedAmount: Cents
}
