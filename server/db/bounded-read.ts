import { sql } from 'kysely'
import { ApiError } from '../lib/errors.ts'
import { openTransaction } from './after-commit.ts'
import type { Db } from './connection.ts'
import { isDatabaseAway } from './database-errors.ts'

const STATEMENT_MS = 2_000
const QUERY_CANCELED = '57014'

/**
 * Reads for a page with filters of any kind: each statement is planned for its values, writes nothing and takes at most
 * 2 seconds. Plans that all values share are right for the money path, and wrong for a filter that matches one row or a
 * million.
 *
 * @param work must read with the connection that it is given
 * @throws ApiError `unavailable` when it takes longer
 */
export async function boundedRead<Result>(
  db: Db,
  work: (reading: Db) => Promise<Result>,
  { statementMs = STATEMENT_MS } = {},
): Promise<Result> {
  try {
    return await openTransaction.run([], () =>
      db.connection().execute((connection) => readOn(connection, work, statementMs)),
    )
  } catch (error) {
    if (!isDatabaseAway(error) || (error as { code?: string }).code !== QUERY_CANCELED) throw error
    throw new ApiError('unavailable', { message: 'This takes too long. Narrow the filter.', cause: error })
  }
}

/** Reads on one connection. The limits are sent in one message with `begin`. */
async function readOn<Result>(connection: Db, work: (reading: Db) => Promise<Result>, statementMs: number) {
  const limits = `set local plan_cache_mode = force_custom_plan; set local statement_timeout = ${statementMs}`
  try {
    await sql.raw(`begin read only; ${limits}`).execute(connection)
    const result = await work(connection)
    await sql`commit`.execute(connection)
    return result
  } catch (error) {
    // A connection that cannot roll back is not used again.
    await sql`rollback`.execute(connection).catch(() => {})
    throw error
  }
}
