import type { PlanPrice } from '../../catalog/plan-price.ts'
import { insertPlanPrice } from '../../catalog/plan-price-queries.ts'
import { blockCard } from '../../customers/billed-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Placeholders, run, statement } from '../../db/statement.ts'
import { transaction } from '../../db/transaction.ts'
import type { NewOperation } from '../../payments/new-operation.ts'
import type { Outcome } from '../../payments/outcome-queries.ts'
import type { NewPayment } from '../../payments/payment.ts'
import { insertPayment, paymentRowValues } from '../../payments/payment-queries.ts'
import { approveSale, declineSale, insertSale, outcomeValues, saleValues } from '../../payments/sale-queries.ts'
import { createMembers, createValues, type NewSubscription } from '../change-queries.ts'

// Durable steps of a first charge. Each is one statement, so it is recorded completely or not at all.

/**
 * Claims the combination of customer, items and card. The latest claim holds as long as its charge may still take
 * money: a concurrent statement does not see its operation yet, so only an operation known to be over releases the
 * claim.
 */
const claimed = (p: Placeholders) => `claimed as (
    insert into subscription_start as r (business_id, request_hash, operation_id, created_at)
    select ${p.businessId}::uuid, ${p.requestHash}::bytea, ${p.operationId}::uuid, ${p.sentAt}::timestamptz from card
    on conflict (business_id, request_hash) do update set operation_id = excluded.operation_id, created_at = excluded.created_at
      where exists (select from operation o where o.business_id = r.business_id and o.id = r.operation_id
        and (o.lost or o.state = 'APPROVED'))
    returning operation_id as id
  )`

const BEGIN = statement(
  'begin_subscription_start',
  (p) => `with card as (
    select id from stored_card where business_id = ${p.businessId}::uuid and customer_id = ${p.customerId}::uuid
      and id = ${p.storedCardId}::uuid and detached_at is null and charge_block is null for share
  ), ${claimed(p)}, begun as (${insertSale(p, 'subscription_start', 'claimed')})
  select id from claimed`,
)

/**
 * Step 1: records the intent if the card may be charged and no identical create is in progress.
 *
 * @returns an id; `null` if the card may not be charged now
 * @see SUB-5
 */
export async function beginFirstCharge(db: Db, operation: NewOperation, requestHash: Buffer): Promise<string | null> {
  const rows = await run<{ id: string }>(db, BEGIN, { ...saleValues(operation), requestHash })
  return rows[0]?.id ?? null
}

const APPROVE = statement(
  'approve_subscription_start',
  (p) => `with ${approveSale(p)}, ${createMembers(p, 'finalized')}, paid as (${insertPayment(p, 'created')})
  select terminal_id from finalized`,
)

/**
 * Step 3 of an approval: records operation, subscription, bill, payment and events.
 *
 * @returns `false` if another writer has already decided the outcome
 */
export async function recordFirstCharge(
  db: Db,
  outcome: Outcome,
  made: NewSubscription,
  payment: NewPayment,
): Promise<boolean> {
  const values = { ...outcomeValues(outcome), ...createValues(made), ...paymentRowValues(payment) }
  return (await run(db, APPROVE, values)).length > 0
}

/** Creates the subscription's own price, if it has one, in the transaction that writes the subscription. */
export function withPlan(db: Db, plan: PlanPrice | null, write: (db: Db) => Promise<boolean>): Promise<boolean> {
  if (plan === null) return write(db)
  return transaction(db, async (tx) => {
    const isWritten = await write(tx)
    if (isWritten) await insertPlanPrice(tx, plan)
    return isWritten
  })
}

const DECLINE = statement(
  'decline_subscription_start',
  (p) => `with ${declineSale(p)}, blocked as (${blockCard(p, 'finalized')}) select terminal_id from finalized`,
)

/**
 * Step 3 of a decline: records the operation, and the code that blocks the card if there is one (BIL-20).
 *
 * @returns `false` if another writer has already decided the outcome
 */
export async function recordDeclinedStart(
  db: Db,
  outcome: Outcome,
  card: { storedCardId: string; chargeBlock: string | null },
): Promise<boolean> {
  return (await run(db, DECLINE, { ...outcomeValues(outcome), ...card })).length > 0
}

const DELETE_OLD = statement(
  'delete_old_subscription_starts',
  (p) => `delete from subscription_start r where r.created_at <= ${p.before}::timestamptz and not exists (
    select from operation o where o.business_id = r.business_id and o.id = r.operation_id
      and not o.lost and o.state <> 'APPROVED')`,
)

/** Deletes claims whose charge is over or was never recorded. */
export async function deleteOldStarts(db: Db, before: Date): Promise<void> {
  await run(db, DELETE_OLD, { before })
}
