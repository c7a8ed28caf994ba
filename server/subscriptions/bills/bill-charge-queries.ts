import { blockCard, ifChargeable } from '../../customers/billed-card-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type RowsStatement, rowsStatement, runRows } from '../../db/rows-statement.ts'
import { type Placeholders, run, statement, type Values } from '../../db/statement.ts'
import type { NewOperation } from '../../payments/new-operation.ts'
import { insertReversal, reversalValues } from '../../payments/operation-queries.ts'
import { finalizeOperation, finalizeValues, type Outcome } from '../../payments/outcome-queries.ts'
import type { NewPayment } from '../../payments/payment.ts'
import { insertPayment, paymentRowValues } from '../../payments/payment-queries.ts'
import {
  approveSale,
  declineSale,
  insertSale,
  insertUnsentSale,
  outcomeValues,
  saleValues,
} from '../../payments/sale-queries.ts'
import type { Bill } from '../bill.ts'
import {
  changeMembers,
  changeValues,
  lockFreeVersions,
  lockVersion,
  type SubscriptionChange,
} from '../change-queries.ts'
import {
  fulfilledBill,
  fulfilledMembers,
  fulfilledValues,
  openedBill,
  openedMembers,
  openedValues,
} from './usual-bill-queries.ts'

// Durable steps of a bill's charge. Each is one statement, so it is recorded completely or not at all. The subscription
// is locked first, then the operation. One statement may also write the usual steps of several bills (BIL-32).

const begin = (p: Placeholders, change: string) =>
  `chargeable as (${ifChargeable(p, 'locked')}), ${change}, begun as (${insertSale(p, 'bill', 'saved as source')})`

/**
 * `usual` opens a new bill and writes only what that changes. `any` also covers a bill that is already open and charged
 * again: it writes the whole row.
 */
const BEGIN = {
  usual: statement(
    'begin_new_bill',
    (p) => `with ${lockVersion(p)}, ${begin(p, openedMembers(p, 'chargeable'))} select id from saved`,
  ),
  any: statement(
    'begin_bill',
    (p) => `with ${lockVersion(p)}, ${begin(p, changeMembers(p, 'chargeable', { pauses: false, events: false }))}
      select id from saved`,
  ),
  together: rowsStatement(
    'begin_new_bills',
    (p) => `${lockFreeVersions(p)}, ${begin(p, openedMembers(p, 'chargeable'))} select "operationId" as id from saved`,
  ),
}

export type BeginChange = Pick<SubscriptionChange, 'before' | 'after' | 'bills'>

/** New bill of a subscription in which nothing else changes. */
export interface UsualBegin {
  change: BeginChange
  opened: Bill
  sale: NewOperation
}

const beginValues = ({ change, opened, sale }: UsualBegin): Values => ({
  ...openedValues(change, opened),
  ...saleValues(sale),
})

/**
 * Step 1: opens the bill if it is new, and records the intent.
 *
 * @returns whether the bill may be charged: `false` if the subscription has changed, or the card was detached or
 *   blocked
 * @throws `unique_violation` if the bill has an open or approved sale
 */
export async function beginBill(db: Db, change: BeginChange, sale: NewOperation): Promise<boolean> {
  const opened = openedBill(change)
  const rows = opened
    ? await run(db, BEGIN.usual, beginValues({ change, opened, sale }))
    : await run(db, BEGIN.any, { ...changeValues(change), ...saleValues(sale) })
  return rows.length > 0
}

/**
 * Does step 1 for several new bills of one business. A bill that is not written may still be chargeable: another writer
 * may have held the lock on its subscription.
 *
 * @returns the ids of the sales that were written
 * @throws `unique_violation` if one of the bills has an open or approved sale; then nothing is written
 */
export const beginBills = (db: Db, rows: readonly UsualBegin[]): Promise<Set<string>> =>
  writeTogether(db, BEGIN.together, rows.map(beginValues))

async function writeTogether(db: Db, step: RowsStatement, rows: readonly Values[]): Promise<Set<string>> {
  return new Set((await runRows<{ id: string }>(db, step, rows)).map(({ id }) => id))
}

/** Change of a subscription with the payment that it belongs to. */
export interface BillRecord {
  change: SubscriptionChange
  payment: NewPayment
}

/**
 * Whether a result was written. It is not if the subscription has changed or another writer has already decided the
 * outcome.
 */
export type Written = 'written' | 'version moved' | 'fence lost'

const IF_LOCKED = 'exists (select from locked)'

const paidMember = (p: Placeholders) => `paid as (${insertPayment(p, 'finalized')})`

const text = (
  p: Placeholders,
  finalized: string,
  more: readonly string[] = [],
  change = changeMembers(p, 'finalized'),
) => {
  const members = [lockVersion(p), finalized, change, paidMember(p), ...more]
  return `with ${members.join(', ')}
    select exists (select from locked) as locked, exists (select from finalized) as finalized`
}
const blocked = (p: Placeholders) => `card_blocked as (${blockCard(p, 'finalized')})`

/** `usual` only marks the bill as paid; `any` also covers the last bill of an installment plan, which changes more. */
const APPROVE = {
  usual: statement('approve_bill', (p) => text(p, approveSale(p, IF_LOCKED), [], fulfilledMembers(p, 'finalized'))),
  any: statement('approve_last_bill', (p) => text(p, approveSale(p, IF_LOCKED))),
  together: rowsStatement('approve_bills', (p) => {
    const members = [lockFreeVersions(p), approveSale(p, 'true', 'locked'), fulfilledMembers(p, 'finalized')]
    return `${members.join(', ')}, ${paidMember(p)} select "operationId" as id from saved`
  }),
}
const DECLINE = statement('decline_bill', (p) => text(p, declineSale(p, IF_LOCKED), [blocked(p)]))
const PARTIAL = statement('partial_bill', (p) =>
  text(p, finalizeOperation(p, IF_LOCKED), [`reversal as (${insertReversal(p, 'finalized')})`]),
)

/** Step 3 of an approval: records operation, subscription, bill, payment and events. */
export function recordPaidBill(db: Db, record: BillRecord, outcome: Outcome): Promise<Written> {
  const fulfilled = fulfilledBill(record.change)
  if (fulfilled === null) return write(db, APPROVE.any, { ...recordValues(record), ...outcomeValues(outcome) })
  return write(db, APPROVE.usual, paidValues({ record, outcome, fulfilled }))
}

/** Approval that only marks a bill as paid. */
export interface UsualPaid {
  record: BillRecord
  outcome: Outcome
  fulfilled: Bill
}

const paidValues = ({ record: { change, payment }, outcome, fulfilled }: UsualPaid): Values => ({
  ...fulfilledValues(change, fulfilled),
  ...paymentRowValues(payment),
  ...outcomeValues(outcome),
})

/**
 * Does step 3 for several approvals of one business that only mark bills as paid. A bill that is not written may still
 * be open: another writer may have held the lock on its subscription.
 *
 * @returns the ids of the sales that were written
 */
export const recordPaidBills = (db: Db, rows: readonly UsualPaid[]): Promise<Set<string>> =>
  writeTogether(db, APPROVE.together, rows.map(paidValues))

/**
 * Step 3 of a decline: records operation, subscription, bill, payment and events, and the reversal of a partial
 * approval.
 *
 * @param chargeBlock the code that forbids further charges of the card without the payer; `null` if they are allowed
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
  ...paymentRowValues(payment),
})

async function write(db: Db, step: ReturnType<typeof statement>, values: Values): Promise<Written> {
  const [row] = await run<{ locked: boolean; finalized: boolean }>(db, step, values)
  if (row?.finalized) return 'written'
  return row?.locked ? 'fence lost' : 'version moved'
}

const UNSENT = statement(
  'record_unsent_bill',
  (p) => `with ${lockVersion(p)}, ${changeMembers(p, 'locked')}, unsent as (${insertUnsentSale(p, 'bill', 'saved')}),
      failed as (${insertPayment(p, 'saved')})
    select id from saved`,
)

/**
 * Records an attempt that fails before anything is sent.
 *
 * @returns `false` if the subscription has changed since it was loaded
 */
export async function recordUnsentBill(db: Db, record: BillRecord, sale: NewOperation): Promise<boolean> {
  const values = { ...recordValues(record), ...saleValues(sale), message: record.payment.message }
  return (await run(db, UNSENT, values)).length > 0
}
