import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

/** A job whose newest run failed, after all its repetitions. */
export interface FailedJob {
  name: string
  /** When that run ended, in real time. */
  failedAt: Date
}

/** Lists failed jobs. Finished runs are stored for a day. */
export async function listFailedJobs(db: Db): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select name, max(completed_on) as "failedAt" from pgboss.job f
    where state = 'failed' and not exists (
      select from pgboss.job later
      where later.name = f.name and later.state = 'completed' and later.completed_on > f.completed_on)
    group by name order by name`.execute(db)
  return rows
}
