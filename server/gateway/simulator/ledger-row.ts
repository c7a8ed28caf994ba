import type { Currency } from '../../lib/money.ts'
import type { StoredCredential } from '../gateway.ts'
import type { Verdict } from './behaviours.ts'

/** One decided request or one settled batch. Immutable except for `delivered`. */
export interface LedgerRow extends Omit<Verdict, 'sharePercent'> {
  /** Number of the row, from 1 without gaps. */
  seq: number
  op: 'sale' | 'verify' | 'void' | 'refund' | 'settle'
  terminal: string
  currency: Currency
  /** Reference of the request; for a settlement, the id of the batch that it closed. */
  merchantRef: string
  /** Requested amount in cents; for a void or settlement, the amount that it moves. */
  amount: number
  card?: CardTrace
  cvvPresent?: boolean
  storedCredential?: StoredCredential
  /** Result of the payer's authentication, as sent with the request. */
  threeDs?: ThreeDsTrace
  wallet?: 'google_pay'
  /** HMAC of the CAVV or the cryptogram. */
  proofHash?: string
  /** Time of receipt in epoch milliseconds by the simulator's clock. */
  receivedAt: number
  decidedAt: number
  respondedAt?: number
  /** Whether a readable response was sent. */
  delivered: 'yes' | 'no' | 'partly'
  /** `false` if the request had no effect: no inquiry finds it, and it moves no money. */
  recorded: boolean
  /** Approved amount in cents. */
  approvedAmount: number
  gatewayRef?: string
  issuerReference?: string
  networkTransactionId?: string
  /** Gateway reference of the sale to which a void or refund refers. */
  originalGatewayRef?: string
  batch?: string
  /** Time until which an inquiry returns "not found", in epoch milliseconds. */
  hiddenUntil?: number
  /** Findings that the compliance report of a real gateway would contain. */
  warnings?: string[]
}

/** Part of a card that is stored: never the number, never the CVV. */
export interface CardTrace {
  first6: string
  last4: string
  /** HMAC of the number, so that the number cannot be found by brute force. */
  hash: string
}

/** Part of an authentication that is stored: never its CAVV. */
export interface ThreeDsTrace {
  version: string
  transStatus: string
  eci?: string
  cavv: 'present' | 'absent'
}

/** Current state of a recorded row; `null` for a verification, or if the request had no effect. */
export type RowState = 'open' | 'voided' | 'settled' | 'refunded' | 'declined' | null

export type LedgerRowView = LedgerRow & { state: RowState }
