import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'

interface OpenChallenges {
  /** Current time, in real time. */
  now: Date
  /** Minimum time since the last inquiry, in seconds. */
  asleepSeconds: number
  /** How long a challenge may be open, in seconds. */
  openSeconds: number
  limit: number
}

/** Finds ids of challenges that the bank has shown, and that nobody has asked about recently, oldest first. */
export async function findOpenChallenges(
  db: Db,
  { now, asleepSeconds, openSeconds, limit }: OpenChallenges,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from authentication a join business b on b.id = a.business_id
    cross join lateral (select ${now}::timestamptz + make_interval(secs => b.clock_offset_seconds) as now) as own
    where a.state = 'CHALLENGE' and a.challenge_opened_at is not null
      and a.challenged_at > own.now - make_interval(secs => ${openSeconds}::int)
      and coalesce(a.inquired_at, a.challenge_opened_at) <= own.now - make_interval(secs => ${asleepSeconds}::int)
    order by a.expires_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Expires challenges whose payer never came back, so that few stay open. */
export async function expireAbandonedChallenges(
  db: Db,
  { now, graceSeconds }: { now: Date; graceSeconds: number },
): Promise<void> {
  await sql`
    update authentication a set state = 'EXPIRED' from business b
    where b.id = a.business_id and a.state = 'CHALLENGE'
      and a.expires_at <= ${now}::timestamptz + make_interval(secs => b.clock_offset_seconds - ${graceSeconds}::int)`.execute(
    db,
  )
}
