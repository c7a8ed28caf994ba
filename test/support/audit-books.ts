import type { LedgerRowView } from '../../server/gateway/simulator/ledger-row.ts'
import type { AuditInput } from './audit.ts'
import { type EventFault, readEventFaults } from './audit-events.ts'
import { type BrokenReference, readBrokenReferences } from './audit-references.ts'

export interface BookedOperation {
  id: string
  kind: string
  state: string
  terminal: string
  merchantRef: string
  ownerKind: 'session' | 'stored_card_sale' | 'bill'
  sessionId: string | null
  ownerId: string
  /** Stored card that is charged; `null` for other sales. */
  storedCardId: string | null
  parentId: string | null
  amount: number
  currency: string
  /** The result code. */
  code: string | null
  countsAsAttempt: boolean
  needsAttention: boolean
  sentAt: Date
}

export interface BookedSession {
  id: string
  status: string
  amount: number
  /** Hundredths of a percent; 0 without a surcharge. */
  surchargeRate: number
  businessId: string
  threeDsEnabled: boolean
  /** Threshold in cents; 0 for all amounts. */
  threeDsAbove: number
  attemptCount: number
  /** Whether the session is for a subscription that may begin later: a card that is only verified has no operation. */
  mayVerify: boolean
  /** Whether it has begun a subscription whose first bill is on a later day, or replaced the card of one. */
  beginsLater: boolean
}

/** One run of 3-D Secure. */
export interface BookedAuthentication {
  id: string
  businessId: string
  sessionId: string
  state: string
  transStatus: string | null
  eci: string | null
  operationId: string | null
  counted: boolean
  hasCard: boolean
  hasValue: boolean
}

export interface BookedPayment {
  id: string
  operationId: string
  batchId: string | null
  sessionId: string | null
  status: string
  amount: number
  surcharge: number
  refunded: number
  /** Amount reserved by an open refund. */
  pending: number
  subscriptionId: string | null
  billId: string | null
  attempt: number | null
}

export interface BookedSubscription {
  id: string
  status: string
  paidBills: number
  installments: number | null
}

interface BookedBill {
  id: string
  subscriptionId: string
  status: string
  closedReason: string | null
  failedAttempts: number
  paymentId: string | null
}

export interface BookedBatch {
  id: string
  terminal: string
  status: string
  /** Name at the gateway. */
  name: string | null
  /** Sales minus refunds, of a settled batch. */
  net: number | null
}

export interface BookedRefund {
  /** Id, which is also the id of its operation. */
  id: string
  paymentId: string
  status: string
  amount: number
  batchId: string | null
}

/** The rows of both sides, read once, with functions to look them up. */
export interface Books {
  operations: BookedOperation[]
  sessions: BookedSession[]
  authentications: BookedAuthentication[]
  payments: BookedPayment[]
  refunds: BookedRefund[]
  subscriptions: BookedSubscription[]
  bills: BookedBill[]
  batches: BookedBatch[]
  /** `refundId`: the refund in the event of a payment. */
  events: { objectId: string; type: string; refundId: string | null }[]
  /** Stored responses of saved-card sales with a key, with the outcome of the sale. */
  responses: { key: string; ok: boolean; recordId: string; operationId: string }[]
  rows: LedgerRowView[]
  /** Sales that hold money: approved at least in part, and neither voided nor refunded. */
  live: LedgerRowView[]
  texts: { where: string; text: string }[]
  brokenReferences: BrokenReference[]
  eventFaults: EventFault[]
  now: Date
  operationOf(row: LedgerRowView): BookedOperation | undefined
  /** Returns the open void or refund of a sale. */
  reversalOf(sale: BookedOperation): BookedOperation | undefined
  paymentOf(sale: BookedOperation): BookedPayment | undefined
  /** Returns the gateway's row of a sale. */
  saleOf(operationId: string): LedgerRowView | undefined
}

export async function readBooks({ query, rows, logs = '', now = new Date() }: AuditInput): Promise<Books> {
  const tables = { ...(await readTables(query)), rows, now }
  const texts = [...(await readTexts(query)), { where: 'logs', text: logs }]
  const brokenReferences = await readBrokenReferences(query)
  const eventFaults = await readEventFaults(query)
  return { ...tables, texts, brokenReferences, eventFaults, live: rows.filter(isLive), ...waysBetween(tables) }
}

function isLive({ op, outcome, state }: LedgerRowView): boolean {
  return op === 'sale' && (outcome === 'approved' || outcome === 'partial') && (state === 'open' || state === 'settled')
}

async function readTables(query: AuditInput['query']) {
  // Cents are int8, which node-postgres returns as text.
  const read = async <Row>(text: string) => (await query(text)) as Row[]
  return {
    operations: await read<BookedOperation>(
      `select o.id, kind, state, merchant_code as terminal, merchant_ref as "merchantRef",
         owner_kind as "ownerKind", case when owner_kind = 'session' then owner_id end as "sessionId",
         owner_id as "ownerId",
         stored_card_id as "storedCardId", parent_id as "parentId", amount::int, o.currency, counts_as_attempt as "countsAsAttempt", code,
         needs_attention as "needsAttention", sent_at as "sentAt"
       from operation o join terminal t on t.business_id = o.business_id and t.id = o.terminal_id`,
    ),
    sessions: await read<BookedSession>(
      `select c.id, status, amount_total::int as amount, attempt_count as "attemptCount",
         coalesce(c.surcharge_rate_bp, (subscription #>> '{surcharge,rate_ppm}')::float / 100, 0) as "surchargeRate",
         mode = 'setup' or coalesce((subscription ->> 'start_date')::date >= c.created_at::date, false) as "mayVerify",
         exists (select from subscription s where s.business_id = c.business_id and s.id = c.subscription_id
           and s.start_date > (c.completed_at at time zone s.time_zone)::date)
           or mode = 'setup' or coalesce((subscription ->> 'replaces_card')::boolean, false) as "beginsLater",
         business_id as "businessId", b.three_ds_enabled as "threeDsEnabled", coalesce(b.three_ds_above, 0)::int as "threeDsAbove"
       from checkout_session c join business b on b.id = c.business_id`,
    ),
    authentications: await read<BookedAuthentication>(
      `select id, business_id as "businessId", session_id as "sessionId", state, trans_status as "transStatus", eci,
         operation_id as "operationId", counted, sealed_card is not null as "hasCard", sealed_value is not null as "hasValue"
       from authentication`,
    ),
    payments: await read<BookedPayment>(
      `select id, operation_id as "operationId", batch_id as "batchId", session_id as "sessionId", status, amount::int,
         surcharge_amount::int as surcharge, refunded_amount::int as refunded, refund_pending_amount::int as pending,
         subscription_id as "subscriptionId", bill_id as "billId", attempt
       from payment`,
    ),
    subscriptions: await read<BookedSubscription>(
      'select id, status, paid_bills as "paidBills", installments from subscription',
    ),
    bills: await read<BookedBill>(
      `select id, subscription_id as "subscriptionId", status, closed_reason as "closedReason",
         failed_attempts as "failedAttempts", payment_id as "paymentId" from bill`,
    ),
    refunds: await read<BookedRefund>(
      'select id, payment_id as "paymentId", status, amount::int, batch_id as "batchId" from refund',
    ),
    batches: await read<BookedBatch>(
      `select b.id, merchant_code as terminal, status, gateway_batch as name,
         (totals ->> 'salesAmount')::int - (totals ->> 'refundsAmount')::int as net
       from batch b join terminal t on t.business_id = b.business_id and t.id = b.terminal_id`,
    ),
    events: await read<Books['events'][number]>(
      `select object_id as "objectId", type, data -> 'refund' ->> 'id' as "refundId" from event order by object_id, sequence`,
    ),
    responses: await read<Books['responses'][number]>(
      `select key, (response ->> 'ok')::boolean as ok, response ->> 'recordID' as "recordId", operation_id as "operationId"
       from sale_request where response is not null`,
    ),
  }
}

function waysBetween({
  operations,
  payments,
  rows,
}: Pick<Books, 'operations' | 'payments' | 'rows'>): Pick<
  Books,
  'operationOf' | 'reversalOf' | 'paymentOf' | 'saleOf'
> {
  const key = (terminal: string, merchantRef: string) => `${terminal} ${merchantRef}`
  const byReference = new Map(operations.map((one) => [key(one.terminal, one.merchantRef), one]))
  const byId = new Map(operations.map((one) => [one.id, one]))
  const isOpenReversal = ({ parentId, state }: BookedOperation) =>
    parentId !== null && ['SENT', 'IN_DOUBT'].includes(state)
  const reversals = new Map(operations.filter(isOpenReversal).map((reversal) => [reversal.parentId, reversal]))
  const paid = new Map(payments.map((payment) => [payment.operationId, payment]))
  const recorded = new Map(rows.filter((row) => row.recorded).map((row) => [key(row.terminal, row.merchantRef), row]))
  return {
    operationOf: (row) => byReference.get(key(row.terminal, row.merchantRef)),
    reversalOf: (sale) => reversals.get(sale.id),
    paymentOf: (sale) => paid.get(sale.id),
    saleOf(operationId) {
      const sale = byId.get(operationId)
      return sale && recorded.get(key(sale.terminal, sale.merchantRef))
    },
  }
}

/** Returns every row of every table as text, including the job queue. */
async function readTexts(query: AuditInput['query']): Promise<Books['texts']> {
  const tables = (await query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )) as { name: string }[]
  const texts = []
  for (const { name } of tables) {
    const rows = (await query(`select t::text as text from ${name} t`)) as { text: string }[]
    texts.push({ where: name, text: rows.map(({ text }) => text).join('\n') })
  }
  return texts
}
