import type { SelectQueryBuilder } from 'kysely'
import { TOTAL_MAX } from '../../contract/dashboard/list.ts'
import type { Db } from '../db/connection.ts'
import type { DB } from '../db/tables.ts'

/**
 * Counts matching rows up to a limit, by default 10,001.
 *
 * @param query the filtered rows of one business, without an order; it selects one column
 */
export async function countUpTo<Table extends keyof DB, Row>(
  db: Db,
  query: SelectQueryBuilder<DB, Table, Row>,
  max = TOTAL_MAX,
): Promise<number> {
  const { count } = await db
    .selectFrom(query.limit(max + 1).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
