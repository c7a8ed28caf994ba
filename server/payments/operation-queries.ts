import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { NewEvent } from '../events/event.ts'
import { insertEventFrom } from '../events/event-queries.ts'
import type { Cents, Currency } from '../lib/money.ts'
import { movesBy, type Operation, type OperationKind, type OperationTrigger } from './operation.ts'

// Every statement that changes an outcome is fenced: it carries the epoch under which its writer owns the operation, and
// changes nothing when somebody else has decided meanwhile (PAY-6).

export interface NewOperation {
  businessId: string
  id: string
  kind: OperationKind
  merchantRef: string
  terminalId: string
  owner: Operation['owner']
  parentId: string | null
  amount: Cents
  currency: Currency
  card: { brand: string; first6: string; last4: string; fingerprint: Buffer } | null
  storedCard: Operation['storedCard']
  /** Where a payer's request came from, as rate limits count it; only of a payment on a session. */
  payerIpPrefix?: string
  sentAt: Date
  deadlineAt: Date
  nextInquiryAt: Date
}

/**
 * `insert into operation … from <source>`: one row for each row of the source, which the caller's statement has locked.
 * A second open-or-won sale of a session fails on the unique index.
 */
export function insertOperationFrom(operation: NewOperation, source: RawBuilder<unknown>): RawBuilder<unknown> {
  const { card } = operation
  return sql`insert into operation (business_id, id, kind, state, merchant_ref, terminal_id, session_id, parent_id, amount,
      currency, card_brand, card_first6, card_last4, card_fingerprint, stored_card_id, customer_id, payer_network, sent_at, deadline_at, look_again_at)
    select ${operation.businessId}::uuid, ${operation.id}::uuid, ${operation.kind}::text, 'SENT',
      ${operation.merchantRef}::text, ${operation.terminalId}::uuid, ${operation.owner.kind === 'session' ? operation.owner.id : null}::uuid,
      ${operation.parentId}::uuid, ${operation.amount}::bigint, ${operation.currency}::text, ${card?.brand ?? null}::text,
      ${card?.first6 ?? null}::text, ${card?.last4 ?? null}::text, ${card?.fingerprint ?? null}::bytea, ${operation.storedCard?.id ?? null}::uuid,
      ${operation.storedCard?.customerId ?? null}::uuid, ${operation.payerIpPrefix ?? null}::text,
      ${operation.sentAt}::timestamptz, ${operation.deadlineAt}::timestamptz, ${operation.nextInquiryAt}::timestamptz
    from ${source}`
}

export interface Outcome {
  businessId: string
  operationId: string
  epoch: number
  /** What happened; the state table says where it may be now, and where it goes. */
  trigger: OperationTrigger
  code?: string | null
  message?: string | null
  gatewayRef?: string | null
  issuerReference?: string | null
  networkTransactionId?: string | null
  countsAsAttempt?: boolean
  now: Date
}

/** The fenced update; it yields one row when this writer still owned the outcome, and the condition holds. */
export function finalizeOperation(outcome: Outcome, condition: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const { from, to } = movesBy(outcome.trigger)
  const isOpen = to === 'IN_DOUBT' || to === 'REVERSING'
  return sql`update operation set
      state = ${to}::text,
      code = coalesce(${outcome.code ?? null}::text, code),
      message = coalesce(${outcome.message ?? null}::text, message),
      gateway_ref = coalesce(${outcome.gatewayRef ?? null}::text, gateway_ref),
      issuer_reference = coalesce(${outcome.issuerReference ?? null}::text, issuer_reference),
      network_transaction_id = coalesce(${outcome.networkTransactionId ?? null}::text, network_transaction_id),
      counts_as_attempt = ${outcome.countsAsAttempt ?? false}::boolean or counts_as_attempt,
      settled_at = ${isOpen ? null : outcome.now}::timestamptz
    where business_id = ${outcome.businessId}::uuid and id = ${outcome.operationId}::uuid
      and epoch = ${outcome.epoch}::integer and state = any(${from}::text[]) and ${condition}
    returning id, session_id`
}

/**
 * @param event of the sale's end, where somebody is told of it
 * @returns whether this writer still owned the outcome
 */
export async function finalize(db: Db, outcome: Outcome, event: NewEvent | null = null): Promise<boolean> {
  const { rows } = await sql`
    with settled as (${finalizeOperation(outcome)})${recordedBy(event)}
    select id from settled`.execute(db)
  return rows.length > 0
}

/** Marks a sale to be reversed and writes down the operation that reverses it, in one step. */
export async function finalizeWithReversal(
  db: Db,
  outcome: Outcome,
  reversal: NewOperation,
  event: NewEvent | null,
): Promise<boolean> {
  const { rows } = await sql`
    with settled as (${finalizeOperation(outcome)}),
      undo as (${insertOperationFrom(reversal, sql`settled`)} on conflict do nothing)${recordedBy(event)}
    select id from settled`.execute(db)
  return rows.length > 0
}

const recordedBy = (event: NewEvent | null) =>
  event ? sql`, recorded as (${insertEventFrom(event, sql`settled`)})` : sql``

/** The reversing operation and the sale it reversed, together. */
export async function finalizeReversal(
  db: Db,
  reversal: Outcome,
  sale: { businessId: string; operationId: string; now: Date },
): Promise<boolean> {
  const { from, to } = movesBy('reversed')
  const { rows } = await sql`
    with settled as (${finalizeOperation(reversal)}),
      undone as (
        update operation set state = ${to}::text, settled_at = ${sale.now}::timestamptz
        where business_id = ${sale.businessId}::uuid and id = ${sale.operationId}::uuid
          and state = any(${from}::text[]) and exists (select from settled)
      )
    select id from settled`.execute(db)
  return rows.length > 0
}

/** An operation that could not reverse the sale gives way to another one (a void, once the batch closed, to a refund). */
export async function replaceReversal(db: Db, refused: Outcome, next: NewOperation): Promise<boolean> {
  const { rows } = await sql`
    with settled as (${finalizeOperation(refused)}),
      next as (${insertOperationFrom(next, sql`settled`)})
    select id from settled`.execute(db)
  return rows.length > 0
}

/** An approval that turned up late: its reversal, unless one is open already. */
export async function insertReversal(db: Db, reversal: NewOperation): Promise<boolean> {
  const { rows } = await sql`
    ${insertOperationFrom(reversal, sql`(select 1) as one`)} on conflict do nothing returning id`.execute(db)
  return rows.length > 0
}

const columns = sql`o.business_id as "businessId", o.id, o.kind, o.state, o.merchant_ref as "merchantRef",
  o.terminal_id as "terminalId", t.gateway, t.merchant_code as "merchantCode", case when o.session_id is not null then jsonb_build_object('kind', 'session', 'id', o.session_id)
    else jsonb_build_object('kind', 'stored_card_sale', 'id', coalesce(o.parent_id, o.id)) end as "owner",
  o.parent_id as "parentId", o.amount, o.currency, case when o.stored_card_id is not null then
    jsonb_build_object('id', o.stored_card_id, 'customerId', o.customer_id) end as "storedCard", o.gateway_ref as "gatewayRef", o.epoch, o.sent_at as "sentAt",
  o.deadline_at as "deadlineAt", o.inquiries, o.not_found_since as "notFoundSince"`

const withTerminal = sql`operation o join terminal t on t.business_id = o.business_id and t.id = o.terminal_id`

export async function findOperation(db: Db, businessId: string, id: string): Promise<Operation | undefined> {
  const { rows } = await sql<Operation>`select ${columns} from ${withTerminal}
    where o.business_id = ${businessId} and o.id = ${id}`.execute(db)
  return rows[0]
}

export async function findOpenReversal(db: Db, businessId: string, saleId: string): Promise<Operation | undefined> {
  const { rows } = await sql<Operation>`select ${columns} from ${withTerminal}
    where o.business_id = ${businessId} and o.parent_id = ${saleId} and o.state in ('SENT', 'IN_DOUBT')`.execute(db)
  return rows[0]
}

/**
 * Takes over operations whose outcome is open and that nobody is waiting for any more: the epoch rises, so that whoever
 * still holds an older one can write nothing.
 *
 * @param abandonedBefore a sender that lives still owns what it sent after this
 */
export async function claimOpenOperations(
  db: Db,
  { now, abandonedBefore, limit, lease }: { now: Date; abandonedBefore: Date; limit: number; lease: Date },
): Promise<Operation[]> {
  const { rows } = await sql<Operation>`
    with due as (
      select business_id, id from operation
      where state in ('SENT', 'IN_DOUBT') and look_again_at <= ${now}
        and (state = 'IN_DOUBT' or sent_at <= ${abandonedBefore})
      order by look_again_at limit ${limit} for update skip locked
    ), o as (
      update operation u set state = 'IN_DOUBT', epoch = u.epoch + 1, inquiries = u.inquiries + 1, look_again_at = ${lease}
      from due where u.business_id = due.business_id and u.id = due.id
      returning u.*
    )
    select ${columns} from o join terminal t on t.business_id = o.business_id and t.id = o.terminal_id`.execute(db)
  return rows
}

/**
 * Directly before an operation is sent again: it is still ours, and it can arrive until the new deadline, so that «not found»
 * counts anew.
 *
 * @returns whether it may be sent
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

/** Still open: when to look next, and since when the gateway has not known it. */
export async function scheduleInquiry(
  db: Db,
  { businessId, id, epoch }: Operation,
  next: { at: Date; notFoundSince: Date | null; needsAttention: boolean },
): Promise<void> {
  await db
    .updateTable('operation')
    .set({ look_again_at: next.at, not_found_since: next.notFoundSince, needs_attention: next.needsAttention })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('state', 'in', ['SENT', 'IN_DOUBT'])
    .execute()
}

/** References that were written off; until their batch has closed an approval may still turn up. */
export async function listWrittenOff(db: Db, since: Date, limit: number): Promise<Operation[]> {
  const { rows } = await sql<Operation>`select ${columns} from ${withTerminal}
    where o.kind = 'sale' and o.state in ('NOT_CHARGED', 'NOT_SENT') and o.settled_at > ${since}
    order by o.settled_at desc limit ${limit}`.execute(db)
  return rows
}

/** How many outcomes are open, and how many a person must look at: for metrics and alarms. */
export async function countOpen(db: Db): Promise<{ open: number; attention: number }> {
  const { rows } = await sql<{ open: number; attention: number }>`
    select count(*)::int as open, count(*) filter (where needs_attention)::int as attention
    from operation where state in ('SENT', 'IN_DOUBT')`.execute(db)
  return rows[0] ?? { open: 0, attention: 0 }
}

/** When the next open outcome is to be asked about; one whose sender may still live, when it may live no longer. */
export async function findNextInquiryAt(db: Db, { wireMs }: { wireMs: number }): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(case state when 'IN_DOUBT' then look_again_at
      else greatest(look_again_at, sent_at + make_interval(secs => ${wireMs / 1000})) end) as at
    from operation where state in ('SENT', 'IN_DOUBT')`.execute(db)
  return rows[0]?.at ?? null
}

/** What the gateway said when it last declined a card on this session. */
export function findLastDecline(
  db: Db,
  businessId: string,
  sessionId: string,
): Promise<{ code: string | null; message: string | null } | undefined> {
  return db
    .selectFrom('operation')
    .select(['code', 'message'])
    .where('business_id', '=', businessId)
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'sale')
    .where('counts_as_attempt', '=', true)
    .orderBy('settled_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
