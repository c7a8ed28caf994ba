import { sql } from 'kysely'
import { addSeconds } from '../lib/clock.ts'
import type { Db } from './connection.ts'

/** The progress of a job before its first run. */
const NEVER = new Date(0)
/** Clocks of processes differ, and a process may be suspended between reading the clock and writing the row. */
const LATE_SECONDS = 300
const DAY_SECONDS = 24 * 3_600

/**
 * Returns the time from which a job has to read, for jobs that read rows in the order of a timestamp.
 *
 * Progress beyond `now` was recorded by a clock that ran ahead; rows written since then are before it. If the clock ran
 * ahead by more than clocks usually differ, it is unknown when it was corrected, so the last day is read again.
 */
export async function readProgress(db: Db, job: string, now: Date): Promise<Date> {
  const row = await db.selectFrom('job_progress').select('reached_at').where('job', '=', job).executeTakeFirst()
  const reached = row?.reached_at ?? NEVER
  if (reached > addSeconds(now, LATE_SECONDS)) return addSeconds(now, -DAY_SECONDS)
  return addSeconds(reached > now ? now : reached, -LATE_SECONDS)
}

/**
 * Records the time up to which a job has processed all rows. Race: two processes may run the same job, so progress
 * moves back only if it was recorded by a clock that ran ahead.
 */
export async function recordProgress(db: Db, job: string, reachedAt: Date, now: Date): Promise<void> {
  await sql`insert into job_progress as p (job, reached_at) values (${job}, ${reachedAt})
    on conflict (job) do update set reached_at = excluded.reached_at
      where p.reached_at < excluded.reached_at or p.reached_at > ${addSeconds(now, LATE_SECONDS)}`.execute(db)
}
