import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { readProgress, recordProgress } from '../db/job-progress.ts'
import { addSeconds } from '../lib/clock.ts'
import type { Operation } from './operation.ts'
import { OPERATION_COLUMNS } from './operation-queries.ts'

// Operations whose outcome is open. IN_DOUBT has an index. SENT has none, because every approval would have to update
// it: these operations are found by `sent_at`, starting at the time before which none is left.

const JOB = 'claim abandoned operations'
/** Rows per statement, so that no statement takes long, even after a long downtime. */
const PORTION = 20_000

interface Claim {
  now: Date
  limit: number
  /** End of the claim: no other process claims the operations before this time. */
  lease: Date
}

/**
 * Claims open operations for which no caller is waiting. Raises the epoch, so a writer with the former epoch can no
 * longer write.
 *
 * @param abandonedBefore operations sent after this time still belong to their sender
 */
export async function claimOpenOperations(
  db: Db,
  { abandonedBefore, ...claim }: Claim & { abandonedBefore: Date },
): Promise<Operation[]> {
  const abandoned = await claimAbandoned(db, abandonedBefore, claim)
  return [...abandoned, ...(await claimInDoubt(db, { ...claim, limit: claim.limit - abandoned.length }))]
}

async function claimInDoubt(db: Db, { now, limit, lease }: Claim): Promise<Operation[]> {
  const { rows } = await sql<Operation>`
    with due as (
      select business_id, id from operation
      where next_inquiry_at is not null and next_inquiry_at <= ${now}
      order by next_inquiry_at limit ${limit} for update skip locked
    ), ${claimed(now, lease)}`.execute(db)
  return rows
}

/**
 * Claims operations that are still SENT. Reads them in portions, ordered by `sent_at`. The recorded progress stops at
 * the first operation that was SENT, even if this call claims it.
 */
async function claimAbandoned(db: Db, before: Date, { now, limit, lease }: Claim): Promise<Operation[]> {
  const found: Operation[] = []
  let reached: Date | null = null
  let from = await readProgress(db, JOB, now)
  while (found.length < limit) {
    const { rows, last, oldestSent } = await readPortion(db, from, before)
    if (oldestSent !== null && last !== null) {
      reached ??= oldestSent
      found.push(
        ...(await claimSent(
          db,
          { from: oldestSent, until: addSeconds(last, 0.001) },
          { now, limit: limit - found.length, lease },
        )),
      )
    }
    if (rows < PORTION || last === null) break
    from = last
  }
  await recordProgress(db, JOB, reached ?? before, now)
  return found
}

/** Uses `with ties`, because the next portion starts at the last `sent_at` of this one and has to get beyond it. */
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
  { now, limit, lease }: Claim,
): Promise<Operation[]> {
  const { rows } = await sql<Operation>`
    with due as (
      select business_id, id from operation
      where sent_at >= ${from} and sent_at <= ${until} and state = 'SENT'
      order by sent_at limit ${limit} for update skip locked
    ), ${claimed(now, lease)}`.execute(db)
  return rows
}

interface OneClaim extends Omit<Claim, 'limit'> {
  businessId: string
  id: string
  abandonedBefore: Date
}

/**
 * Claims one open operation immediately, even from another process that is inquiring about it: the epoch of that
 * process becomes invalid.
 *
 * @returns `undefined` if the operation is not open, or its sender may still be waiting for the gateway
 */
export async function claimOpenOperation(
  db: Db,
  { businessId, id, abandonedBefore, now, lease }: OneClaim,
): Promise<Operation | undefined> {
  const { rows } = await sql<Operation>`
    with due as (
      select business_id, id from operation where business_id = ${businessId}::uuid and id = ${id}::uuid
        and (state = 'IN_DOUBT' or (state = 'SENT' and sent_at <= ${abandonedBefore})) for update
    ), ${claimed(now, lease)}`.execute(db)
  return rows[0]
}

const claimed = (now: Date, lease: Date) => sql`o as (
    update operation u set state = 'IN_DOUBT', epoch = u.epoch + 1, inquiries = u.inquiries + 1, last_inquiry_at = ${now},
      next_inquiry_at = ${lease}
    from due where u.business_id = due.business_id and u.id = due.id
    returning u.*
  )
  select ${OPERATION_COLUMNS} from o join terminal t on t.business_id = o.business_id and t.id = o.terminal_id`

/** Counts the open operations, and those that need an operator, for metrics and alarms. */
export async function countOpen(db: Db, now: Date): Promise<{ open: number; attention: number }> {
  const { rows } = await sql<{ open: number; attention: number }>`
    select count(*)::int as open, count(*) filter (where needs_attention)::int as attention from (
      select needs_attention from operation where next_inquiry_at is not null
      union all select false from operation where sent_at >= ${await readProgress(db, JOB, now)} and state = 'SENT'
    ) as open_operation`.execute(db)
  return rows[0] ?? { open: 0, attention: 0 }
}

/** Returns the time of the next inquiry. An operation still SENT is due when its sender's wire deadline has passed. */
export async function findNextInquiryAt(db: Db, { now, wireMs }: { now: Date; wireMs: number }): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(next_inquiry_at) from operation where next_inquiry_at is not null),
      (select min(sent_at) from operation where sent_at >= ${await readProgress(db, JOB, now)} and state = 'SENT')
        + make_interval(secs => ${wireMs / 1000})
    ) as at`.execute(db)
  return rows[0]?.at ?? null
}

/**
 * Lists sales that were written off. An approval of them may still appear until their batch is settled.
 *
 * @param terminalId `null` for all terminals
 */
export async function listWrittenOff(
  db: Db,
  { since, limit, terminalId }: { since: Date; limit: number; terminalId: string | null },
): Promise<Operation[]> {
  const { rows } = await sql<Operation>`select ${OPERATION_COLUMNS}
    from operation o join terminal t on t.business_id = o.business_id and t.id = o.terminal_id
    where o.written_off_at is not null and o.written_off_at > ${since}
      and (${terminalId}::uuid is null or o.terminal_id = ${terminalId}::uuid)
    order by o.written_off_at desc limit ${limit}`.execute(db)
  return rows
}
