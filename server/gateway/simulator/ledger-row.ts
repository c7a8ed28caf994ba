import type { Currency } from '../../lib/money.ts'
import type { StoredCredential } from '../gateway.ts'
import type { Verdict } from './behaviours.ts'

/** One request that was decided, or one batch that was closed. Never changed once written, but for its delivery. */
export interface LedgerRow extends Omit<Verdict, 'sharePercent'> {
  /** From 1, without a gap. */
  seq: number
  op: 'sale' | 'void' | 'refund' | 'settle'
  terminal: string
  currency: Currency
  /** Of a settlement: the batch it closed. */
  merchantRef: string
  /** Asked for, in cents; of a void and a settlement: what it moves. */
  amount: number
  card?: CardTrace
  cvvPresent?: boolean
  storedCredential?: StoredCredential
  /** Epoch milliseconds by the simulator's clock. */
  receivedAt: number
  decidedAt: number
  respondedAt?: number
  /** Whether a response that can be read went out. */
  delivered: 'yes' | 'no' | 'partly'
  /** `false`: seen and forgotten. An inquiry does not find it and it moves nothing. */
  recorded: boolean
  /** In cents. */
  approvedAmount: number
  gatewayRef?: string
  issuerReference?: string
  networkTransactionId?: string
  /** The sale that a void or a refund is about. */
  originalGatewayRef?: string
  batch?: string
  /** Until then an inquiry says "not found". */
  hiddenUntil?: number
  /** What a real gateway's compliance report would complain about. */
  warnings?: string[]
}

/** All that is kept of a card: never the number, never the CVV. */
export interface CardTrace {
  first6: string
  last4: string
  /** Keyed, so that the number cannot be found by trying. */
  hash: string
}

/** What has become of what a row recorded; `null` when it recorded nothing. */
export type RowState = 'open' | 'voided' | 'settled' | 'refunded' | 'declined' | null

export type LedgerRowView = LedgerRow & { state: RowState }
