import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { wakeOutbox } from '../db/outbox.ts'
import { run, statement } from '../db/statement.ts'
import type { Tx } from '../db/transaction.ts'
import type { ClaimedNotification, NewNotification } from './notification.ts'

/**
 * Records a fact without an event, in the transaction of the fact. A worker composes its e-mails.
 *
 * @returns `false` if the business already has a notification with this id
 * @see LTR-10
 */
export async function recordNotification(tx: Tx, notification: NewNotification): Promise<boolean> {
  const { businessId, id, type, data, createdAt } = notification
  const { rows } = await sql`
    insert into notification (business_id, id, type, data, due_at, created_at)
    values (${businessId}::uuid, ${id}::uuid, ${type}, ${JSON.stringify(data)}::jsonb, '-infinity', ${createdAt})
    on conflict (business_id, id) do nothing returning id`.execute(tx)
  wakeOutbox({ businessId, notifies: true })
  return rows.length > 0
}

/**
 * Records facts of one business in one statement.
 *
 * @returns how many of them were new
 */
export async function recordNotifications(
  tx: Tx,
  businessId: string,
  facts: readonly NewNotification[],
): Promise<number> {
  if (facts.length === 0) return 0
  const rowsOf = facts.map(({ id, type, data, createdAt }) => ({ id, type, data, created_at: createdAt }))
  const { rows } = await sql`
    insert into notification (business_id, id, type, data, due_at, created_at)
    select ${businessId}::uuid, f.id, f.type, f.data, '-infinity', f.created_at
    from jsonb_to_recordset(${JSON.stringify(rowsOf)}::jsonb) as f(id uuid, type text, data jsonb, created_at timestamptz)
    on conflict (business_id, id) do nothing returning id`.execute(tx)
  wakeOutbox({ businessId, notifies: true })
  return rows.length
}

interface Claim {
  /** End of the lease, in real time. */
  leaseUntil: Date
  limit: number
}

const CLAIMED = sql`
  update notification n set due_at = taken.lease_until, attempts = n.attempts + 1
  from taken left join event e on e.business_id = taken.business_id and e.id = taken.event_id
  where n.business_id = taken.business_id and n.id = taken.id
  returning n.business_id as "businessId", n.id, n.type, n.data, n.attempts, n.created_at as "createdAt",
    case when e.id is null then null else jsonb_build_object('objectId', e.object_id, 'data', e.data) end as event`

/** Claims what is due. Rows that another worker is claiming are left to that worker. */
export async function claimDueNotifications(db: Db, { now, leaseUntil, limit }: Claim & { now: Date }) {
  const { rows } = await sql<ClaimedNotification>`with taken as materialized (
      select business_id, id, event_id, ${leaseUntil}::timestamptz as lease_until from notification
      where due_at <= ${now}::timestamptz order by due_at limit ${limit} for update skip locked
    ) ${CLAIMED}`.execute(db)
  return rows
}

/**
 * Claims everything that waits for a business, even if another worker has claimed it: waits while that worker writes,
 * and then finds what is left. To claim each only once, `after` is the last id claimed before.
 */
export async function claimNotificationsOf(
  db: Db,
  { businessId, after, leaseUntil, limit }: Claim & { businessId: string; after: string },
): Promise<ClaimedNotification[]> {
  const { rows } = await sql<ClaimedNotification>`with taken as materialized (
      select business_id, id, event_id, ${leaseUntil}::timestamptz as lease_until from notification
      where business_id = ${businessId}::uuid and due_at is not null and id > ${after}::uuid
      order by id limit ${limit} for update
    ) ${CLAIMED}`.execute(db)
  return rows.sort((one, other) => (one.id < other.id ? -1 : 1))
}

type Claimed = Pick<ClaimedNotification, 'businessId' | 'id' | 'attempts'>

const FINISH = statement(
  'finish_notifications',
  // Rows are locked in the order in which claims lock them, so that a late worker and its successor cannot deadlock.
  (p) => `with held as (
      select n.id from unnest(${p.ids}::uuid[], ${p.attempts}::smallint[]) as claimed(id, attempts)
        join notification n on n.business_id = ${p.businessId}::uuid and n.id = claimed.id and n.attempts = claimed.attempts
      where n.due_at is not null order by n.id for update of n
    )
    update notification n set due_at = null, data = n.data - 'sealed_code' from held where n.business_id = ${p.businessId}::uuid and n.id = held.id
    returning n.id`,
)

/**
 * Finishes notifications of one business.
 *
 * @returns the ids of those that were finished; the e-mails of the others are left to another worker
 */
export async function finishNotifications(
  tx: Tx,
  businessId: string,
  claimed: readonly Claimed[],
): Promise<Set<string>> {
  const [ids, attempts] = [claimed.map(({ id }) => id), claimed.map((one) => one.attempts)]
  const rows = await run<{ id: string }>(tx, FINISH, { businessId, ids, attempts })
  return new Set(rows.map(({ id }) => id))
}

/** Composes the notification again at `until`. Does nothing if it has been claimed again. */
export async function postponeNotification(db: Db, claimed: Claimed, until: Date): Promise<void> {
  const { businessId, id, attempts } = claimed
  await db
    .updateTable('notification')
    .set({ due_at: until })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('due_at', 'is not', null)
    .execute()
}
