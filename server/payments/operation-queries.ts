import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { type Placeholders, run, statement, type Values } from '../db/statement.ts'
import type { NewOperation } from './new-operation.ts'
import type { Operation } from './operation.ts'

/**
 * Returns `insert into operation … from <source>` for a void, refund or reversal of a sale: one row for each row of the
 * source, which the same statement has locked. A reversal that is not sent now starts as IN_DOUBT.
 */
export function insertReversal(p: Placeholders, source: string): string {
  return `insert into operation (business_id, id, kind, state, owner_kind, owner_id, merchant_ref, terminal_id, parent_id,
      open_reversal_of, amount, currency, sent_at, deadline_at, next_inquiry_at)
    select ${p.businessId}::uuid, ${p.reversalId}::uuid, ${p.reversalKind}::operation_kind, ${p.reversalState}::operation_state,
      ${p.ownerKind}::charge_owner_kind, ${p.ownerId}::uuid, ${p.reversalRef}::text, ${p.terminalId}::uuid, ${p.parentId}::uuid,
      ${p.parentId}::uuid, ${p.reversalAmount}::bigint, ${p.currency}::text, ${p.sentAt}::timestamptz,
      ${p.deadlineAt}::timestamptz, ${p.reversalInquiryAt}::timestamptz
    from ${source}`
}

export function reversalValues(reversal: NewOperation): Values {
  return {
    businessId: reversal.businessId,
    reversalId: reversal.id,
    reversalKind: reversal.kind,
    reversalState: reversal.nextInquiryAt === null ? 'SENT' : 'IN_DOUBT',
    ownerKind: reversal.owner.kind,
    ownerId: reversal.owner.id,
    reversalRef: reversal.merchantRef,
    terminalId: reversal.terminalId,
    parentId: reversal.parentId,
    reversalAmount: reversal.amount,
    currency: reversal.currency,
    sentAt: reversal.sentAt,
    deadlineAt: reversal.deadlineAt,
    reversalInquiryAt: reversal.nextInquiryAt,
  }
}

const INSERT_REVERSAL = statement(
  'insert_reversal',
  (p) => `${insertReversal(p, '(select 1) as one')} on conflict do nothing returning id`,
)

/** Inserts a void, refund or reversal of a sale. @returns `false` if the sale already has an open one */
export async function insertUnlessOpen(db: Db, operation: NewOperation): Promise<boolean> {
  return (await run(db, INSERT_REVERSAL, reversalValues(operation))).length > 0
}

/** The columns of an operation `o` and its terminal `t`. */
export const OPERATION_COLUMNS = sql`o.business_id as "businessId", o.id, o.kind, o.state, o.merchant_ref as "merchantRef",
  o.terminal_id as "terminalId", t.gateway, t.merchant_code as "merchantCode",
  jsonb_build_object('kind', o.owner_kind, 'id', o.owner_id) as owner,
  o.parent_id as "parentId", o.amount, o.currency, case when o.stored_card_id is not null then
    jsonb_build_object('id', o.stored_card_id, 'customerId', o.customer_id) end as "storedCard", o.gateway_ref as "gatewayRef", o.epoch, o.sent_at as "sentAt",
  o.deadline_at as "deadlineAt", o.inquiries, o.not_found_since as "notFoundSince"`

const withTerminal = sql`operation o join terminal t on t.business_id = o.business_id and t.id = o.terminal_id`

export async function findOperation(db: Db, businessId: string, id: string): Promise<Operation | undefined> {
  const { rows } = await sql<Operation>`select ${OPERATION_COLUMNS} from ${withTerminal}
    where o.business_id = ${businessId} and o.id = ${id}`.execute(db)
  return rows[0]
}

export async function findOpenReversal(db: Db, businessId: string, saleId: string): Promise<Operation | undefined> {
  const { rows } = await sql<Operation>`select ${OPERATION_COLUMNS} from ${withTerminal}
    where o.business_id = ${businessId} and o.open_reversal_of = ${saleId}`.execute(db)
  return rows[0]
}

/**
 * Called directly before an operation is sent again. The request can arrive until the new deadline, so earlier "not
 * found" results no longer count.
 *
 * @returns whether this process still owns the operation and may send it
 */
export async function renewDeadline(db: Db, { businessId, id, epoch }: Operation, deadlineAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('operation')
    .set({ deadline_at: deadlineAt, not_found_since: null })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('state', '=', 'IN_DOUBT')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Schedules the next inquiry of an operation that is still open. */
export async function scheduleInquiry(
  db: Db,
  { businessId, id, epoch }: Operation,
  next: { at: Date; notFoundSince: Date | null; needsAttention: boolean },
): Promise<void> {
  await db
    .updateTable('operation')
    .set({ next_inquiry_at: next.at, not_found_since: next.notFoundSince, needs_attention: next.needsAttention })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('state', '=', 'IN_DOUBT')
    .execute()
}
