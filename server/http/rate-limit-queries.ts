import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../db/connection.ts'

/** The requests of one caller that were admitted, as the database has them. */
export interface CountedRequests {
  admitted: boolean
  /** In milliseconds since 1970, oldest first. */
  counted: number[]
}

/**
 * Admits a request when fewer than `points` were admitted in the window before it, and counts it then. The row's lock puts
 * the requests of all processes in one order; none is counted before the one that precedes it, whatever its clock says, so
 * the oldest instant alone decides. Processes whose clocks differ by a millisecond err by a millisecond. Instants that lie
 * in the future by more than a window are of a clock that was set back since.
 *
 * @param limit its window in milliseconds
 * @returns the function that counts: its statement is written once, for it runs with every request
 */
export function requestCounter(db: Db, { points, window }: { points: number; window: number }) {
  const statement = countingStatement(points, window)
  return async (key: string, now: number): Promise<CountedRequests> => {
    const { rows } = await db.executeQuery<{ admitted: boolean; counted: string }>(
      CompiledQuery.raw(statement, [key, now]),
    )
    const [row] = rows
    if (!row) throw new Error('A request was neither admitted nor refused')
    return { admitted: row.admitted, counted: instantsIn(row.counted) }
  }
}

/** Plain conditions that repeat themselves: a subquery that names them once takes twice as long (measured). */
function countingStatement(points: number, window: number): string {
  const counted = 'counter.counted_at'
  const size = `cardinality(${counted})`
  const at = `greatest($2::bigint, ${counted}[${size}])`
  const isSetBack = `counter.expire > $2::bigint + ${2 * window}`
  const isFree = `${size} < ${points} or ${counted}[${size} - ${points - 1}] <= ${at} - ${window}`
  return `insert into rate_limit as counter (key, counted_at, admitted, expire)
    values ($1, array[$2::bigint], true, $2::bigint + ${window})
    on conflict (key) do update set
      counted_at = case
        when ${isSetBack} then excluded.counted_at
        when ${isFree} then ${counted}[${size} - ${points - 2} :] || ${at}
        else ${counted} end,
      admitted = ${isSetBack} or ${isFree},
      expire = case when ${isSetBack} then excluded.expire else ${at} + ${window} end
    returning admitted, counted_at::text as counted`
}

/** What the next count would begin with. */
export async function findCountedRequests(db: Db, key: string): Promise<number[]> {
  const row = await db
    .selectFrom('rate_limit')
    .select(sql<string>`counted_at::text`.as('counted'))
    .where('key', '=', key)
    .executeTakeFirst()
  return row ? instantsIn(row.counted) : []
}

/** Counters whose time is over. They would be overwritten when their caller comes again; most never do. */
export async function deleteExpiredCounters(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rate_limit').where('expire', '<', now.getTime()).execute()
}

/** PostgreSQL writes an array as `{1,2}`; reading it here costs a tenth of the driver's general parser. */
const instantsIn = (text: string): number[] => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))
