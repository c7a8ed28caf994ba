import { sql } from 'kysely'
import type { BillView, DoneEntry } from '../../../contract/dashboard/subscription-views.ts'
import type { PaymentStatus, PaymentTrigger } from '../../../contract/payment.ts'
import type { Db } from '../../db/connection.ts'
import type { Bill, BillClosedReason } from '../../subscriptions/bill.ts'
import type { Pause, PauseMode, PauseStatus, ResumePath, UnusedTimeBehavior } from '../../subscriptions/pause.ts'
import type { Day } from '../../subscriptions/plan/calendar.ts'

// Queries for what the page of one subscription shows beyond its own rows: the newest of each kind.

const BILLS = 24
const DONE = 20
const PAYMENTS = 120
const PAUSES = 20
const LETTERS = 20
const EVENTS = 20

interface Which {
  businessId: string
  subscriptionId: string
}

export type ListedBill = Pick<
  Bill,
  'id' | 'periodStart' | 'periodEnd' | 'status' | 'closedReason' | 'failedAttempts' | 'nextAttemptAt' | 'lastAttemptAt'
>

export async function listBills(
  db: Db,
  { businessId, subscriptionId }: Which,
): Promise<{ bills: ListedBill[]; hasMore: boolean }> {
  const { rows } = await sql<ListedBill>`
    select id, period_start::text as "periodStart", period_end::text as "periodEnd", status,
      closed_reason as "closedReason", failed_attempts as "failedAttempts", next_attempt_at as "nextAttemptAt",
      last_attempt_at as "lastAttemptAt"
    from bill where business_id = ${businessId}::uuid and subscription_id = ${subscriptionId}::uuid
    order by segment_no desc, period_no desc limit ${BILLS + 1}`.execute(db)
  const bills = rows.slice(0, BILLS).map((row) => ({
    ...row,
    periodStart: row.periodStart as Day,
    periodEnd: row.periodEnd as Day,
    status: row.status as BillView['status'],
    closedReason: row.closedReason as BillClosedReason | null,
  }))
  return { bills, hasMore: rows.length > BILLS }
}

export interface ListedPayment {
  id: string
  billId: string | null
  status: PaymentStatus
  amount: number
  code: string
  trigger: PaymentTrigger | null
  attempt: number | null
  createdAt: Date
}

export async function listAttempts(db: Db, { businessId, subscriptionId }: Which): Promise<ListedPayment[]> {
  const { rows } = await sql<ListedPayment>`
    select id, bill_id as "billId", status, amount, code, trigger, attempt, created_at as "createdAt"
    from payment where business_id = ${businessId}::uuid and subscription_id = ${subscriptionId}::uuid
    order by created_at desc, id desc limit ${PAYMENTS}`.execute(db)
  return rows
}

export async function listPauses(db: Db, { businessId, subscriptionId }: Which): Promise<Pause[]> {
  const rows = await db
    .selectFrom('subscription_pause')
    .selectAll()
    .where('business_id', '=', businessId)
    .where('subscription_id', '=', subscriptionId)
    .orderBy('id', 'desc')
    .limit(PAUSES)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    status: row.status as PauseStatus,
    mode: row.mode as PauseMode,
    reason: row.reason,
    unusedTimeBehavior: row.unused_time_behavior as UnusedTimeBehavior | null,
    scheduledFor: row.scheduled_for,
    pausedAt: row.paused_at,
    paidThroughAt: row.paid_through_at,
    remainingPaidSeconds: Number(row.remaining_paid_seconds ?? 0),
    refundConfirmed: row.refund_confirmed,
    refundReference: row.refund_reference,
    refundNote: row.refund_note,
    resumeMode: row.resume_mode as ResumePath | null,
    resumedAt: row.resumed_at,
    createdAt: row.created_at,
  }))
}

/** @param objectIds the subscription and its payments */
export function listLetters(db: Db, businessId: string, objectIds: readonly string[]) {
  return db
    .selectFrom('letter')
    .select(['id', 'kind', 'recipient', 'status', 'subject', 'created_at as createdAt'])
    .where('business_id', '=', businessId)
    .where('object_id', 'in', objectIds)
    .orderBy('id', 'desc')
    .limit(LETTERS)
    .execute()
}

export function listEvents(db: Db, businessId: string, objectIds: readonly string[]) {
  return db
    .selectFrom('event')
    .select(['id', 'type', 'object_id as objectId', 'created_at as createdAt'])
    .where('business_id', '=', businessId)
    .where('object_id', 'in', objectIds)
    .orderBy('id', 'desc')
    .limit(EVENTS)
    .execute()
}

/** Lists what people and the operator did about the subscription, newest first. */
export async function listDone(db: Db, { businessId, subscriptionId }: Which): Promise<DoneEntry[]> {
  const { rows } = await sql<DoneEntry>`
    select id, action, actor_name as who, floor(extract(epoch from created_at))::integer as created
    from audit_entry where business_id = ${businessId}::uuid and object_id = ${subscriptionId}::text
      and outcome <> 'refused' order by number desc limit ${DONE}`.execute(db)
  return rows
}
