import { blockCard, ifChargeable } from '../../customers/billed-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Placeholders, run, statement, type Values } from '../../db/statement.ts'
import type { NewOperation } from '../../payments/new-operation.ts'
import { insertReversal, reversalValues } from '../../payments/operation-queries.ts'
import { finalizeOperation, finalizeValues, type Outcome } from '../../payments/outcome-queries.ts'
import {
  approveSale,
  declineSale,
  insertSale,
  insertUnsentSale,
  outcomeValues,
  saleValues,
} from '../../payments/sale-queries.ts'
import type { NewSubscriptionPayment } from '../../payments/subscription-payment.ts'
import { insertSubscriptionPayment, subscriptionPaymentValues } from '../../payments/subscription-payment-queries.ts'
import { changeMembers, changeValues, lockVersion, type SubscriptionChange } from '../change-queries.ts'

// The durable steps of a bill's charge. Each is one statement, so it is recorded completely or not at all. The
// subscription is locked first, then the operation.

const BEGIN = statement(
  'begin_bill',
  (p) => `with ${lockVersion(p)}, chargeable as (${ifChargeable(p, 'locked')}),
      ${changeMembers(p, 'chargeable', { pauses: false, events: false })},
      begun as (${insertSale(p, 'bill', 'saved')})
    select id from saved`,
)

/**
 * Step 1: opens the bill if it is new, and records the intent.
 *
 * @returns whether it may be charged: `false` when the subscription has changed, or the card was detached or blocked
 * @throws `unique_violation` when the bill has an open or approved sale
 */
export async function beginBill(
  db: Db,
  change: Pick<SubscriptionChange, 'before' | 'after' | 'bills'>,
  sale: NewOperation,
): Promise<boolean> {
  return (await run(db, BEGIN, { ...changeValues(change), ...saleValues(sale) })).length > 0
}

/** A change with the payment that it belongs to. */
export interface BillRecord {
  change: SubscriptionChange
  payment: NewSubscriptionPayment
}

/** Why a result was not written: somebody has changed the subscription, or decided the outcome first. */
export type Written = 'written' | 'version moved' | 'fence lost'

const IF_LOCKED = 'exists (select from locked)'

const text = (p: Placeholders, finalized: string, more: readonly string[] = [], pauses = true) => {
  const paid = `paid as (${insertSubscriptionPayment(p, 'finalized')})`
  const members = [lockVersion(p), finalized, changeMembers(p, 'finalized', { pauses }), paid, ...more]
  return `with ${members.join(', ')}
    select exists (select from locked) as locked, exists (select from finalized) as finalized`
}
const blocked = (p: Placeholders) => `card_blocked as (${blockCard(p, 'finalized')})`

/** Only the last of a number of bills ends a pause. */
const APPROVE = {
  usual: statement('approve_bill', (p) => text(p, approveSale(p, IF_LOCKED), [], false)),
  withPause: statement('approve_bill_with_pause', (p) => text(p, approveSale(p, IF_LOCKED))),
}
const DECLINE = statement('decline_bill', (p) => text(p, declineSale(p, IF_LOCKED), [blocked(p)]))
const PARTIAL = statement('partial_bill', (p) =>
  text(p, finalizeOperation(p, IF_LOCKED), [`reversal as (${insertReversal(p, 'finalized')})`]),
)

/** Step 3 of an approval: records operation, subscription, bill, payment and events. */
export function recordPaidBill(db: Db, record: BillRecord, outcome: Outcome): Promise<Written> {
  const { pauses = [] } = record.change
  return write(db, pauses.length === 0 ? APPROVE.usual : APPROVE.withPause, {
    ...recordValues(record),
    ...outcomeValues(outcome),
  })
}

/**
 * Step 3 of a decline: the same, and the reversal of a partial approval.
 *
 * @param chargeBlock the code that forbids further charges of the card without the payer; `null` when they may follow
 */
export function recordDeclinedBill(
  db: Db,
  record: BillRecord,
  { outcome, reversal, chargeBlock }: { outcome: Outcome; reversal: NewOperation | null; chargeBlock: string | null },
): Promise<Written> {
  const values = recordValues(record)
  if (reversal) return write(db, PARTIAL, { ...values, ...finalizeValues(outcome), ...reversalValues(reversal) })
  const { storedCardId } = record.payment
  return write(db, DECLINE, { ...values, ...outcomeValues(outcome), chargeBlock, storedCardId })
}

const recordValues = ({ change, payment }: BillRecord): Values => ({
  ...changeValues(change),
  ...subscriptionPaymentValues(payment),
})

async function write(db: Db, step: ReturnType<typeof statement>, values: Values): Promise<Written> {
  const [row] = await run<{ locked: boolean; finalized: boolean }>(db, step, values)
  if (row?.finalized) return 'written'
  return row?.locked ? 'fence lost' : 'version moved'
}

const UNSENT = statement(
  'record_unsent_bill',
  (p) => `with ${lockVersion(p)}, ${changeMembers(p, 'locked')}, unsent as (${insertUnsentSale(p, 'bill', 'saved')}),
      failed as (${insertSubscriptionPayment(p, 'saved')})
    select id from saved`,
)

/**
 * Records an attempt that fails before anything is sent.
 *
 * @returns `false` when somebody has changed the subscription since it was loaded
 */
export async function recordUnsentBill(db: Db, record: BillRecord, sale: NewOperation): Promise<boolean> {
  const values = { ...recordValues(record), ...saleValues(sale), message: record.payment.message }
  return (await run(db, UNSENT, values)).length > 0
}
