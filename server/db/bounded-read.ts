import { sql } from 'kysely'
import { ApiError } from '../lib/errors.ts'
import type { Db } from './connection.ts'
import { isDatabaseAway } from './database-errors.ts'
import { type Tx, transaction } from './transaction.ts'

const STATEMENT_MS = 2_000
const QUERY_CANCELED = '57014'

/**
 * Reads for a page, with filters of any kind: each statement is planned for its values, writes nothing and takes 2
 * seconds at most. The plans that all values share are right for the money path, and wrong for a filter that matches
 * one row or a million.
 *
 * @throws ApiError `unavailable` when it takes longer
 */
export async function boundedRead<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
  { statementMs = STATEMENT_MS } = {},
): Promise<Result> {
  try {
    return await transaction(db, async (tx) => {
      await sql`select set_config('transaction_read_only', 'on', true), set_config('plan_cache_mode', 'force_custom_plan', true),
        set_config('statement_timeout', ${String(statementMs)}, true)`.execute(tx)
      return work(tx)
    })
  } catch (error) {
    if (!isDatabaseAway(error) || (error as { code?: string }).code !== QUERY_CANCELED) throw error
    throw new ApiError('unavailable', { message: 'This takes too long. Narrow the filter.', cause: error })
  }
}
