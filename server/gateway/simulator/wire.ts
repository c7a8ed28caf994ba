import Type, { type Static } from 'typebox'
import { BEHAVIOUR_NAMES, type BehaviourName, type Outcome } from './behaviours.ts'

// The simulator's JSON protocol: schemas of requests and types of responses. Unknown fields are ignored.

const OneOf = <const Words extends readonly string[]>(words: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] })
const MerchantRef = Type.String({ pattern: '^[A-Za-z0-9-]{1,25}$' })
const GatewayRef = Type.String({ minLength: 1, maxLength: 40 })
const Amount = Type.Integer({ minimum: 1, maximum: 99_999_999 })
const Currency = OneOf(['USD', 'CAD'])
const Milliseconds = Type.Number({ minimum: 0, maximum: 86_400_000 })
const ProofText = Type.Optional(Type.String({ maxLength: 200 }))

export const SaleBody = Type.Object({
  merchantRef: MerchantRef,
  amount: Amount,
  currency: Currency,
  card: Type.Object({
    number: Type.String({ pattern: '^\\d{12,19}$' }),
    expMonth: Type.Integer({ minimum: 1, maximum: 12 }),
    expYear: Type.Integer({ minimum: 2000, maximum: 2099 }),
    /** Cryptogram of a network token. Its content is checked with the proof, not here: a wrong one is declined. */
    cryptogram: ProofText,
    eci: ProofText,
    wallet: Type.Optional(OneOf(['google_pay'])),
  }),
  cvv: Type.Optional(Type.String({ pattern: '^\\d{3,4}$' })),
  storedCredential: Type.Optional(
    Type.Object({
      initiator: OneOf(['cardholder', 'merchant']),
      reason: OneOf(['recurring', 'installment', 'unscheduled']),
      initial: Type.Boolean(),
      networkTransactionId: Type.Optional(Type.String({ maxLength: 64 })),
      dsTransactionId: Type.Optional(Type.String({ maxLength: 64 })),
    }),
  ),
  threeDs: Type.Optional(
    Type.Object({
      version: Type.String({ maxLength: 16 }),
      transStatus: Type.String({ maxLength: 1 }),
      eci: ProofText,
      cavv: ProofText,
      dsTransactionId: ProofText,
      serverTransactionId: Type.String({ maxLength: 64 }),
    }),
  ),
})

const { amount: _amount, ...VERIFIED } = SaleBody.properties
/** Body of a verification: a sale without an amount. */
export const VerifyBody = Type.Object(VERIFIED)

export const VoidBody = Type.Object({ merchantRef: MerchantRef, gatewayRef: GatewayRef })

export const RefundBody = Type.Object({ merchantRef: MerchantRef, gatewayRef: GatewayRef, amount: Amount })

export const InquireBody = Type.Object({ merchantRef: MerchantRef })

/** Maximum rows per page: a longer page could exceed the client's limit for the size of a response. */
const LIST_ROWS_MAX = 500
const Instant = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })

export const ListBody = Type.Object({
  currency: Currency,
  /** Start of the range in epoch milliseconds by the simulator's clock; inclusive, while `until` is exclusive. */
  from: Instant,
  until: Instant,
  /** Cursor: `next` of the previous page. */
  after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIST_ROWS_MAX })),
})

const BatchName = Type.String({ pattern: '^B\\d{1,12}$' })

export const BatchBody = Type.Object({ currency: Currency, batch: Type.Optional(BatchName) })

export const GatewaySettleBody = Type.Object({ currency: Currency, batch: BatchName })

/** Body of the control path that settles whatever batch is open. */
export const SettleBody = Type.Object({ terminal: Type.String({ minLength: 1 }), currency: Currency })

const SCRIPTED_OPS = ['sale', 'verify', 'void', 'refund', 'inquire', 'list', 'batch', 'settle'] as const
/** `not_found` applies to inquiries only, `indeterminate` to inquiries, lists and batches. */
const SCRIPTED_OUTCOMES = [...BEHAVIOUR_NAMES, 'not_found', 'indeterminate'] as const

const Raw = Type.Object({
  status: Type.Integer({ minimum: 200, maximum: 599 }),
  body: Type.String({ maxLength: 100_000 }),
  /** Whether the request is approved in the ledger. */
  recorded: Type.Boolean(),
})

const ScriptedOutcome = Type.Object({
  op: OneOf(SCRIPTED_OPS),
  terminal: Type.Optional(Type.String()),
  merchantRef: Type.Optional(Type.String()),
  /** Number of matching calls to which the outcome applies; 1 if absent. */
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  outcome: Type.Optional(
    Type.Unsafe<(typeof SCRIPTED_OUTCOMES)[number]>({ type: 'string', enum: [...SCRIPTED_OUTCOMES] }),
  ),
  /** Verbatim response instead of a named outcome. */
  raw: Type.Optional(Raw),
})

export const ScriptBody = Type.Object({
  /** Outcomes to append to the queue. A call takes the first one that matches it. */
  outcomes: Type.Optional(Type.Array(ScriptedOutcome)),
  /** Delay before every response, drawn uniformly from the range. Not scaled. */
  latency: Type.Optional(Type.Object({ minMs: Milliseconds, maxMs: Milliseconds })),
  /** Outage that starts now. `refuse` closes the port, including the control paths. Not scaled. */
  down: Type.Optional(Type.Object({ mode: OneOf(['refuse', 'reset', 'silence', 'unavailable']), forMs: Milliseconds })),
  /** Probability of each outcome, from 0 to 1. The same seed gives the same faults. */
  faults: Type.Optional(
    Type.Object({
      seed: Type.Integer(),
      rates: Type.Unsafe<Partial<Record<BehaviourName, number>>>({
        type: 'object',
        propertyNames: { enum: BEHAVIOUR_NAMES },
        additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
      }),
    }),
  ),
  advanceClockMs: Type.Optional(Type.Number({ minimum: 0 })),
  /** Merchant-initiated charges of a card not stored by the cardholder: declined by default, approved by `warn`. */
  unknownStoredCards: Type.Optional(OneOf(['decline', 'warn'])),
})

export type SaleBody = Static<typeof SaleBody>
export type VerifyBody = Static<typeof VerifyBody>
export type VoidBody = Static<typeof VoidBody>
export type RefundBody = Static<typeof RefundBody>
export type InquireBody = Static<typeof InquireBody>
export type ListBody = Static<typeof ListBody>
export type SettleBody = Static<typeof SettleBody>
export type BatchBody = Static<typeof BatchBody>
export type GatewaySettleBody = Static<typeof GatewaySettleBody>
export type ScriptBody = Static<typeof ScriptBody>
export type ScriptedOp = (typeof SCRIPTED_OPS)[number]
export type ScriptedOutcome = Static<typeof ScriptedOutcome>

/** Response to a sale, a void or a refund. The status is always 200, for declines and refusals too. */
export interface TransactionResponse {
  outcome: Outcome
  /** Reason of a refusal; only if the outcome is `refused`. */
  reason?: 'invalid_request' | 'not_permitted' | 'configuration' | undefined
  code?: string | undefined
  issuerCode?: string | undefined
  advice?: string | undefined
  message: string
  gatewayRef?: string | undefined
  issuerReference?: string | undefined
  networkTransactionId?: string | undefined
  requestedAmount?: number | undefined
  approvedAmount?: number | undefined
  avs?: 'Y' | 'N' | 'A' | 'Z' | 'U' | undefined
  cvv?: 'M' | 'N' | 'P' | undefined
  funding?: 'credit' | 'debit' | 'prepaid' | undefined
  issuerCountry?: 'US' | 'CA' | undefined
}

export type InquiryResponse =
  | { found: true; transaction: TransactionState }
  | { found: false }
  | { found: 'indeterminate'; message: string }

export interface TransactionState {
  state: 'approved' | 'partial' | 'declined' | 'voided' | 'refunded'
  code: string
  gatewayRef: string
  issuerReference: string
  approvedAmount: number
  batchOpen: boolean
  batch: string
  message: string
  networkTransactionId?: string | undefined
  advice?: string | undefined
}

export type ListResponse =
  | { transactions: TransactionView[]; next: string | null }
  /** The list is temporarily unavailable. */
  | { error: string }

export interface TransactionView {
  kind: 'sale' | 'refund'
  merchantRef: string
  gatewayRef: string
  state: TransactionState['state']
  approvedAmount: number
  currency: 'USD' | 'CAD'
  /** Time of the transaction in epoch milliseconds. */
  at: number
}

/** Totals of a batch; amounts are in cents. Voided sales count only as voids. */
export interface BatchView {
  name: string
  state: 'open' | 'settled'
  salesCount: number
  salesAmount: number
  refundsCount: number
  refundsAmount: number
  voidsCount: number
  voidsAmount: number
  reference: string | null
}

export type BatchResponse = { found: true; batch: BatchView } | { found: false } | { error: string }

export type GatewaySettleResponse = { ok: true; batch: BatchView } | { ok: false; error: string; message: string }

export type SettleResponse =
  | { ok: true; batch: string; count: number; amount: number }
  | { ok: false; error: 'batch_empty' | 'settle_failed' | 'invalid_request'; message: string }
