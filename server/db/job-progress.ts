import { sql } from 'kysely'
import type { Db } from './connection.ts'

/** Before the first run nothing is done. */
const NEVER = new Date(0)

/** How far a job has come that reads rows in the order of an instant: nothing before it is left. */
export async function readProgress(db: Db, job: string): Promise<Date> {
  const row = await db.selectFrom('job_progress').select('reached_at').where('job', '=', job).executeTakeFirst()
  return row?.reached_at ?? NEVER
}

/** Two processes may do the same job: the one that came further counts. */
export async function recordProgress(db: Db, job: string, reachedAt: Date): Promise<void> {
  await sql`insert into job_progress as p (job, reached_at) values (${job}, ${reachedAt})
    on conflict (job) do update set reached_at = excluded.reached_at where p.reached_at < excluded.reached_at`.execute(
    db,
  )
}
