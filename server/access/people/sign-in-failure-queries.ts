import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'

/**
 * Counts a try before it is checked, so that simultaneous guesses cannot outrun the count.
 *
 * @param forgetBefore a row that was not changed since then starts again
 * @returns tries without a success in between, including this one; count and time stop changing at `max + 1`
 */
export async function countTry(
  db: Db,
  { nameHash, max, now, forgetBefore }: { nameHash: Buffer; max: number; now: Date; forgetBefore: Date },
): Promise<number> {
  const stale = sql<boolean>`sign_in_failure.last_failed_at <= ${forgetBefore}`
  const row = await db
    .insertInto('sign_in_failure')
    .values({ name_hash: nameHash, failures: 1, last_failed_at: now })
    .onConflict((conflict) =>
      conflict.column('name_hash').doUpdateSet({
        failures: sql`case when ${stale} then 1 else least(sign_in_failure.failures + 1, ${max + 1}::int) end`,
        last_failed_at: sql`case when ${stale} or sign_in_failure.failures < ${max}::int then ${now}::timestamptz
          else sign_in_failure.last_failed_at end`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  return row.failures
}

export async function forgetFailures(db: Db, nameHash: Buffer): Promise<void> {
  await db.deleteFrom('sign_in_failure').where('name_hash', '=', nameHash).execute()
}

export async function deleteOldFailures(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sign_in_failure').where('last_failed_at', '<=', before).execute()
}
