import { sql } from 'kysely'
import type { Db } from './connection.ts'

/** The progress of a job before its first run. */
const NEVER = new Date(0)

/** Returns the time up to which a job has processed all rows, for jobs that read rows in the order of a timestamp. */
export async function readProgress(db: Db, job: string): Promise<Date> {
  const row = await db.selectFrom('job_progress').select('reached_at').where('job', '=', job).executeTakeFirst()
  return row?.reached_at ?? NEVER
}

/** Race: two processes may run the same job. Progress never moves backwards. */
export async function recordProgress(db: Db, job: string, reachedAt: Date): Promise<void> {
  await sql`insert into job_progress as p (job, reached_at) values (${job}, ${reachedAt})
    on conflict (job) do update set reached_at = excluded.reached_at where p.reached_at < excluded.reached_at`.execute(
    db,
  )
}
