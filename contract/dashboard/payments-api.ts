import Type, { type Static } from 'typebox'
import { BATCH_STATUSES } from '../batch.ts'
import { EpochSeconds, Line, Nullable, OneOf, Uuid } from '../formats.ts'
import { Payment } from '../payment.ts'
import { Refund } from '../refund.ts'
import { ShownAuthentication } from './authentication.ts'
import { ExportBody } from './export.ts'
import { OPERATION_COLUMNS, PAYMENT_COLUMNS } from './export-columns.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'
import {
  DashboardCurrency,
  PAYMENT_FILTERS,
  PAYMENT_KINDS,
  Payer,
  PaymentRow,
  type PaymentsQuery,
  ShownCard,
} from './payment-row.ts'
import { REFUND_REASONS } from './refund-reasons.ts'
import type { PaymentTimeline } from './timeline.ts'

// The calls of the pages about payments. Amounts in cents.

const Cents = Type.Integer({ minimum: 0 })
const AMOUNT_MAX = 99_999_999

/** Why a payment cannot be refunded or voided now. */
export const UNREFUNDABLE = [
  'no_payment',
  'failed',
  'voided',
  'refunded',
  'in_progress',
  'partially_refunded',
  'batch_settling',
  'batch_settled',
] as const
export type Unrefundable = (typeof UNREFUNDABLE)[number]

const ShownBatch = Type.Object({
  id: Uuid(),
  number: Type.Integer(),
  status: OneOf(BATCH_STATUSES),
  closed_at: Nullable(EpochSeconds()),
})

const ShownRefund = Type.Object({
  ...Refund.properties,
  /** Result code of the gateway; `null` until it has responded. */
  code: Nullable(Type.String()),
  message: Nullable(Type.String()),
  by: Nullable(Type.String()),
  reason: Nullable(OneOf(REFUND_REASONS)),
  note: Nullable(Type.String()),
})
export type ShownRefund = Static<typeof ShownRefund>

const PaymentDetail = Type.Object({
  ...PaymentRow.properties,
  /** The payment as the merchant API and its events show it; `null` if the sale led to none. */
  payment: Type.Unsafe<Static<typeof Payment> | null>({ ...Nullable(Payment) }),
  refunds: Type.Array(ShownRefund),
  refundable_amount: Cents,
  /** The settled batch that contains it, or the open one that will; `null` if no money was taken. */
  shown_batch: Nullable(ShownBatch),
  /** Whether a refund or a void has no outcome yet. */
  is_in_progress: Type.Boolean(),
  /** Why it cannot be refunded; `null` if it can. */
  refund_impossible: Nullable(OneOf(UNREFUNDABLE)),
  void_impossible: Nullable(OneOf(UNREFUNDABLE)),
  period: Nullable(Type.Object({ start: Type.String(), end: Type.String() })),
  issuer_reference: Nullable(Type.String()),
  /** Where the card data came from: `new_card`, `saved_card`, `google_pay`; `null` if the sale led to no payment. */
  source: Nullable(OneOf(['new_card', 'saved_card', 'google_pay'])),
  /** Authentication by 3-D Secure; `null` if the sale used none. */
  authentication: Type.Union([ShownAuthentication, Type.Null()]),
})
export type PaymentDetail = Static<typeof PaymentDetail>

const Amount = Type.Integer({ minimum: 1, maximum: AMOUNT_MAX })
const WHOLE = 'Absent: the whole rest.'
const PreviewHash = Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' }))
const Note = Type.Optional(Line(255))

export const RefundPreviewBody = Type.Object({ amount: Type.Optional(Type.Integer({ ...Amount, description: WHOLE })) })
export const DashboardRefundBody = Type.Object({
  amount: Type.Optional(Type.Integer({ ...Amount, description: WHOLE })),
  reason: OneOf(REFUND_REASONS),
  note: Note,
  preview_hash: PreviewHash,
})
export const DashboardVoidBody = Type.Object({ reason: OneOf(REFUND_REASONS), note: Note, preview_hash: PreviewHash })

/** Recipients of a letter about it. */
const ToBeSent = Type.Array(
  Type.Object({ audience: OneOf(['customer', 'merchant']), recipient: Nullable(Type.String()) }),
)

const RefundPreview = Type.Object({
  object: Type.Literal('refund_preview'),
  payment: Uuid(),
  currency: DashboardCurrency,
  amount: Cents,
  paid_amount: Cents,
  refunded_amount: Cents,
  pending_amount: Cents,
  /** What remains of the payment after this refund. */
  rest_amount: Cents,
  /** The surcharge that the payment contains. */
  surcharge_amount: Cents,
  /** Subscription of the payment; its status and its schedule stay as they are. */
  subscription: Nullable(Uuid()),
  letters: ToBeSent,
  /** Whether step-up is required: the amount, or the sum of the day, is above the limit. */
  needs_step_up: Type.Boolean(),
  /** Whether the person may not refund this much. */
  is_over_limit: Type.Boolean(),
  preview_hash: Type.String(),
})
export type RefundPreview = Static<typeof RefundPreview>

const VoidPreview = Type.Object({
  object: Type.Literal('void_preview'),
  payment: Uuid(),
  currency: DashboardCurrency,
  amount: Cents,
  batch: Nullable(ShownBatch),
  /** Subscription that loses the time that this payment paid for. */
  subscription: Nullable(Uuid()),
  letters: ToBeSent,
  needs_step_up: Type.Boolean(),
  is_over_limit: Type.Boolean(),
  preview_hash: Type.String(),
})
export type VoidPreview = Static<typeof VoidPreview>

/** `pending`: being resolved; it is not sent again. */
const VoidResult = Type.Object({
  id: Uuid(),
  object: Type.Literal('void'),
  payment: Uuid(),
  status: OneOf(['succeeded', 'pending', 'failed']),
  failure_reason: Nullable(OneOf(['declined', 'gateway_unavailable'])),
  message: Nullable(Type.String()),
})
export type VoidResult = Static<typeof VoidResult>

const OPEN_OPERATION_KINDS = ['sale', 'reversal_void', 'reversal_refund', 'refund', 'void'] as const

const OpenOperation = Type.Object({
  id: Uuid(),
  object: Type.Literal('operation'),
  kind: OneOf(OPEN_OPERATION_KINDS),
  state: OneOf(['SENT', 'IN_DOUBT', 'REVERSING']),
  amount: Cents,
  currency: DashboardCurrency,
  /** Id with which `GET /payments/{id}` finds the payment. */
  payment: Uuid(),
  payment_kind: OneOf(PAYMENT_KINDS),
  /** What has to wait until the outcome is known. */
  blocks: Type.Object({
    session: Nullable(Uuid()),
    subscription: Nullable(Uuid()),
    payment_method: Nullable(Uuid()),
  }),
  customer: Nullable(Payer),
  card: Nullable(ShownCard),
  sent_at: EpochSeconds(),
  inquiries: Type.Integer(),
  last_inquiry_at: Nullable(EpochSeconds()),
  next_inquiry_at: Nullable(EpochSeconds()),
  not_found_since: Nullable(EpochSeconds()),
  needs_attention: Type.Boolean(),
})
export type OpenOperation = Static<typeof OpenOperation>

const OPERATION_FILTERS = { open: Type.Optional(Type.Literal(true)) }

export const OperationsQuery = Type.Object({ ...DASHBOARD_PAGE, ...OPERATION_FILTERS })
export const OperationsExport = ExportBody(OPERATION_FILTERS, OPERATION_COLUMNS)

export const SalePreviewBody = Type.Object({ customer: Uuid(), payment_method: Uuid(), amount: Amount })

/** Charges a stored card. */
export const DashboardSaleBody = Type.Object({
  ...SalePreviewBody.properties,
  description: Type.Optional(Line(255)),
  preview_hash: PreviewHash,
})

/** What a sale would charge. It has neither tax nor surcharge: only bills and sessions have them. */
const SalePreview = Type.Object({
  object: Type.Literal('sale_preview'),
  currency: DashboardCurrency,
  amount: Cents,
  tax_amount: Cents,
  surcharge_amount: Cents,
  total_amount: Cents,
  card: Type.Object({ brand: Type.String(), last4: Type.String() }),
  preview_hash: Type.String(),
})

const DashboardSale = Type.Object({
  object: Type.Literal('sale'),
  /** `pending`: being resolved; an approval that is found later is reversed. */
  status: OneOf(['succeeded', 'failed', 'pending']),
  /** Id of the payment; otherwise of the sale that was declined or has no outcome yet. */
  id: Uuid(),
  code: Nullable(Type.String()),
  message: Type.String(),
  receipt_id: Nullable(Type.String()),
})
export type DashboardSale = Static<typeof DashboardSale>

export const PaymentsExport = ExportBody(PAYMENT_FILTERS, PAYMENT_COLUMNS)

const PaymentRows = DashboardList(PaymentRow)
const OpenOperations = DashboardList(OpenOperation)

export interface PaymentsApi {
  'GET /payments': { query: Partial<Static<typeof PaymentsQuery>>; response: Static<typeof PaymentRows> }
  'POST /payments/export': { body: Static<typeof PaymentsExport>; response: string }
  /** Finds a payment by its id or by the id of its sale. */
  'GET /payments/{id}': { response: PaymentDetail }
  'GET /payments/{id}/timeline': { response: PaymentTimeline }
  'POST /payments/{id}/refunds/preview': { body: Static<typeof RefundPreviewBody>; response: RefundPreview }
  'POST /payments/{id}/refunds': { body: Static<typeof DashboardRefundBody>; response: Static<typeof Refund> }
  'POST /payments/{id}/voids/preview': { response: VoidPreview }
  'POST /payments/{id}/voids': { body: Static<typeof DashboardVoidBody>; response: VoidResult }
  /** Returns a PDF. */
  'GET /payments/{id}/receipt': { response: string }
  'POST /letters/{id}/resend': { response: { id: string; object: 'letter'; status: 'pending' } }
  'GET /operations': { query: Partial<Static<typeof OperationsQuery>>; response: Static<typeof OpenOperations> }
  'POST /operations/export': { body: Static<typeof OperationsExport>; response: string }
  'POST /operations/{id}/inquire': { response: { id: string; object: 'operation'; is_open: boolean } }
  'POST /sales/preview': { body: Static<typeof SalePreviewBody>; response: Static<typeof SalePreview> }
  'POST /sales': { body: Static<typeof DashboardSaleBody>; response: DashboardSale }
}
