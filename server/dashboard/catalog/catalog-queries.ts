import { TOTAL_MAX } from '../../../contract/dashboard/list.ts'
import type { Db } from '../../db/connection.ts'

/** How many products match, up to 10,001. */
export async function countProducts(
  db: Db,
  { businessId, active }: { businessId: string; active?: boolean | undefined },
): Promise<number> {
  const some = db
    .selectFrom('product')
    .select('id')
    .where('business_id', '=', businessId)
    .$if(active !== undefined, (query) => query.where('active', '=', active ?? true))
    .limit(TOTAL_MAX + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
