import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import type { ExpiringCard, NoticeProgress } from './notice.ts'

/** Lists businesses that send notices of renewals, and how many days in advance. */
export function listNotifying(db: Db, businessId?: string): Promise<{ id: string; days: number }[]> {
  let query = db.selectFrom('business').select(['id', 'renewal_notice_days as days']).$narrowType<{ days: number }>()
  query = query.where('renewal_notice_days', 'is not', null)
  if (businessId !== undefined) query = query.where('id', '=', businessId)
  return query.orderBy('id').execute()
}

/** Reads the progress of each business's card notices: the month, and whether it is finished. */
export async function listCardMonths(db: Db): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('notice_progress')
    .select(['business_id', 'expiry_month'])
    .where('cards_after', 'is', null)
    .execute()
  return new Map(rows.map(({ business_id, expiry_month }) => [business_id, expiry_month ?? '']))
}

/**
 * Locks the progress of a business until the end of the transaction. Another worker waits, and then sees what has been
 * done.
 */
export async function lockProgress(tx: Tx, businessId: string): Promise<NoticeProgress> {
  await tx
    .insertInto('notice_progress')
    .values({ business_id: businessId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom('notice_progress')
    .selectAll()
    .where('business_id', '=', businessId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { renewals_until: until, renewals_after: afterId, expiry_month: month, cards_after } = row
  return {
    renewals: until === null || afterId === null ? null : { until, afterId },
    cards: month === null ? null : { month, afterId: cards_after },
  }
}

export async function saveProgress(tx: Tx, businessId: string, { renewals, cards }: NoticeProgress): Promise<void> {
  await tx
    .updateTable('notice_progress')
    .set({
      renewals_until: renewals?.until ?? null,
      renewals_after: renewals?.afterId ?? null,
      expiry_month: cards?.month ?? null,
      cards_after: cards?.afterId ?? null,
    })
    .where('business_id', '=', businessId)
    .execute()
}

/** Lists subscriptions that fall due after the cursor and by `until`, in the order of the index of `due_at`. */
export async function listDueBetween(
  db: Db,
  businessId: string,
  { from, until, limit }: { from: { until: Date; afterId: string }; until: Date; limit: number },
): Promise<{ businessId: string; id: string; dueAt: Date }[]> {
  const { rows } = await sql<{ id: string; dueAt: Date }>`
    select id, due_at as "dueAt" from subscription
    where business_id = ${businessId}::uuid and due_at >= ${from.until}::timestamptz and due_at <= ${until}::timestamptz
      and (due_at, id) > (${from.until}::timestamptz, ${from.afterId}::uuid)
    order by due_at, id limit ${limit}`.execute(db)
  return rows.map((row) => ({ businessId, ...row }))
}

/** Returns the next due time after an instant, for the test clock. */
export async function findNextDueAfter(db: Db, businessId: string, after: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(due_at) as at from subscription
    where business_id = ${businessId}::uuid and due_at > ${after}::timestamptz`.execute(db)
  return rows[0]?.at ?? null
}

/**
 * Lists a page of cards by id, and which of them expire in the month while an active subscription that does not end
 * before is charged to them.
 *
 * @returns `lastId` is `null` after the last page
 */
export async function listExpiringCards(
  db: Db,
  businessId: string,
  { month, year, afterId, pageSize }: { month: number; year: number; afterId: string; pageSize: number },
): Promise<{ cards: ExpiringCard[]; lastId: string | null }> {
  const { rows } = await sql<ExpiringCard & { lastId: string; count: number; isCharged: boolean | null }>`
    with page as materialized (
      select id, exp_month, exp_year, detached_at from stored_card
      where business_id = ${businessId}::uuid and id > ${afterId}::uuid order by id limit ${pageSize}
    ), last as (
      select id, (select count(*)::int from page) as count from page order by id desc limit 1
    )
    select last.id as "lastId", last.count, c.id, c.exp_month as month, c.exp_year as year,
      exists (select from subscription s where s.business_id = ${businessId}::uuid and s.stored_card_id = c.id
        and s.status = 'active' and s.cancel_at is null) as "isCharged"
    from last left join page c on c.exp_month = ${month} and c.exp_year = ${year} and c.detached_at is null
    order by c.id`.execute(db)
  const [first] = rows
  const cards = rows
    .filter(({ isCharged, id }) => isCharged && id !== null)
    .map(({ id, month, year }) => ({ id, month, year }))
  return { cards, lastId: first && first.count === pageSize ? first.lastId : null }
}
