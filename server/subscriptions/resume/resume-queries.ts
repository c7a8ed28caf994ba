import { blockCard, ifChargeable } from '../../customers/billed-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Placeholders, run, statement } from '../../db/statement.ts'
import type { NewEvent } from '../../events/event.ts'
import { eventsMembers, eventsValues } from '../../events/event-queries.ts'
import type { NewOperation } from '../../payments/new-operation.ts'
import { insertReversal, reversalValues } from '../../payments/operation-queries.ts'
import { finalizeOperation, finalizeValues, type Outcome } from '../../payments/outcome-queries.ts'
import type { NewPayment } from '../../payments/payment.ts'
import { insertPayment, paymentRowValues } from '../../payments/payment-queries.ts'
import { approveSale, declineSale, insertSale, outcomeValues, saleValues } from '../../payments/sale-queries.ts'
import { changeMembers, changeValues, lockVersion, type SubscriptionChange } from '../change-queries.ts'
import type { Subscription } from '../subscription.ts'
import { findSubscription } from '../subscription-queries.ts'
import { type ClaimedKey, responseValues, type StoredResponse, storeResponseIf } from './resume-request-queries.ts'

// Durable steps of a resume charge. Each is one statement, so it is recorded completely or not at all.

/** Finds the subscription of a pause in its current state. */
export async function findSubscriptionOfPause(
  db: Db,
  businessId: string,
  pauseId: string,
): Promise<Subscription | undefined> {
  const row = await db
    .selectFrom('subscription_pause')
    .select('subscription_id')
    .where('business_id', '=', businessId)
    .where('id', '=', pauseId)
    .executeTakeFirst()
  const loaded = row && (await findSubscription(db, businessId, row.subscription_id))
  return loaded?.subscription
}

const BEGIN = statement(
  'begin_subscription_resume',
  (p) => `with ${lockVersion(p)}, chargeable as (${ifChargeable(p, 'locked')}),
      begun as (${insertSale(p, 'subscription_resume', 'chargeable')})
    select id from chargeable`,
)

/**
 * Step 1: records the intent if the subscription has not changed since it was loaded, and its card may be charged. The
 * version stays the same, so that the quote remains valid after a declined charge.
 *
 * @returns an id; `null` if the card may not be charged now
 * @throws `unique_violation` if another resume of this pause is open
 */
export async function beginResume(db: Db, { businessId, id, version }: Subscription, sale: NewOperation) {
  const rows = await run<{ id: string }>(db, BEGIN, { ...saleValues(sale), businessId, subscriptionId: id, version })
  return rows[0]?.id ?? null
}

/** What an outcome of the charge records besides the operation. */
export interface ResumeRecord {
  outcome: Outcome
  payment: NewPayment
  claim: ClaimedKey | null
  response: StoredResponse
}

const paid = (p: Placeholders) => `paid as (${insertPayment(p, 'finalized')})`
const responded = (p: Placeholders) => `responded as (${storeResponseIf(p, 'finalized')})`
const text = (...members: string[]) => `with ${members.join(', ')} select terminal_id from finalized`

const APPROVE = statement('approve_subscription_resume', (p) =>
  text(approveSale(p), changeMembers(p, 'finalized'), paid(p), responded(p)),
)

/**
 * Step 3 of an approval, under the subscription's lock.
 *
 * @returns `false` if another writer has already decided the outcome
 */
export async function recordPaidResume(db: Db, change: SubscriptionChange, record: ResumeRecord): Promise<boolean> {
  const values = { ...outcomeValues(record.outcome), ...changeValues(change), ...recordValues(record) }
  return (await run(db, APPROVE, values)).length > 0
}

const recorded = (p: Placeholders) => `${eventsMembers(p, 'finalized')}`
const blocked = (p: Placeholders) => `card_blocked as (${blockCard(p, 'finalized')})`

const DECLINE = statement('decline_subscription_resume', (p) =>
  text(declineSale(p), paid(p), recorded(p), blocked(p), responded(p)),
)
const PARTIAL = statement('partial_subscription_resume', (p) =>
  text(finalizeOperation(p), `reversal as (${insertReversal(p, 'finalized')})`, paid(p), recorded(p), responded(p)),
)

/** Step 3 of a decline: leaves the subscription unchanged, and records the reversal of a partial approval. */
export async function recordDeclinedResume(
  db: Db,
  record: ResumeRecord & { event: NewEvent },
  { reversal, chargeBlock }: { reversal: NewOperation | null; chargeBlock: string | null },
): Promise<boolean> {
  const { outcome, event, payment } = record
  const values = { ...recordValues(record), ...eventsValues([event]) }
  const rows = await (reversal
    ? run(db, PARTIAL, { ...values, ...finalizeValues(outcome), ...reversalValues(reversal) })
    : run(db, DECLINE, { ...values, ...outcomeValues(outcome), chargeBlock, storedCardId: payment.storedCardId }))
  return rows.length > 0
}

const recordValues = ({ payment, claim, response }: ResumeRecord) => ({
  ...paymentRowValues(payment),
  ...responseValues(claim, response),
})
