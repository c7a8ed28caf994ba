import type { Cents, Currency } from '../lib/money.ts'
import type { ResultCode } from './result-codes.ts'

/**
 * The card gateway as the service needs it. Adapters live in the folders beside this file; app.ts picks one.
 *
 * No method throws for a decline, for a refusal or for silence: all are results, so that every caller has to say what it
 * does with them. No method tries again by itself: after silence we inquire.
 */
export interface Gateway {
  readonly capabilities: GatewayCapabilities
  /** Authorizes and captures in one step. */
  sale(request: SaleRequest): Promise<GatewayResult>
  /** Cancels a sale whose batch is still open. Voiding what is already voided is approved again. */
  void(request: VoidRequest): Promise<GatewayResult>
  /** Gives back part or all of a sale. */
  refund(request: RefundRequest): Promise<GatewayResult>
  /** Asks what became of a request that got no response. */
  inquire(request: InquiryRequest): Promise<InquiryResult>
  /** One page of the transactions of a terminal in a span of time, oldest first, each in the state it has now. */
  list(request: ListRequest): Promise<ListResult>
  /** Releases sockets. */
  close(): Promise<void>
}

export interface GatewayCapabilities {
  /** How long after the last byte "not found" may still change its mind. */
  notFoundFinalAfterMs: number
  partialApproval: boolean
}

/** Where the money goes: one merchant account of the business in one currency. */
export interface Terminal {
  id: string
  currency: Currency
}

/** Shared by everything that moves money. */
export interface MoneyRequest {
  terminal: Terminal
  /** Our own name of this one transaction, unique for ever: at most 25 characters of `[A-Za-z0-9-]`. */
  merchantRef: string
  /**
   * Asked directly before the first byte is written; `false` means that this process no longer owns the request, and the
   * result is `not_sent`.
   */
  mayStillSend?: () => boolean
  /** Aborts the socket: the wire deadline. */
  signal: AbortSignal
}

export interface SaleRequest extends MoneyRequest {
  amount: Cents
  currency: Currency
  source: CardSource
  /** Only in the memory of the request that carries it; never for a stored card that the merchant charges. */
  cvv?: string
  billing?: { line1?: string; postalCode?: string; country?: string }
  customer?: { ip?: string; email?: string; name?: string }
  storedCredential?: StoredCredential
}

export type CardSource = { kind: 'pan'; number: string; expMonth: number; expYear: number }

/** Who started a charge on a card that is kept, and why (card networks' stored credential framework). */
export interface StoredCredential {
  initiator: 'cardholder' | 'merchant'
  reason: 'recurring' | 'installment' | 'unscheduled'
  /** The first charge, with which the card is stored. */
  initial: boolean
  networkTransactionId?: string
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
  /** Of the transaction asked about. */
  merchantRef: string
  signal: AbortSignal
}

export interface ListRequest {
  terminal: Terminal
  /** By the gateway's clock: from this moment on, and before the other. */
  from: Date
  until: Date
  /** Where the page before ended; absent for the first one. */
  after?: string
  signal: AbortSignal
}

export type GatewayResult =
  | ApprovedResult
  /** Only part was authorized: void it, then treat it as declined. */
  | { outcome: 'partial'; code: ResultCode; gatewayRef: string; approvedAmount: Cents; message: string }
  | DeclinedResult
  /** The gateway answered and refused before authorization (bad field, void not possible). Nothing was charged. */
  | { outcome: 'refused'; reason: 'invalid_request' | 'not_permitted' | 'configuration'; message: string }
  /** Provably no byte of the request left us: it may be sent again. */
  | { outcome: 'not_sent'; message: string }
  /** No usable response in time. Money may have moved: resolve it with `inquire`, never with a second sale. */
  | { outcome: 'unknown'; message: string }

export interface ApprovedResult {
  outcome: 'approved'
  code: ResultCode
  /** The gateway's name of the transaction; a void or a refund needs it. */
  gatewayRef: string
  /** The bank's approval code. */
  issuerReference: string
  approvedAmount: Cents
  networkTransactionId?: string
  message: string
}

export interface DeclinedResult {
  outcome: 'declined'
  code: ResultCode
  gatewayRef?: string
  message: string
  /** `never`: the networks forbid to try this card again. */
  advice: 'never' | 'correct_data' | 'later' | 'stop_recurring' | 'none'
}

export type InquiryResult =
  | { found: true; transaction: FoundTransaction }
  /** Nothing of that name has arrived so far; final only after `notFoundFinalAfterMs`. */
  | { found: false }
  /** The gateway could not say. Counts as nothing. */
  | { found: 'indeterminate'; message: string }

export type TransactionState = 'approved' | 'partial' | 'declined' | 'voided' | 'refunded'

export interface FoundTransaction {
  state: TransactionState
  code: ResultCode
  gatewayRef: string
  issuerReference: string
  approvedAmount: Cents
  batchOpen: boolean
  message: string
  networkTransactionId?: string
}

export type ListResult =
  /** `next` is where the next page goes on; `null` on the last one. */
  | { listed: true; transactions: ListedTransaction[]; next: string | null }
  /** No page that can be used. Says nothing about any transaction. */
  | { listed: false; message: string }

/**
 * A sale or a refund, declined ones too. A void is not listed by itself: it shows in the state of its sale. Requests that
 * the gateway refused before authorization are not listed.
 */
export interface ListedTransaction {
  kind: 'sale' | 'refund'
  /** As it was sent with it. Not every transaction is ours: it may be any text, or empty. */
  merchantRef: string
  gatewayRef: string
  state: TransactionState
  approvedAmount: Cents
  currency: Currency
  /** By the gateway's clock. */
  at: Date
}
