import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { NewEvent } from '../events/event.ts'
import { insertEventFrom } from '../events/event-queries.ts'
import type { Cents, Currency } from '../lib/money.ts'
import { movesBy, type Operation, type OperationKind, type OperationState, type OperationTrigger } from './operation.ts'

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
  /** Of one that is not sent now: recovery takes it up then. */
  nextInquiryAt: Date | null
}

/**
 * `insert into operation … from <source>`: one row for each row of the source, which the caller's statement has locked.
 * A second open-or-won sale of a session fails on the unique index.
 */
export function insertOperationFrom(operation: NewOperation, source: RawBuilder<unknown>): RawBuilder<unknown> {
  const { card, owner, parentId, storedCard, nextInquiryAt } = operation
  const openCardSale = owner.kind === 'stored_card_sale' && parentId === null ? storedCard?.id : null
  return sql`insert into operation (business_id, id, kind, state, owner_kind, owner_id, merchant_ref, terminal_id, parent_id,
      open_reversal_of, amount, currency, card_brand, card_first6, card_last4, card_fingerprint, stored_card_id, customer_id,
      open_card_sale, payer_ip_prefix, sent_at, deadline_at, next_inquiry_at)
    select ${operation.businessId}::uuid, ${operation.id}::uuid, ${operation.kind}::operation_kind,
      ${nextInquiryAt === null ? 'SENT' : 'IN_DOUBT'}::operation_state, ${owner.kind}::charge_owner_kind, ${owner.id}::uuid,
      ${operation.merchantRef}::text, ${operation.terminalId}::uuid, ${parentId}::uuid, ${parentId}::uuid,
      ${operation.amount}::bigint, ${operation.currency}::text, ${card?.brand ?? null}::text, ${card?.first6 ?? null}::text,
      ${card?.last4 ?? null}::text, ${card?.fingerprint ?? null}::bytea, ${storedCard?.id ?? null}::uuid,
      ${storedCard?.customerId ?? null}::uuid, ${openCardSale ?? null}::uuid, ${operation.payerIpPrefix ?? null}::text,
      ${operation.sentAt}::timestamptz, ${operation.deadlineAt}::timestamptz, ${nextInquiryAt}::timestamptz
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
  /** Of an outcome that stays unknown: when recovery asks the gateway. */
  nextInquiryAt?: Date
  now: Date
}

/**
 * The members `finalized` and `referenced` of a `with`: the fenced update, which yields one row when this writer still owned the
 * outcome, and the condition holds; and the gateway's reference, which may belong to no other sale.
 */
export function finalizeOperation(outcome: Outcome, condition: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const { from, to } = movesBy(outcome.trigger)
  const { now, gatewayRef = null, nextInquiryAt = null } = outcome
  if ((to === 'IN_DOUBT') !== (nextInquiryAt !== null)) throw new Error('An unknown outcome names its next inquiry')
  const isWrittenOff = to === 'NOT_SENT' || to === 'NOT_CHARGED'
  return sql`finalized as (update operation set
      state = ${to}::operation_state, lost = ${LOST.has(to)}::boolean,
      code = coalesce(${outcome.code ?? null}::text, code),
      message = coalesce(${outcome.message ?? null}::text, message),
      gateway_ref = coalesce(${gatewayRef}::text, gateway_ref),
      issuer_reference = coalesce(${outcome.issuerReference ?? null}::text, issuer_reference),
      network_transaction_id = coalesce(${outcome.networkTransactionId ?? null}::text, network_transaction_id),
      counts_as_attempt = ${outcome.countsAsAttempt ?? false}::boolean or counts_as_attempt,
      finalized_at = ${to === 'IN_DOUBT' || to === 'REVERSING' ? null : now}::timestamptz,
      open_reversal_of = case when ${to === 'IN_DOUBT'}::boolean then open_reversal_of end,
      open_card_sale = case when ${to === 'IN_DOUBT' || to === 'REVERSING'}::boolean then open_card_sale end,
      next_inquiry_at = ${nextInquiryAt}::timestamptz,
      written_off_at = case when kind = 'sale' then ${isWrittenOff ? now : null}::timestamptz end,
      declined_at = case when kind = 'sale' then ${to === 'DECLINED' ? now : null}::timestamptz end
    where business_id = ${outcome.businessId}::uuid and id = ${outcome.operationId}::uuid
      and epoch = ${outcome.epoch}::integer and state = any(${from}::operation_state[]) and ${condition}
    returning id, business_id, terminal_id
  ), referenced as (
    insert into gateway_reference (business_id, terminal_id, gateway_ref, operation_id)
    select business_id, terminal_id, ${gatewayRef}::text, id from finalized where ${gatewayRef !== null}::boolean
  )`
}

/** In these a sale is lost for good: the last values of the type operation_state. */
const LOST: ReadonlySet<OperationState> = new Set(['DECLINED', 'NOT_SENT', 'NOT_CHARGED', 'REVERSED'])

/**
 * @param event of the sale's end, where somebody is told of it
 * @returns whether this writer still owned the outcome
 */
export async function finalize(db: Db, outcome: Outcome, event: NewEvent | null = null): Promise<boolean> {
  const { rows } = await sql`
    with ${finalizeOperation(outcome)}${recordedBy(event)}
    select id from finalized`.execute(db)
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
    with ${finalizeOperation(outcome)},
      reversal as (${insertOperationFrom(reversal, sql`finalized`)} on conflict do nothing)${recordedBy(event)}
    select id from finalized`.execute(db)
  return rows.length > 0
}

const recordedBy = (event: NewEvent | null) =>
  event ? sql`, recorded as (${insertEventFrom(event, sql`finalized`)})` : sql``

/** The reversing operation and the sale it reversed, together. */
export async function finalizeReversal(
  db: Db,
  reversal: Outcome,
  sale: { businessId: string; operationId: string; now: Date },
): Promise<boolean> {
  const { from, to } = movesBy('reversed')
  const { rows } = await sql`
    with ${finalizeOperation(reversal)},
      reversed as (
        update operation set state = ${to}::operation_state, lost = true, finalized_at = ${sale.now}::timestamptz,
          open_card_sale = null, written_off_at = null
        where business_id = ${sale.businessId}::uuid and id = ${sale.operationId}::uuid
          and state = any(${from}::operation_state[]) and exists (select from finalized)
      )
    select id from finalized`.execute(db)
  return rows.length > 0
}

/** An operation that could not reverse the sale gives way to another one (a void, once the batch closed, to a refund). */
export async function replaceReversal(db: Db, refused: Outcome, next: NewOperation): Promise<boolean> {
  const { rows } = await sql`
    with ${finalizeOperation(refused)},
      next as (${insertOperationFrom(next, sql`finalized`)})
    select id from finalized`.execute(db)
  return rows.length > 0
}

/** An approval that turned up late: its reversal, unless one is open already. */
export async function insertReversal(db: Db, reversal: NewOperation): Promise<boolean> {
  const { rows } = await sql`
    ${insertOperationFrom(reversal, sql`(select 1) as one`)} on conflict do nothing returning id`.execute(db)
  return rows.length > 0
}

/** Of an operation `o` and its terminal `t`. */
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
    .set({ next_inquiry_at: next.at, not_found_since: next.notFoundSince, needs_attention: next.needsAttention })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('state', '=', 'IN_DOUBT')
    .execute()
}

/** What the gateway said when it last declined a card on this session. A part that is being reversed counts as declined. */
export async function findLastDecline(
  db: Db,
  businessId: string,
  sessionId: string,
): Promise<{ code: string | null; message: string | null } | undefined> {
  const columns = sql`select code, message, counts_as_attempt, sent_at from operation
    where business_id = ${businessId}::uuid and owner_id = ${sessionId}::uuid`
  const { rows } = await sql<{ code: string | null; message: string | null }>`
    select code, message from (
      ${columns} and (lost or parent_id is not null) union all ${columns} and not lost and parent_id is null
    ) as of_session where counts_as_attempt order by sent_at desc limit 1`.execute(db)
  return rows[0]
}
