import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { readProgress, recordProgress } from '../db/job-progress.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Operation } from './operation.ts'
import { OPERATION_COLUMNS } from './operation-queries.ts'

// Operations whose outcome is open. Those in doubt have an index. Those that are sent have none, because an approval would have
// to write it: they are found by when they were sent, from the instant on before which none is left.

const JOB = 'claim abandoned operations'
/** Clocks of processes differ, and a process may be stopped between taking the time and writing the operation. */
const LATE_SECONDS = 300
/** Rows that one statement reads, so that also after a long stop none takes long. */
const PORTION = 20_000

interface Claim {
  limit: number
  /** Until then nobody else takes them over. */
  lease: Date
}

/**
 * Takes over operations whose outcome is open and that nobody is waiting for any more: the epoch rises, so that whoever
 * still holds an older one can write nothing.
 *
 * @param abandonedBefore a sender that lives still owns what it sent after this
 */
export async function claimOpenOperations(
  db: Db,
  { now, abandonedBefore, ...claim }: Claim & { now: Date; abandonedBefore: Date },
): Promise<Operation[]> {
  const abandoned = await claimAbandoned(db, abandonedBefore, claim)
  return [...abandoned, ...(await claimInDoubt(db, now, { ...claim, limit: claim.limit - abandoned.length }))]
}

async function claimInDoubt(db: Db, now: Date, { limit, lease }: Claim): Promise<Operation[]> {
  const { rows } = await sql<Operation>`
    with due as (
      select business_id, id from operation
      where next_inquiry_at is not null and next_inquiry_at <= ${now}
      order by next_inquiry_at limit ${limit} for update skip locked
    ), ${claimed(lease)}`.execute(db)
  return rows
}

/** Portion by portion, in the order of sending. Progress stops before the first that is still sent, claimed just now or not. */
async function claimAbandoned(db: Db, before: Date, { limit, lease }: Claim): Promise<Operation[]> {
  const found: Operation[] = []
  let reached: Date | null = null
  let from = addSeconds(await readProgress(db, JOB), -LATE_SECONDS)
  while (found.length < limit) {
    const { rows, last, oldestSent } = await readPortion(db, from, before)
    if (oldestSent !== null && last !== null) {
      reached ??= oldestSent
      found.push(...(await claimSent(db, { from: oldestSent, until: last }, { limit: limit - found.length, lease })))
    }
    if (rows < PORTION || last === null) break
    from = last
  }
  await recordProgress(db, JOB, reached ?? before)
  return found
}

/** With ties: the next portion begins at the last instant of this one, and gets beyond it. */
async function readPortion(
  db: Db,
  from: Date,
  until: Date,
): Promise<{ rows: number; last: Date | null; oldestSent: Date | null }> {
  const { rows } = await sql<{ rows: number; last: Date | null; oldestSent: Date | null }>`
    select count(*)::int as rows, max(sent_at) as last, min(sent_at) filter (where state = 'SENT') as "oldestSent" from (
      select sent_at, state from operation where sent_at >= ${from} and sent_at <= ${until}
      order by sent_at fetch first ${PORTION} rows with ties
    ) as portion`.execute(db)
  return rows[0] ?? { rows: 0, last: null, oldestSent: null }
}

async function claimSent(
  db: Db,
  { from, until }: { from: Date; until: Date },
  { limit, lease }: Claim,
): Promise<Operation[]> {
  const { rows } = await sql<Operation>`
    with due as (
      select business_id, id from operation
      where sent_at >= ${from} and sent_at <= ${until} and state = 'SENT'
      order by sent_at limit ${limit} for update skip locked
    ), ${claimed(lease)}`.execute(db)
  return rows
}

const claimed = (lease: Date) => sql`o as (
    update operation u set state = 'IN_DOUBT', epoch = u.epoch + 1, inquiries = u.inquiries + 1, next_inquiry_at = ${lease}
    from due where u.business_id = due.business_id and u.id = due.id
    returning u.*
  )
  select ${OPERATION_COLUMNS} from o join terminal t on t.business_id = o.business_id and t.id = o.terminal_id`

/** How many outcomes are open, and how many a person must look at: for metrics and alarms. */
export async function countOpen(db: Db): Promise<{ open: number; attention: number }> {
  const { rows } = await sql<{ open: number; attention: number }>`
    select count(*)::int as open, count(*) filter (where needs_attention)::int as attention from (
      select needs_attention from operation where next_inquiry_at is not null
      union all select false from operation where sent_at >= ${await sentFrom(db)} and state = 'SENT'
    ) as open_operation`.execute(db)
  return rows[0] ?? { open: 0, attention: 0 }
}

/** When the next open outcome is to be asked about; one whose sender may still live, when it may live no longer. */
export async function findNextInquiryAt(db: Db, { wireMs }: { wireMs: number }): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(next_inquiry_at) from operation where next_inquiry_at is not null),
      (select min(sent_at) from operation where sent_at >= ${await sentFrom(db)} and state = 'SENT')
        + make_interval(secs => ${wireMs / 1000})
    ) as at`.execute(db)
  return rows[0]?.at ?? null
}

const sentFrom = async (db: Db) => addSeconds(await readProgress(db, JOB), -LATE_SECONDS)

/** References that were written off; until their batch has closed an approval may still turn up. */
export async function listWrittenOff(db: Db, since: Date, limit: number): Promise<Operation[]> {
  const { rows } = await sql<Operation>`select ${OPERATION_COLUMNS}
    from operation o join terminal t on t.business_id = o.business_id and t.id = o.terminal_id
    where o.written_off_at is not null and o.written_off_at > ${since}
    order by o.written_off_at desc limit ${limit}`.execute(db)
  return rows
}
