import Type, { type Static } from 'typebox'
import { BATCH_STATUSES, Batch } from '../batch.ts'
import { Currency, Day, EpochSeconds, Nullable, OneOf, Uuid } from '../formats.ts'
import { OPERATION_STATES, TRANSACTION_STATES } from '../gateway-words.ts'
import { Payment } from '../payment.ts'
import { BATCH_COLUMNS } from './batch-columns.ts'
import { ExportBody } from './export.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'

// The calls of the pages about batches.

const BATCH_FILTERS = {
  status: Type.Optional(OneOf(BATCH_STATUSES)),
  currency: Type.Optional(Currency()),
  /** First day of settlement, in the time zone of the business. */
  settled_from: Type.Optional(Day()),
  settled_to: Type.Optional(Day()),
}
export const BatchesQuery = Type.Object({ ...DASHBOARD_PAGE, ...BATCH_FILTERS })

export const BatchesExport = ExportBody(BATCH_FILTERS, BATCH_COLUMNS)

const { id: _id, ...BATCH } = Batch.properties
const Cents = Type.Integer()

/**
 * Payments of a terminal that are not settled yet, as Rialto has recorded them. A payment in progress is added a moment
 * later.
 */
const OpenBatch = Type.Object({
  ...BATCH,
  /** `null` until the first settlement, page or call of the merchant API creates the batch. */
  id: Nullable(Uuid()),
  view: Type.Object({
    /** When the batch closes automatically; `null` if it is only closed manually. */
    closes_at: Nullable(EpochSeconds()),
    /** When its last settlement failed, in real time. */
    failed_at: Nullable(EpochSeconds()),
    /** When the settlement in progress was sent, in real time. */
    sent_at: Nullable(EpochSeconds()),
    /** Whether the outcome of the settlement has been unknown for over a day. */
    needs_attention: Type.Boolean(),
    /** Whether the gateway settles on its own schedule: there is nothing to do here. */
    gateway_settles: Type.Boolean(),
  }),
})
export type OpenBatch = Static<typeof OpenBatch>

const Figures = Type.Object({
  sales_count: Type.Integer(),
  sales_amount: Cents,
  refunds_count: Type.Integer(),
  refunds_amount: Cents,
  voids_count: Type.Integer(),
  voids_amount: Cents,
  net_amount: Cents,
})
export type BatchFigures = Static<typeof Figures>

const ListedBatch = Type.Object({
  ...Batch.properties,
  view: Type.Object({
    /** Recorded figures minus the gateway's; `null` if they are equal, or if the batch is not settled. */
    difference: Nullable(Figures),
    /**
     * Payments that Rialto reversed in it automatically, which do not count as a difference; `null` if there are none,
     * or if the batch is not settled.
     */
    reversals: Nullable(Figures),
  }),
})
export type ListedBatch = Static<typeof ListedBatch>

const BatchPayment = Type.Object({
  ...Payment.properties,
  view: Type.Object({
    customer_name: Nullable(Type.String()),
    customer_email: Nullable(Type.String()),
    card: Type.Object({ brand: Type.String(), last4: Type.String() }),
  }),
})
export type BatchPayment = Static<typeof BatchPayment>

export const SettleOrder = Type.Object({
  /** Currency of the terminal; by default the currency of the business. */
  currency: Type.Optional(Currency()),
  /** Net amount in cents from the preview: 409 if the batch has a different one now. */
  expected_net_amount: Type.Integer({ minimum: -9_999_999_999_900, maximum: 9_999_999_999_900 }),
})
export const SettlePreviewOrder = Type.Object({ currency: Type.Optional(Currency()) })

/** What the gateway would settle now, by its own figures. */
const SettlePreview = Type.Object({
  object: Type.Literal('settle_preview'),
  batch: Nullable(Uuid()),
  number: Type.Integer(),
  currency: Currency(),
  ...Figures.properties,
  by_brand: Batch.properties.by_brand,
})
export type SettlePreview = Static<typeof SettlePreview>

/** A transaction that differs from the gateway's list and is not resolved. */
const Finding = Type.Object({
  id: Uuid(),
  object: Type.Literal('finding'),
  kind: OneOf([
    'unknown_transaction',
    'missing_transaction',
    'state_differs',
    'amount_differs',
    'duplicate_transaction',
  ]),
  /** Day in the gateway's list, in UTC. */
  day: Day(),
  /** Our reference, as the gateway has it. */
  reference: Type.String(),
  gateway_reference: Nullable(Type.String()),
  our_state: Nullable(OneOf(OPERATION_STATES)),
  our_amount: Nullable(Cents),
  gateway_state: Nullable(OneOf(TRANSACTION_STATES)),
  gateway_amount: Nullable(Cents),
  currency: Currency(),
  found_at: EpochSeconds(),
})
export type Finding = Static<typeof Finding>

const Findings = Type.Object({ object: Type.Literal('list'), data: Type.Array(Finding) })
const OpenBatches = Type.Object({ object: Type.Literal('list'), data: Type.Array(OpenBatch) })
const BatchList = DashboardList(ListedBatch)
const BatchPaymentList = DashboardList(BatchPayment)
export const BatchPaymentsQuery = Type.Object({ ...DASHBOARD_PAGE })

export interface BatchesApi {
  'GET /batches': { query: Partial<Static<typeof BatchesQuery>>; response: Static<typeof BatchList> }
  'POST /batches/export': { body: Static<typeof BatchesExport>; response: string }
  /** Returns the open batch of each terminal; the terminal of the business's currency comes first. */
  'GET /batches/current': { response: Static<typeof OpenBatches> }
  'POST /batches/current/settle/preview': { body: Static<typeof SettlePreviewOrder>; response: SettlePreview }
  /** A 409 contains under `preview` what the gateway would settle now. */
  'POST /batches/current/settle': { body: Static<typeof SettleOrder>; response: ListedBatch }
  /** Returns the newest 100 findings. A later comparison or the operator resolves them. */
  'GET /findings': { response: Static<typeof Findings> }
  'GET /batches/{id}': { response: ListedBatch }
  'GET /batches/{id}/payments': {
    query: Partial<Static<typeof BatchPaymentsQuery>>
    response: Static<typeof BatchPaymentList>
  }
}
