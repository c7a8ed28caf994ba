import type { TransactionState } from '../../contract/gateway-words.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { CheckResults } from './check-results.ts'
import type { ResultCode } from './result-codes.ts'

/**
 * The port that every gateway adapter implements (`adapters/`).
 *
 * No method throws for a decline, a refusal or a missing response: each is a result that the caller has to handle. No
 * method retries: an unknown outcome is resolved by `inquire`.
 */
export interface Gateway {
  readonly capabilities: GatewayCapabilities
  /** Authorizes and captures in one step. */
  sale(request: SaleRequest): Promise<GatewayResult>
  /**
   * Asks the issuer whether the card may be charged, for a zero amount. No money moves, so an unknown outcome needs no
   * inquiry. Called only if the adapter has the capability.
   */
  verify(request: VerifyRequest): Promise<VerificationResult>
  /** Cancels a sale whose batch is still open. Idempotent: voiding a voided sale is approved. */
  void(request: VoidRequest): Promise<GatewayResult>
  /** Refunds part or all of a sale, before or after its batch is settled. */
  refund(request: RefundRequest): Promise<GatewayResult>
  /** Looks up the state of a transaction by our reference. */
  inquire(request: InquiryRequest): Promise<InquiryResult>
  /** Lists one page of a terminal's transactions in a time range, oldest first, each in its current state. */
  list(request: ListRequest): Promise<ListResult>
  /** Looks up the open batch of a terminal, or a batch by its name. */
  inquireBatch(request: BatchInquiry): Promise<BatchResult>
  /**
   * Settles the named batch of a terminal, so that a batch that opened meanwhile is never settled in its place.
   * Idempotent: settling a settled batch returns its settlement.
   */
  settle(request: SettleRequest): Promise<SettleResult>
  /** Closes the adapter's connections. */
  close(): Promise<void>
}

export interface GatewayCapabilities {
  /** How long after the last byte was sent an inquiry may still change from "not found" to found. */
  notFoundFinalAfterMs: number
  partialApproval: boolean
  /** Whether `verify` is supported. */
  verification: boolean
  /** Whether `inquireBatch` and `settle` work; otherwise the gateway settles on its own schedule. */
  batches: boolean
}

/** A merchant account of the business at the gateway, in one currency. */
export interface Terminal {
  id: string
  currency: Currency
}

/** The fields of every request that moves money. */
export interface MoneyRequest {
  terminal: Terminal
  /** Our reference for this transaction, never reused: at most 25 characters of `[A-Za-z0-9-]`. */
  merchantRef: string
  /**
   * Called directly before the first byte is written. `false` means that this process no longer owns the operation; the
   * result is then `not_sent`.
   */
  mayStillSend?: () => boolean
  /** Wire deadline; aborts the socket. */
  signal: AbortSignal
}

export interface SaleRequest extends MoneyRequest {
  amount: Cents
  currency: Currency
  source: CardSource
  /** Security code; never stored, and absent when the merchant charges a stored card. */
  cvv?: string
  billing?: { line1?: string; postalCode?: string; country?: string }
  customer?: { ip?: string; email?: string; name?: string }
  storedCredential?: StoredCredential
  /** Proof of the payer's authentication; absent if the payer was not authenticated. */
  threeDs?: ThreeDsProof
}

/** Verification of a card, in the currency of the terminal. */
export type VerifyRequest = Omit<SaleRequest, 'amount' | 'currency'>

export type CardSource =
  | { kind: 'pan'; number: string; expMonth: number; expYear: number }
  /** Device account number, with the wallet's proof for this one payment. Sent without a CVV and without `threeDs`. */
  | {
      kind: 'network_token'
      wallet: 'google_pay'
      number: string
      expMonth: number
      expYear: number
      /** Cryptogram in base64. */
      cryptogram: string
      /** Absent if the network gives none. */
      eci?: string
    }

/** Proof of an authentication with 3-D Secure. It can be used for one sale or verification. */
export interface ThreeDsProof {
  version: string
  transStatus: 'Y' | 'A'
  eci?: string
  /** CAVV in base64; absent if the issuer gave none. */
  cavv?: string
  dsTransactionId?: string
  serverTransactionId: string
}

/** Who initiated a charge on a stored card, and why (the card networks' stored credential framework). */
export interface StoredCredential {
  initiator: 'cardholder' | 'merchant'
  reason: 'recurring' | 'installment' | 'unscheduled'
  /** Whether this charge stores the card, or begins the series of charges. */
  initial: boolean
  networkTransactionId?: string
  /** Transaction id of the authentication with which the customer stored the card; for charges by the merchant. */
  dsTransactionId?: string
}

export interface VoidRequest extends MoneyRequest {
  gatewayRef: string
  originalMerchantRef: string
}

export interface RefundRequest extends MoneyRequest {
  gatewayRef: string
  originalMerchantRef: string
  amount: Cents
}

export interface InquiryRequest {
  terminal: Terminal
  /** Our reference for the transaction in question. */
  merchantRef: string
  signal: AbortSignal
}

export interface BatchInquiry {
  terminal: Terminal
  /** Name of the batch at the gateway; absent for the open batch. */
  batch?: string
  signal: AbortSignal
}

export interface SettleRequest {
  terminal: Terminal
  /** Name of the batch at the gateway. */
  batch: string
  /** Like `mayStillSend` of `MoneyRequest`. */
  mayStillSend?: () => boolean
  signal: AbortSignal
}

export interface ListRequest {
  terminal: Terminal
  /** Start of the range by the gateway's clock; inclusive, while `until` is exclusive. */
  from: Date
  until: Date
  /** Cursor: `next` of the previous page; absent for the first page. */
  after?: string
  signal: AbortSignal
}

export type GatewayResult =
  | ApprovedResult
  /** Only part of the amount was authorized. The caller must void it and treat the sale as declined. */
  | { outcome: 'partial'; code: ResultCode; gatewayRef: string; approvedAmount: Cents; message: string }
  | FailedResult

/** `networkTransactionId` links later charges to this verification, if it stored the card. */
export type VerificationResult =
  | Pick<ApprovedResult, 'outcome' | 'code' | 'networkTransactionId' | 'message' | keyof CheckResults>
  | FailedResult

type FailedResult =
  | DeclinedResult
  /** The gateway refused the request before authorization (invalid field, void not possible). Nothing was charged. */
  | { outcome: 'refused'; reason: 'invalid_request' | 'not_permitted' | 'configuration'; message: string }
  /** Provably no byte of the request was written. It may be sent again. */
  | { outcome: 'not_sent'; message: string }
  /** No usable response in time. Money may have moved: resolve it with `inquire`, never with a second sale. */
  | { outcome: 'unknown'; message: string }

export interface ApprovedResult extends CheckResults {
  outcome: 'approved'
  code: ResultCode
  /** The gateway's transaction id; required for a void or a refund. */
  gatewayRef: string
  /** The issuer's approval code. */
  issuerReference: string
  approvedAmount: Cents
  networkTransactionId?: string
  message: string
}

export interface DeclinedResult extends CheckResults {
  outcome: 'declined'
  code: ResultCode
  gatewayRef?: string
  message: string
  /** Advice of the card networks. `never`: they forbid another attempt with this card. */
  advice: 'never' | 'correct_data' | 'later' | 'stop_recurring' | 'none'
}

export type InquiryResult =
  | { found: true; transaction: FoundTransaction }
  /** The gateway has no transaction under that reference yet; final only after `notFoundFinalAfterMs`. */
  | { found: false }
  /** The inquiry failed. It proves nothing about the transaction. */
  | { found: 'indeterminate'; message: string }

export interface FoundTransaction {
  state: TransactionState
  code: ResultCode
  gatewayRef: string
  issuerReference: string
  approvedAmount: Cents
  batchOpen: boolean
  /** Name of its batch at the gateway; `null` if the gateway does not report it. */
  batch: string | null
  message: string
  networkTransactionId?: string
  /** Advice of a decline, if the gateway still knows it. */
  advice?: DeclinedResult['advice']
}

export type ListResult =
  /** `next` is the cursor of the next page, `null` on the last one. */
  | { listed: true; transactions: ListedTransaction[]; next: string | null }
  /** The page could not be read. It proves nothing about any transaction. */
  | { listed: false; message: string }

/**
 * A sale or a refund, including declined ones. A void is not listed: it shows as the state `voided` of its sale.
 * Requests that the gateway refused before authorization are not listed.
 */
export interface ListedTransaction {
  kind: 'sale' | 'refund'
  /** Reference as sent. The terminal may have transactions that are not ours, so it may be any text or empty. */
  merchantRef: string
  gatewayRef: string
  state: TransactionState
  approvedAmount: Cents
  currency: Currency
  /** Time of the transaction by the gateway's clock. */
  at: Date
}

/** Totals of a batch. Voided sales count only as voids. */
export interface BatchTotals {
  salesCount: number
  salesAmount: Cents
  refundsCount: number
  refundsAmount: Cents
  voidsCount: number
  voidsAmount: Cents
}

export interface GatewayBatch {
  /** Name of the batch at the gateway, which is never reused at this terminal. */
  name: string
  state: 'open' | 'settled'
  totals: BatchTotals
  /** The gateway's reference of the settlement; `null` while the batch is open. */
  settlementReference: string | null
}

/** The gateway's own code and text for a failure; one of our codes if it gave none. */
export interface GatewayFailure {
  code: string
  message: string
}

export type BatchResult =
  | { found: true; batch: GatewayBatch }
  /** The terminal has no open batch, because it has no transactions; or it has no batch of that name. */
  | { found: false }
  /** The inquiry failed, or the gateway does not support it. This proves nothing about the batch. */
  | ({ found: 'indeterminate' } & GatewayFailure)

export type SettleResult =
  | { outcome: 'settled'; batch: GatewayBatch }
  /** The gateway refused to settle; the batch is still open. */
  | ({ outcome: 'refused' } & GatewayFailure)
  /** Provably no byte of the request was written. */
  | { outcome: 'not_sent'; message: string }
  /** No usable response in time: resolve it with `inquireBatch`. */
  | { outcome: 'unknown'; message: string }
