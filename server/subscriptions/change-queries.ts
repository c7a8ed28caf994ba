import type { Db } from '../db/connection.ts'
import { type Placeholders, run, statement, type Values } from '../db/statement.ts'
import type { NewEvent } from '../events/event.ts'
import { eventsMembers, eventsValues } from '../events/event-queries.ts'
import type { Bill } from './bill.ts'
import type { Pause } from './pause.ts'
import { rowOfBill, rowOfPause, rowOfSubscription } from './stored-rows.ts'
import type { LoadedSubscription, Subscription } from './subscription.ts'

// A change is decided on a loaded subscription and written in one statement that compares its version. A writer that
// comes too late writes nothing, reads again and decides again, so no lock is held while a decision is made (BIL-28).

export interface SubscriptionChange {
  /** State as it was loaded; the version is compared. */
  before: LoadedSubscription
  after: Subscription
  /** New and changed bills. A closed bill comes before an opened one. */
  bills?: readonly Bill[]
  /** New and changed pauses. */
  pauses?: readonly Pause[]
  events?: readonly NewEvent[]
}

/** Member `locked` of a `with`: one row if the subscription has not changed since it was loaded. */
export const lockVersion = (p: Placeholders) => `locked as (
    select id from subscription
    where business_id = ${p.businessId}::uuid and id = ${p.subscriptionId}::uuid and version = ${p.version}::integer
    for no key update
  )`

/**
 * Member `locked` for several subscriptions, as named by the rows of `given`. Subscriptions that another writer holds
 * are left out, so a group never waits for a lock, and cannot deadlock with a pause, a cancel or a void.
 */
export const lockFreeVersions = (p: Placeholders) => `locked as (
    select source.* from given as source cross join lateral (
      select 1 from subscription s
      where s.business_id = ${p.businessId}::uuid and s.id = ${p.subscriptionId}::uuid and s.version = ${p.version}::integer
      for no key update skip locked
    ) as found
  )`

const MUTABLE = `stored_card_id, status, surcharge_rate_ppm, surcharge_amount, amount, paid_bills, anchor_date,
      segment_no, next_period_no, next_billing_date, current_period_start, current_period_end, paid_through_at, covering_payment_id, covering_from, covering_seconds,
      last_payment_at, latest_payment_id, last_failed_attempt_at, catch_up_held_at, catch_up_through, cancel_at, canceled_at, ended_at,
      cancellation_comment, cancellation_reason, contract_id, checkout_session_id, metadata, due_at`
const qualified = (alias: string, columns: string) =>
  columns
    .split(',')
    .map((column) => `${alias}.${column.trim()}`)
    .join(', ')

const BILL_CHANGES = 'status, closed_reason, failed_attempts, next_attempt_at, last_attempt_at, payment_id, closed_at'
const PAUSE_CHANGES = `status, unused_time_behavior, paused_at, paid_through_at, remaining_paid_seconds, refund_confirmed,
      refund_reference, refund_note, resume_mode, resumed_at`

/** What a statement writes besides the subscription and its bills. */
interface ChangeParts {
  pauses?: boolean
  events?: boolean
}

/**
 * Members `saved`, `billed`, `paused` and `recorded` of a `with`: they write the change if the source has a row.
 *
 * @param source a member of the same statement, which has locked the subscription
 * @param parts the optional members; a member that writes no row costs as much as one that does
 */
export function changeMembers(
  p: Placeholders,
  source: string,
  { pauses = true, events = true }: ChangeParts = {},
): string {
  const saved = `saved as (
    update subscription s set version = s.version + 1, (${MUTABLE}) = (select ${qualified('r', MUTABLE)}
      from jsonb_populate_record(null::subscription, ${p.subscriptionRow}::jsonb) r)
    from ${source} as source where s.business_id = ${p.businessId}::uuid and s.id = ${p.subscriptionId}::uuid
    returning s.id
  ), billed as (
    insert into bill select r.* from saved, jsonb_populate_recordset(null::bill, ${p.billRows}::jsonb) r
    on conflict (business_id, id) do update set (${BILL_CHANGES}) = row(${qualified('excluded', BILL_CHANGES)})
  )`
  const paused = () => `paused as (
    insert into subscription_pause
      select r.* from saved, jsonb_populate_recordset(null::subscription_pause, ${p.pauseRows}::jsonb) r
    on conflict (business_id, id) do update set (${PAUSE_CHANGES}) = row(${qualified('excluded', PAUSE_CHANGES)})
  )`
  return [saved, ...(pauses ? [paused()] : []), ...(events ? [eventsMembers(p, 'saved')] : [])].join(', ')
}

export function changeValues({ before, after, bills = [], pauses = [], events = [] }: SubscriptionChange): Values {
  return {
    businessId: after.businessId,
    subscriptionId: after.id,
    version: before.subscription.version,
    subscriptionRow: JSON.stringify(rowOfSubscription(after)),
    billRows: JSON.stringify(bills.map((bill) => rowOfBill(after, bill))),
    pauseRows: JSON.stringify(pauses.map((pause) => rowOfPause(after, pause))),
    ...eventsValues(events),
  }
}

const SAVE = statement(
  'save_subscription',
  (p) => `with ${lockVersion(p)}, ${changeMembers(p, 'locked')} select id from saved`,
)

/**
 * Writes a change with its events.
 *
 * @returns `false` if the subscription has changed since it was loaded
 */
export async function saveChange(db: Db, change: SubscriptionChange): Promise<boolean> {
  return (await run(db, SAVE, changeValues(change))).length > 0
}

/**
 * Members `created`, `priced`, `billed` and `recorded` of a `with`: they write a new subscription, with its first bill
 * if it has one.
 *
 * @param source a member of the same statement with one row
 */
export function createMembers(p: Placeholders, source: string): string {
  return `created as (
    insert into subscription
      select r.* from ${source} as source, jsonb_populate_record(null::subscription, ${p.subscriptionRow}::jsonb) r
    returning business_id, id, items, created_at
  ), priced as (
    insert into subscription_price (business_id, price_id, created_at, subscription_id)
      select business_id, (item ->> 'price')::uuid, created_at, id from created, jsonb_array_elements(items) item
    on conflict do nothing
  ), billed as (
    insert into bill select r.* from created, jsonb_populate_recordset(null::bill, ${p.billRows}::jsonb) r
  ), ${eventsMembers(p, 'created')}`
}

export interface NewSubscription {
  subscription: Subscription
  bills?: readonly Bill[]
  events: readonly NewEvent[]
}

export function createValues({ subscription, bills = [], events }: NewSubscription): Values {
  return {
    businessId: subscription.businessId,
    subscriptionRow: JSON.stringify(rowOfSubscription(subscription)),
    billRows: JSON.stringify(bills.map((bill) => rowOfBill(subscription, bill))),
    ...eventsValues(events),
  }
}

const CREATE = statement(
  'create_subscription',
  (p) => `with one as (select 1 as one), ${createMembers(p, 'one')} select id from created`,
)

/** Inserts a subscription that is not charged now, along with its events. */
export async function insertSubscription(db: Db, made: NewSubscription): Promise<void> {
  await run(db, CREATE, createValues(made))
}
