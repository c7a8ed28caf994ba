import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { type Placeholders, run, statement, type Values } from '../db/statement.ts'
import type { NewEvent } from '../events/event.ts'
import { eventValues, nextEventMembers } from '../events/event-queries.ts'
import type { Cents, Currency } from '../lib/money.ts'
import { movesBy, type Operation, type OperationKind, type OperationState, type OperationTrigger } from './operation.ts'

// Every statement that changes an outcome is fenced: it compares the epoch under which its writer owns the operation,
// and changes nothing if another writer has decided the outcome first (PAY-6).

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
  /** The IP prefix of the payer, as rate limits count it; only for a payment on a session. */
  payerIpPrefix?: string
  sentAt: Date
  deadlineAt: Date
  /** Set for an operation that is not sent now: recovery takes it up at that time. */
  nextInquiryAt: Date | null
}

/**
 * `insert into operation … from <source>` for what gives a sale back: one row for each row of the source, which the same statement
 * has locked. A reversal that is not sent now starts as IN_DOUBT.
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

export interface Outcome {
  businessId: string
  operationId: string
  epoch: number
  /** Determines the required current state and the new state. */
  trigger: OperationTrigger
  code?: string | null
  message?: string | null
  gatewayRef?: string | null
  issuerReference?: string | null
  networkTransactionId?: string | null
  countsAsAttempt?: boolean
  /** Only for an outcome that stays unknown: when recovery inquires. */
  nextInquiryAt?: Date
  now: Date
}

/**
 * The members `finalized` and `referenced` of a `with`, for any outcome. `finalized` is the fenced update; it returns
 * one row if this writer still owned the outcome and the condition holds. `referenced` stores the gateway's reference.
 */
export function finalizeOperation(p: Placeholders, condition = 'true'): string {
  return `finalized as (update operation set
      state = ${p.state}::operation_state, lost = ${p.lost}::boolean,
      code = coalesce(${p.code}::text, code), message = coalesce(${p.message}::text, message),
      gateway_ref = coalesce(${p.gatewayRef}::text, gateway_ref),
      issuer_reference = coalesce(${p.issuerReference}::text, issuer_reference),
      network_transaction_id = coalesce(${p.networkTransactionId}::text, network_transaction_id),
      counts_as_attempt = ${p.countsAsAttempt}::boolean or counts_as_attempt,
      finalized_at = ${p.finalizedAt}::timestamptz,
      open_reversal_of = case when ${p.isInDoubt}::boolean then open_reversal_of end,
      open_card_sale = case when ${p.isOpen}::boolean then open_card_sale end,
      next_inquiry_at = ${p.nextInquiryAt}::timestamptz,
      written_off_at = case when kind = 'sale' then ${p.writtenOffAt}::timestamptz end,
      declined_at = case when kind = 'sale' then ${p.declinedAt}::timestamptz end
    where business_id = ${p.businessId}::uuid and id = ${p.operationId}::uuid
      and epoch = ${p.epoch}::integer and state = any(${p.from}::operation_state[]) and ${condition}
    returning id, business_id, terminal_id
  ), referenced as (
    insert into gateway_reference (business_id, terminal_id, gateway_ref, operation_id)
    select business_id, terminal_id, ${p.gatewayRef}::text, id from finalized where ${p.gatewayRef}::text is not null
  )`
}

/** The final states without money: the last values of the type operation_state. */
const LOST: ReadonlySet<OperationState> = new Set(['DECLINED', 'NOT_SENT', 'NOT_CHARGED', 'REVERSED'])

export function finalizeValues(outcome: Outcome): Values {
  const { from, to } = movesBy(outcome.trigger)
  const { now, nextInquiryAt = null } = outcome
  const isInDoubt = to === 'IN_DOUBT'
  const isOpen = isInDoubt || to === 'REVERSING'
  if (isInDoubt !== (nextInquiryAt !== null)) throw new Error('only an unknown outcome has a next inquiry')
  return {
    businessId: outcome.businessId,
    operationId: outcome.operationId,
    epoch: outcome.epoch,
    from,
    state: to,
    lost: LOST.has(to),
    code: outcome.code ?? null,
    message: outcome.message ?? null,
    gatewayRef: outcome.gatewayRef ?? null,
    issuerReference: outcome.issuerReference ?? null,
    networkTransactionId: outcome.networkTransactionId ?? null,
    countsAsAttempt: outcome.countsAsAttempt ?? false,
    finalizedAt: isOpen ? null : now,
    isInDoubt,
    isOpen,
    nextInquiryAt,
    writtenOffAt: to === 'NOT_SENT' || to === 'NOT_CHARGED' ? now : null,
    declinedAt: to === 'DECLINED' ? now : null,
  }
}

const FINALIZE = statement('finalize', (p) => `with ${finalizeOperation(p)} select id from finalized`)
const FINALIZE_WITH_EVENT = statement(
  'finalize_with_event',
  (p) => `with ${finalizeOperation(p)}, ${nextEventMembers(p, { source: 'finalized' })}
    select id from finalized`,
)

/**
 * @param event the event of the final outcome; `null` when there is none
 * @returns whether this writer still owned the outcome
 */
export async function finalize(db: Db, outcome: Outcome, event: NewEvent | null = null): Promise<boolean> {
  const rows = await run(db, event ? FINALIZE_WITH_EVENT : FINALIZE, {
    ...finalizeValues(outcome),
    ...recordedValues(event),
  })
  return rows.length > 0
}

const recordedValues = (event: NewEvent | null) => event && { ...eventValues(event), at: event.createdAt }

const reversalText = (p: Placeholders, recorded: string) => `with ${finalizeOperation(p)},
    reversal as (${insertReversal(p, 'finalized')} on conflict do nothing)${recorded}
  select id from finalized`
const FINALIZE_WITH_REVERSAL = statement('finalize_with_reversal', (p) => reversalText(p, ''))
const FINALIZE_WITH_REVERSAL_AND_EVENT = statement('finalize_with_reversal_and_event', (p) =>
  reversalText(p, `, ${nextEventMembers(p, { source: 'finalized' })}`),
)

/** Finalizes a sale as REVERSING and inserts its reversal, in one statement. */
export async function finalizeWithReversal(
  db: Db,
  outcome: Outcome,
  reversal: NewOperation,
  event: NewEvent | null,
): Promise<boolean> {
  const rows = await run(db, event ? FINALIZE_WITH_REVERSAL_AND_EVENT : FINALIZE_WITH_REVERSAL, {
    ...finalizeValues(outcome),
    ...reversalValues(reversal),
    ...recordedValues(event),
  })
  return rows.length > 0
}

const FINALIZE_REVERSAL = statement(
  'finalize_reversal',
  (p) => `with ${finalizeOperation(p)},
      reversed as (
        update operation set state = 'REVERSED', lost = true, finalized_at = ${p.finalizedAt}::timestamptz,
          open_card_sale = null, written_off_at = null
        where business_id = ${p.businessId}::uuid and id = ${p.saleId}::uuid
          and state = any(${p.reversible}::operation_state[]) and exists (select from finalized)
      )
    select id from finalized`,
)

/** Finalizes a reversal and its sale in one statement. */
export async function finalizeReversal(
  db: Db,
  reversal: Outcome,
  sale: { businessId: string; operationId: string; now: Date },
): Promise<boolean> {
  const rows = await run(db, FINALIZE_REVERSAL, {
    ...finalizeValues(reversal),
    saleId: sale.operationId,
    reversible: movesBy('reversed').from,
  })
  return rows.length > 0
}

const REPLACE_REVERSAL = statement(
  'replace_reversal',
  (p) => `with ${finalizeOperation(p)}, next as (${insertReversal(p, 'finalized')}) select id from finalized`,
)

/** Replaces a refused reversal by another one, such as a void by a refund after the batch was settled. */
export async function replaceReversal(db: Db, refused: Outcome, next: NewOperation): Promise<boolean> {
  return (await run(db, REPLACE_REVERSAL, { ...finalizeValues(refused), ...reversalValues(next) })).length > 0
}

const INSERT_REVERSAL = statement(
  'insert_reversal',
  (p) => `${insertReversal(p, '(select 1) as one')} on conflict do nothing returning id`,
)

/** Inserts what gives a sale back. @returns `false` when the sale has another one that is open */
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

/** The gateway's code and message of the last decline on a session. A partial approval counts as a decline. */
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
