import type { Currency } from '../../lib/money.ts'
import type { StoredCredential } from '../gateway.ts'
import type { Verdict } from './behaviours.ts'

/** One decided request or one settled batch. Immutable except for `delivered`. */
export interface LedgerRow extends Omit<Verdict, 'sharePercent'> {
  /** From 1, without gaps. */
  seq: number
  op: 'sale' | 'verify' | 'void' | 'refund' | 'settle'
  terminal: string
  currency: Currency
  /** The reference of the request; of a settlement, the id of the batch that it closed. */
  merchantRef: string
  /** Requested amount in cents; of a void or a settlement, the amount that it moves. */
  amount: number
  card?: CardTrace
  cvvPresent?: boolean
  storedCredential?: StoredCredential
  /** What came of the payer's authentication. */
  threeDs?: ThreeDsTrace
  wallet?: 'google_pay'
  /** HMAC of the CAVV or the cryptogram. */
  proofHash?: string
  /** Epoch milliseconds by the simulator's clock. */
  receivedAt: number
  decidedAt: number
  respondedAt?: number
  /** Whether a readable response was sent. */
  delivered: 'yes' | 'no' | 'partly'
  /** `false` when the request had no effect: an inquiry does not find it, and it moves no money. */
  recorded: boolean
  /** In cents. */
  approvedAmount: number
  gatewayRef?: string
  issuerReference?: string
  networkTransactionId?: string
  /** The sale that a void or a refund refers to. */
  originalGatewayRef?: string
  batch?: string
  /** An inquiry returns "not found" until then; epoch milliseconds. */
  hiddenUntil?: number
  /** Findings of a real gateway's compliance report. */
  warnings?: string[]
}

/** The stored part of a card: never the number, never the CVV. */
export interface CardTrace {
  first6: string
  last4: string
  /** HMAC of the number, so that the number cannot be found by brute force. */
  hash: string
}

/** The stored part of an authentication: never its CAVV. */
export interface ThreeDsTrace {
  version: string
  transStatus: string
  eci?: string
  cavv: 'present' | 'absent'
}

/** The current state of a recorded row; `null` for a verification, and when the row recorded nothing. */
export type RowState = 'open' | 'voided' | 'settled' | 'refunded' | 'declined' | null

export type LedgerRowView = LedgerRow & { state: RowState }
