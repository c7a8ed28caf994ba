import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../db/connection.ts'

/** Admitted requests of one caller, as the database has them. */
export interface CountedRequests {
  admitted: boolean
  /** Times in milliseconds since 1970, oldest first. */
  counted: number[]
}

/**
 * Admits a request, and counts it, if fewer than `points` were admitted in the window before it. The row lock orders
 * the requests of all processes. A request is never recorded before the one that precedes it, whatever its process's
 * clock shows, so the oldest instant alone decides; if clocks differ by a millisecond, the limit is off by a
 * millisecond. An instant more than a window in the future comes from a clock that has been set back since.
 *
 * @param limit `window` in milliseconds
 * @returns the function that counts; its statement is built once, because it runs with every request
 */
export function requestCounter(db: Db, { points, window }: { points: number; window: number }) {
  const statement = countingStatement(points, window)
  return async (key: string, now: number): Promise<CountedRequests> => {
    const { rows } = await db.executeQuery<{ admitted: boolean; counted: string }>(
      CompiledQuery.raw(statement, [key, now]),
    )
    const [row] = rows
    if (!row) throw new Error('The rate limit statement returned no row')
    return { admitted: row.admitted, counted: instantsIn(row.counted) }
  }
}

/**
 * Builds the statement. Conditions are repeated on purpose: a subquery that names them once takes twice as long
 * (measured).
 */
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

/** Returns the counted instants, in milliseconds since 1970, oldest first. */
export async function findCountedRequests(db: Db, key: string): Promise<number[]> {
  const row = await db
    .selectFrom('rate_limit')
    .select(sql<string>`counted_at::text`.as('counted'))
    .where('key', '=', key)
    .executeTakeFirst()
  return row ? instantsIn(row.counted) : []
}

/** Deletes expired counters. A returning caller would overwrite its counter, but most callers never return. */
export async function deleteExpiredCounters(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rate_limit').where('expire', '<', now.getTime()).execute()
}

/**
 * Parses instants. PostgreSQL writes an array as `{1,2}`; reading it here costs a tenth of the driver's general parser.
 */
const instantsIn = (text: string): number[] => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))
