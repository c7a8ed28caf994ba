import { sql } from 'kysely'
import type { Terminal } from '../../businesses/terminal.ts'
import type { Db } from '../../db/connection.ts'
import type { OurOperation } from './finding.ts'

/** A terminal with its business: reconciliation covers all businesses. */
export interface ReconciledTerminal extends Terminal {
  businessId: string
}

/** A day of a terminal, in UTC. */
export interface TerminalDay {
  terminal: ReconciledTerminal
  /** `2026-11-22` */
  day: string
}

const TERMINAL = sql`t.business_id as "businessId", t.id, t.currency, t.gateway, t.merchant_code as "merchantCode"`

/** @param businessId `undefined` lists the terminals of every business */
export async function listTerminals(db: Db, businessId: string | undefined): Promise<ReconciledTerminal[]> {
  const { rows } = await sql<ReconciledTerminal>`select ${TERMINAL} from terminal t
    where ${businessId ?? null}::uuid is null or t.business_id = ${businessId ?? null}::uuid
    order by t.business_id, t.currency desc`.execute(db)
  return rows
}

export interface DueTimes {
  now: Date
  /** Earlier days are not compared any more. */
  oldestDay: string
  today: string
  /** The current day is due if it began before this time and has not been compared since. */
  todayBefore: Date
  /** The last night: a past day is due if it has not been compared since then … */
  night: Date
  /** … or since this many hours after its start. A day with open findings is due every night. */
  hoursOfLastNight: number
  /** A day whose comparison failed after this time is not due yet. */
  failedBefore: Date
}

/** Lists due days, oldest first. Every day since the creation of a terminal counts, even without operations. */
export async function listDueDays(db: Db, times: DueTimes, limit: number): Promise<TerminalDay[]> {
  const { now, oldestDay, today, todayBefore, night, hoursOfLastNight, failedBefore } = times
  const { rows } = await sql<ReconciledTerminal & { day: string }>`
    with days as (
      select t.business_id, t.id as terminal_id, d::date as day, false as has_findings
      from terminal t, generate_series(greatest((t.created_at at time zone 'UTC')::date, ${oldestDay}::date)::timestamp,
        ${today}::date::timestamp, interval '1 day') d
      union all
      select distinct business_id, terminal_id, day, true from reconciliation_finding where state = 'OPEN'
    ), due as (
      select d.business_id, d.terminal_id, d.day from days d
      left join reconciliation r on r.business_id = d.business_id and r.terminal_id = d.terminal_id and r.day = d.day
      cross join lateral (select d.day::timestamp at time zone 'UTC' as begins) b
      where coalesce(r.leased_until <= ${now}, true) and coalesce(r.failed_at <= ${failedBefore}, true)
        and case when d.day >= ${today}::date then coalesce(r.listed_at, b.begins) <= ${todayBefore}
          else ${night}::timestamptz >= b.begins + interval '1 day' and coalesce(r.listed_at < case when d.has_findings then ${night}::timestamptz
            else least(${night}::timestamptz, b.begins + make_interval(hours => ${hoursOfLastNight})) end, true) end
      group by 1, 2, 3
    )
    select ${TERMINAL}, due.day::text as day
    from due join terminal t on t.business_id = due.business_id and t.id = due.terminal_id
    order by due.day, t.business_id, t.id limit ${limit}`.execute(db)
  return rows.map(({ day, ...terminal }) => ({ terminal, day }))
}

/** @returns `false` when another process is comparing the day */
export async function claimDay(db: Db, { terminal, day }: TerminalDay, now: Date, leasedUntil: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into reconciliation as r (business_id, terminal_id, day, leased_until)
    values (${terminal.businessId}, ${terminal.id}, ${day}::date, ${leasedUntil})
    on conflict (business_id, terminal_id, day) do update set leased_until = excluded.leased_until
      where r.leased_until is null or r.leased_until <= ${now}
    returning 1`.execute(db)
  return rows.length > 0
}

export async function extendLease(db: Db, { terminal, day }: TerminalDay, leasedUntil: Date): Promise<void> {
  await sql`update reconciliation set leased_until = ${leasedUntil}
    where business_id = ${terminal.businessId} and terminal_id = ${terminal.id} and day = ${day}::date`.execute(db)
}

export async function recordCompletion(
  db: Db,
  { terminal, day }: TerminalDay,
  { listedAt, completedAt, transactions }: { listedAt: Date; completedAt: Date; transactions: number },
): Promise<void> {
  await sql`update reconciliation set listed_at = ${listedAt}, completed_at = ${completedAt}, transactions = ${transactions},
      failed_at = null, failure = null, leased_until = null
    where business_id = ${terminal.businessId} and terminal_id = ${terminal.id} and day = ${day}::date`.execute(db)
}

export async function recordFailure(
  db: Db,
  { terminal, day }: TerminalDay,
  { failedAt, failure }: { failedAt: Date; failure: string },
): Promise<void> {
  await sql`update reconciliation set failed_at = ${failedAt}, failure = ${failure}, leased_until = null
    where business_id = ${terminal.businessId} and terminal_id = ${terminal.id} and day = ${day}::date`.execute(db)
}

/**
 * Records the operations that a comparison has found in the list.
 *
 * @returns the ids that it had not found before
 */
export async function markListed(
  db: Db,
  runId: string,
  operations: Pick<OurOperation, 'businessId' | 'id'>[],
  now: Date,
): Promise<Set<string>> {
  const businessIds = operations.map(({ businessId }) => businessId)
  const ids = operations.map(({ id }) => id)
  const { rows } = await sql<{ id: string }>`
    insert into reconciliation_listed (business_id, run_id, operation_id, created_at)
    select business_id, ${runId}, id, ${now} from unnest(${businessIds}::uuid[], ${ids}::uuid[]) as listed (business_id, id)
    on conflict do nothing returning operation_id as id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Deletes the records of a comparison, and those of crashed comparisons older than `oldest`. */
export async function forgetListed(db: Db, runId: string, oldest: Date): Promise<void> {
  await sql`delete from reconciliation_listed where run_id = ${runId} or created_at < ${oldest}`.execute(db)
}

/** Counts the days whose last comparison failed, for the alarm. */
export async function countFailedDays(db: Db): Promise<number> {
  const { rows } = await sql<{ failed: number }>`
    select count(*)::int as failed from reconciliation where failed_at is not null`.execute(db)
  return rows[0]?.failed ?? 0
}
