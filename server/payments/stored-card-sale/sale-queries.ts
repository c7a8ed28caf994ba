import { type RawBuilder, sql } from 'kysely'
import type { SavedCardSaleResponse } from '../../../contract/saved-card-sale.ts'
import type { Db } from '../../db/connection.ts'
import type { NewEvent } from '../../events/event.ts'
import { insertEventFrom } from '../../events/event-queries.ts'
import type { OperationState } from '../operation.ts'
import { finalizeOperation, insertOperationFrom, type NewOperation, type Outcome } from '../operation-queries.ts'
import type { Payment } from '../payment.ts'
import { insertPaymentFrom } from '../payment-queries.ts'

// The durable steps of a saved-card sale, each one statement, so that all of it is kept, or none.

/** A request that came with an Idempotency-Key. */
export interface KeyedRequest {
  /** The hash of the header. */
  key: string
  bodyHash: Buffer
  at: Date
  /** A key that was used before this is free again. */
  forgottenBefore: Date
}

/**
 * Step 1, the intent: the card is still on file, the key is free, and the operation is written.
 *
 * @returns its id; `null` when the card is gone or the key is taken; an identical open sale fails with `unique_violation`
 */
export async function beginStoredCardSale(
  db: Db,
  operation: NewOperation,
  request: KeyedRequest | null,
): Promise<string | null> {
  const { businessId, storedCard } = operation
  const { rows } = await sql<{ id: string }>`
    with card as (
      select id from stored_card where business_id = ${businessId}::uuid and customer_id = ${storedCard?.customerId}::uuid
        and id = ${storedCard?.id}::uuid and detached_at is null for share
    ), wanted as (${request ? claimKey(operation, request) : sql`select ${operation.id}::uuid as id from card`}),
      begun as (${insertOperationFrom(operation, sql`wanted`)})
    select id from wanted`.execute(db)
  return rows[0]?.id ?? null
}

/** A key whose sale provably never left us is as good as new: its caller was told to try again. */
function claimKey({ businessId, id }: NewOperation, { key, bodyHash, at, forgottenBefore }: KeyedRequest) {
  return sql`insert into sale_request as r (business_id, key, body_hash, operation_id, created_at)
    select ${businessId}::uuid, ${key}::text, ${bodyHash}::bytea, ${id}::uuid, ${at}::timestamptz from card
    on conflict (business_id, key) do update set body_hash = excluded.body_hash, operation_id = excluded.operation_id,
      response = null, created_at = excluded.created_at
      where r.created_at <= ${forgottenBefore}::timestamptz or exists (select from operation o
        where o.business_id = r.business_id and o.id = r.operation_id and o.state = 'NOT_SENT')
    returning operation_id as id`
}

/** How a response is kept for those who ask again with its key. */
export interface RecordedSale {
  outcome: Outcome
  key: string | null
  response: SavedCardSaleResponse
  event: NewEvent
}

/** Step 3, approved: operation, payment, event and response together. @returns false when somebody else has decided meanwhile */
export function recordSale(db: Db, sale: RecordedSale, payment: Payment): Promise<boolean> {
  const paid = insertPaymentFrom(payment, sql`finalized`, sql`${payment.customerId}::uuid`)
  return recordSaleRow(db, sale, sql`, paid as (${paid})`)
}

/** Step 3, declined: operation, event and response, and the void of a partial approval. */
export function recordDeclinedSale(db: Db, sale: RecordedSale, reversal: NewOperation | null): Promise<boolean> {
  return recordSaleRow(db, sale, reversal ? sql`, undo as (${insertOperationFrom(reversal, sql`finalized`)})` : sql``)
}

async function recordSaleRow(
  db: Db,
  { outcome, key, response, event }: RecordedSale,
  more: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql`
    with ${finalizeOperation(outcome)},
      responded as (
        update sale_request r set response = ${JSON.stringify(response)}::jsonb
        from finalized where r.business_id = ${outcome.businessId}::uuid and r.key = ${key}::text
          and r.operation_id = finalized.id
      ),
      recorded as (${insertEventFrom(event, sql`finalized`)})
      ${more}
    select id from finalized`.execute(db)
  return rows.length > 0
}

export interface KnownRequest {
  bodyHash: Buffer
  response: SavedCardSaleResponse | null
  /** Of its sale. */
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
