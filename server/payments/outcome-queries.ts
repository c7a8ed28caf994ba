import type { Db } from '../db/connection.ts'
import { type Placeholders, run, statement, type Values } from '../db/statement.ts'
import type { NewEvent } from '../events/event.ts'
import { eventValues, nextEventMembers } from '../events/event-queries.ts'
import type { NewOperation } from './new-operation.ts'
import { movesBy, type OperationState, type OperationTrigger } from './operation.ts'
import { insertReversal, reversalValues } from './operation-queries.ts'

// Every statement that changes an outcome is fenced: it compares the epoch under which its writer owns the operation,
// and changes nothing if another writer has decided the outcome first (PAY-6).

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
  avsResult?: string | null
  cvvResult?: string | null
  countsAsAttempt?: boolean
  /** Time at which recovery inquires; only for an outcome that stays unknown. */
  nextInquiryAt?: Date
  now: Date
}

/**
 * Returns the members `finalized` and `referenced` of a `with`, for any outcome. `finalized` is the fenced update; it
 * returns one row if this writer still owned the outcome and the condition holds. `referenced` stores the gateway's
 * reference.
 */
export function finalizeOperation(p: Placeholders, condition = 'true'): string {
  return `finalized as (update operation set
      state = ${p.state}::operation_state, lost = ${p.lost}::boolean,
      code = coalesce(${p.code}::text, code), message = coalesce(${p.message}::text, message),
      lost_code = case when kind = 'sale' and ${p.lost}::boolean then coalesce(${p.code}::text, code) end,
      gateway_ref = coalesce(${p.gatewayRef}::text, gateway_ref),
      issuer_reference = coalesce(${p.issuerReference}::text, issuer_reference),
      network_transaction_id = coalesce(${p.networkTransactionId}::text, network_transaction_id),
      avs_result = coalesce(${p.avsResult}::text, avs_result), cvv_result = coalesce(${p.cvvResult}::text, cvv_result),
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
    avsResult: outcome.avsResult ?? null,
    cvvResult: outcome.cvvResult ?? null,
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
        update operation set state = 'REVERSED', lost = true, lost_code = code,
          finalized_at = ${p.finalizedAt}::timestamptz,
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
