import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import { newId } from '../lib/ids.ts'
import type { AuditEntry } from './audit.ts'

/**
 * What the hash of an entry covers, in addition to the previous hash. Times are in milliseconds, so the time zone of
 * the connection does not matter.
 */
const CONTENT = sql.raw(`convert_to(jsonb_build_array(
  business_id, number, id, (extract(epoch from created_at) * 1000)::bigint, actor_kind, actor_id, actor_name, action,
  object_type, object_id, before, after, outcome, request_id, ip, user_agent)::text, 'UTF8')`)

/**
 * Appends an entry to the log of the business. Call it as the last statement of a transaction, because it locks the end
 * of the log until the commit.
 *
 * @param at real time
 * @see DSH-15, DSH-16
 */
export async function recordAudit(tx: Tx, entry: AuditEntry, at: Date): Promise<void> {
  const { businessId, actor, object } = entry
  const end = await tx
    .insertInto('audit_chain')
    .values({ business_id: businessId, last_number: 1, last_hash: Buffer.alloc(0) })
    .onConflict((conflict) =>
      conflict.column('business_id').doUpdateSet({ last_number: sql<number>`audit_chain.last_number + 1` }),
    )
    .returning(['last_number', 'last_hash'])
    .executeTakeFirstOrThrow()
  await sql`
    with given as (
      select ${businessId}::uuid as business_id, ${end.last_number}::bigint as number, ${newId()}::uuid as id,
        ${at.toISOString()}::timestamptz as created_at, ${actor.kind}::text as actor_kind, ${actor.id}::text as actor_id,
        ${actor.name}::text as actor_name, ${entry.action}::text as action, ${object?.type ?? null}::text as object_type,
        ${object?.id ?? null}::text as object_id, ${jsonOf(entry.before)}::jsonb as before,
        ${jsonOf(entry.after)}::jsonb as after, ${entry.outcome}::text as outcome, ${actor.requestId}::text as request_id,
        ${actor.ip}::text as ip, ${actor.userAgent}::text as user_agent
    ), entry as (
      insert into audit_entry select given.*, sha256(${end.last_hash}::bytea || ${CONTENT}) from given returning hash
    )
    update audit_chain set last_hash = entry.hash from entry where business_id = ${businessId}::uuid
  `.execute(tx)
}

const jsonOf = (value: Record<string, unknown> | null) => (value === null ? null : JSON.stringify(value))

/**
 * Finds the first entry whose hash, number or place differs from what was written; `null` if the whole log is intact.
 */
export async function findBrokenEntry(db: Db, businessId: string): Promise<{ number: number } | null> {
  const { rows } = await sql<{ number: number }>`
    with log as (
      select number, hash, row_number() over (order by number) as place,
        sha256(coalesce(lag(hash) over (order by number), '') || ${CONTENT}) as expected
      from audit_entry where business_id = ${businessId}::uuid
    ), wrong as (
      select number from log where number <> place or hash <> expected
      union all
      select last_number from audit_chain where business_id = ${businessId}::uuid
        and not exists (select from log where log.number = last_number and log.hash = last_hash)
    )
    select min(number)::bigint as number from wrong having count(*) > 0
  `.execute(db)
  return rows[0] ?? null
}

/** Lists the businesses that have or had a log. */
export async function listAuditedBusinesses(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select business_id as id from audit_chain union select distinct business_id from audit_entry order by id
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Counts the entries in the log of a business. */
export async function countEntries(db: Db, businessId: string): Promise<number> {
  const { count } = await db
    .selectFrom('audit_entry')
    .where('business_id', '=', businessId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
