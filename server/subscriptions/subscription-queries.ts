import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../db/page.ts'
import { run, statement } from '../db/statement.ts'
import type { LoadedSubscription, SubscriptionStatus } from './subscription.ts'
import { LOADED_COLUMNS, type LoadedRow, loadedFrom } from './subscription-row.ts'

const FIND = statement(
  'find_subscription',
  (p) =>
    `select ${LOADED_COLUMNS} from subscription s where s.business_id = ${p.businessId}::uuid and s.id = ${p.id}::uuid`,
)

export async function findSubscription(
  db: Db,
  businessId: string,
  id: string,
): Promise<LoadedSubscription | undefined> {
  const [row] = await run<LoadedRow>(db, FIND, { businessId, id })
  return row && loadedFrom(row)
}

const LOCK = statement(
  'lock_subscription',
  (p) => `with locked as (select id from subscription
      where business_id = ${p.businessId}::uuid and id = ${p.id}::uuid for no key update)
    select id from locked`,
)

/** Locks the subscription until the end of the transaction, and reads its state under the lock. */
export async function lockSubscription(
  tx: Db,
  businessId: string,
  id: string,
): Promise<LoadedSubscription | undefined> {
  // Two statements: the second one sees what the previous holder of the lock has written.
  await run(tx, LOCK, { businessId, id })
  return findSubscription(tx, businessId, id)
}

/** Subscription whose scheduled cancel or pause is due, but is not written yet. */
export interface PassedSubscription {
  id: string
  /** Status after the cancel or pause. */
  status: 'canceled' | 'paused'
}

/**
 * Lists the subscriptions of a business whose cancel or pause is due but not written. The cost grows only with the
 * scheduler's backlog.
 *
 * @param now in the business's time
 */
export async function listPassed(db: Db, businessId: string, now: Date): Promise<PassedSubscription[]> {
  const { rows } = await sql<PassedSubscription>`
    select * from (
      select s.id, case when s.cancel_at <= ${now}::timestamptz then 'canceled'
        when exists (select from subscription_pause u where u.business_id = s.business_id and u.subscription_id = s.id
          and u.status = 'pending' and u.scheduled_for <= ${now}::timestamptz) then 'paused' end as status
      from subscription s
      where s.business_id = ${businessId}::uuid and s.due_at <= ${now}::timestamptz and s.status = 'active'
    ) as due where status is not null`.execute(db)
  return rows
}

export interface ListedSubscriptions {
  businessId: string
  /** `undefined` does not filter. */
  customerId: string | undefined
  /** Status after what has fallen due; `undefined` does not filter. */
  status: SubscriptionStatus | undefined
  passed: readonly PassedSubscription[]
}

/** Lists subscriptions, newest first. */
export async function listSubscriptions(
  db: Db,
  { businessId, customerId, status, passed }: ListedSubscriptions,
  page: PageRequest,
): Promise<Page<LoadedSubscription>> {
  let query = db.selectFrom('subscription').select('id').where('business_id', '=', businessId)
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId)
  if (status !== undefined) query = query.where(hasStatus(status, passed))
  const { rows, hasMore } = await readPage(db, { table: 'subscription', businessId, query }, page)
  const loaded = await findSubscriptions(
    db,
    businessId,
    rows.map(({ id }) => id),
  )
  const byId = new Map(loaded.map((one) => [one.subscription.id, one]))
  return { rows: rows.flatMap(({ id }) => byId.get(id) ?? []), hasMore }
}

/**
 * Returns the condition that a subscription has the status after what has fallen due. Usually that is the stored
 * status, for which an index exists.
 */
export function hasStatus(status: SubscriptionStatus, passed: readonly PassedSubscription[]) {
  if (passed.length === 0) return sql<boolean>`status = ${status}`
  const [these, others] = [true, false].map((isThis) =>
    passed.filter((one) => (one.status === status) === isThis).map(({ id }) => id),
  )
  return sql<boolean>`(status = ${status} and id <> all(${others}::uuid[]) or id = any(${these}::uuid[]))`
}

/** Finds subscriptions of any business; those that do not exist are left out. */
export async function findSubscriptionsOfAll(
  db: Db,
  which: readonly { businessId: string; id: string }[],
): Promise<LoadedSubscription[]> {
  if (which.length === 0) return []
  const [businessIds, ids] = [which.map(({ businessId }) => businessId), which.map(({ id }) => id)]
  const { rows } = await sql<LoadedRow>`select ${sql.raw(LOADED_COLUMNS)}
    from unnest(${businessIds}::uuid[], ${ids}::uuid[]) as wanted(business_id, id)
    join subscription s on s.business_id = wanted.business_id and s.id = wanted.id`.execute(db)
  return rows.map(loadedFrom)
}

const FIND_SEVERAL = statement(
  'find_subscriptions',
  (p) => `select ${LOADED_COLUMNS} from subscription s
    where s.business_id = ${p.businessId}::uuid and s.id = any(${p.ids}::uuid[])`,
)

/** Finds subscriptions of a business; those that do not exist are left out. */
export async function findSubscriptions(
  db: Db,
  businessId: string,
  ids: readonly string[],
): Promise<LoadedSubscription[]> {
  if (ids.length === 0) return []
  return (await run<LoadedRow>(db, FIND_SEVERAL, { businessId, ids })).map(loadedFrom)
}
