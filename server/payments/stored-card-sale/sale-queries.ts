import { sql } from 'kysely'
import type { SavedCardSaleResponse } from '../../../contract/saved-card-sale.ts'
import { blockCard } from '../../customers/billed-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Placeholders, run, statement } from '../../db/statement.ts'
import type { NewEvent } from '../../events/event.ts'
import { eventValues, firstEventMembers } from '../../events/event-queries.ts'
import type { ApprovedPayment } from '../approved-payment.ts'
import { insertApprovedPayment, paymentValues } from '../approved-payment-queries.ts'
import type { NewOperation } from '../new-operation.ts'
import type { OperationState } from '../operation.ts'
import { insertReversal, reversalValues } from '../operation-queries.ts'
import { finalizeOperation, finalizeValues, type Outcome } from '../outcome-queries.ts'
import { approveSale, declineSale, insertSale, outcomeValues, saleValues } from '../sale-queries.ts'

// The durable steps of a saved-card sale. Each is one statement, so it is recorded completely or not at all.

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  /** The hash of the header. */
  key: string
  bodyHash: Buffer
  at: Date
  /** A key used before this time may be used again. */
  forgottenBefore: Date
}

const beginText = (p: Placeholders, wanted: string) => `
  with card as (
    select id from stored_card where business_id = ${p.businessId}::uuid and customer_id = ${p.customerId}::uuid
      and id = ${p.storedCardId}::uuid and detached_at is null and charge_block is null for share
  ), ${wanted} begun as (${insertSale(p, 'stored_card_sale', wanted === '' ? 'card' : 'wanted')})
  select id from ${wanted === '' ? 'card' : 'wanted'}`

/** Claims the key. If its sale was provably not sent, it may be used again, because the caller was asked to retry. */
const claimedKey = (p: Placeholders) => `wanted as (
    insert into sale_request as r (business_id, key, body_hash, operation_id, created_at)
    select ${p.businessId}::uuid, ${p.key}::text, ${p.bodyHash}::bytea, ${p.operationId}::uuid, ${p.keyAt}::timestamptz from card
    on conflict (business_id, key) do update set body_hash = excluded.body_hash, operation_id = excluded.operation_id,
      response = null, created_at = excluded.created_at
      where r.created_at <= ${p.forgottenBefore}::timestamptz or exists (select from operation o
        where o.business_id = r.business_id and o.id = r.operation_id and o.state = 'NOT_SENT')
    returning operation_id as id
  ),`

const BEGIN = statement('begin_stored_card_sale', (p) => beginText(p, ''))
const BEGIN_WITH_KEY = statement('begin_stored_card_sale_with_key', (p) => beginText(p, claimedKey(p)))

/**
 * Step 1: records the intent if the card may be charged and the key is unused.
 *
 * @returns an id; `null` when the card is detached or blocked, or the key is used
 * @throws `unique_violation` when an identical sale is open
 */
export async function beginStoredCardSale(
  db: Db,
  operation: NewOperation,
  request: KeyedRequest | null,
): Promise<string | null> {
  const values = saleValues(operation)
  const rows = await run<{ id: string }>(
    db,
    request ? BEGIN_WITH_KEY : BEGIN,
    request ? { ...values, ...request, keyAt: request.at } : values,
  )
  return rows[0]?.id ?? null
}

/** A sale's outcome, and the response that is stored for repeated requests with its key. */
export interface RecordedSale {
  outcome: Outcome
  key: string | null
  response: SavedCardSaleResponse
  event: NewEvent
}

const responded = (p: Placeholders) => `responded as (
    update sale_request r set response = ${p.response}::json
    from finalized where r.business_id = ${p.businessId}::uuid and r.key = ${p.key}::text and r.operation_id = ${p.operationId}::uuid
  )`

const recorded = (p: Placeholders) => `${firstEventMembers(p, { source: 'finalized' })}`
const paid = (p: Placeholders) => `paid as (${insertApprovedPayment(p, `${p.payerId}::uuid`, 'null')})`
const reversal = (p: Placeholders) => `reversal as (${insertReversal(p, 'finalized')})`

const text = (...members: string[]) => `with ${members.join(', ')} select terminal_id from finalized`

const APPROVE = statement('approve_stored_card_sale', (p) => text(approveSale(p), paid(p), recorded(p)))
const APPROVE_WITH_KEY = statement('approve_stored_card_sale_with_key', (p) =>
  text(approveSale(p), paid(p), recorded(p), responded(p)),
)
const blocked = (p: Placeholders) => `card_blocked as (${blockCard(p, 'finalized')})`

const DECLINE = statement('decline_stored_card_sale', (p) => text(declineSale(p), recorded(p), blocked(p)))
const DECLINE_WITH_KEY = statement('decline_stored_card_sale_with_key', (p) =>
  text(declineSale(p), recorded(p), blocked(p), responded(p)),
)
const PARTIAL = statement('partial_stored_card_sale', (p) =>
  text(finalizeOperation(p), reversal(p), recorded(p), responded(p)),
)

/**
 * Step 3 of an approval: records operation, payment, event and response.
 *
 * @returns `false` when another writer has decided the outcome first
 */
export async function recordSale(db: Db, sale: RecordedSale, payment: ApprovedPayment): Promise<boolean> {
  const rows = await run(db, sale.key === null ? APPROVE : APPROVE_WITH_KEY, {
    ...outcomeValues(sale.outcome),
    ...paymentValues(payment),
    ...recordedValues(sale),
    payerId: payment.customerId,
  })
  return rows.length > 0
}

/**
 * Step 3 of a decline: records operation, event and response, and the reversal of a partial approval.
 *
 * @param card the stored card; `chargeBlock` is the code that blocks it, `null` if the decline does not block it
 */
export async function recordDeclinedSale(
  db: Db,
  sale: RecordedSale,
  { voided, ...card }: { voided: NewOperation | null; storedCardId: string; chargeBlock: string | null },
): Promise<boolean> {
  const { outcome, key } = sale
  const values = recordedValues(sale)
  const rows = await (voided
    ? run(db, PARTIAL, { ...values, ...finalizeValues(outcome), ...reversalValues(voided) })
    : run(db, key === null ? DECLINE : DECLINE_WITH_KEY, { ...values, ...outcomeValues(outcome), ...card }))
  return rows.length > 0
}

const recordedValues = ({ key, response, event }: RecordedSale) => ({
  ...eventValues(event),
  at: event.createdAt,
  key,
  response: JSON.stringify(response),
})

export interface KnownRequest {
  bodyHash: Buffer
  response: SavedCardSaleResponse | null
  /** State of the sale that the request made. */
  state: OperationState
}

export async function findSaleRequest(
  db: Db,
  businessId: string,
  { key, forgottenBefore }: KeyedRequest,
): Promise<KnownRequest | undefined> {
  const { rows } = await sql<KnownRequest>`
    select r.body_hash as "bodyHash", r.response, o.state
    from sale_request r join operation o on o.business_id = r.business_id and o.id = r.operation_id
    where r.business_id = ${businessId} and r.key = ${key} and r.created_at > ${forgottenBefore}`.execute(db)
  return rows[0]
}

export async function deleteOldSaleRequests(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sale_request').where('created_at', '<=', before).execute()
}
