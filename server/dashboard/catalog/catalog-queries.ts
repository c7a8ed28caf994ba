import type { Db } from '../../db/connection.ts'
import { countUpTo } from '../count-queries.ts'

/** How many products match, up to 10,001. */
export async function countProducts(
  db: Db,
  { businessId, active }: { businessId: string; active?: boolean | undefined },
): Promise<number> {
  const query = db.selectFrom('product').select('id').where('business_id', '=', businessId)
  return countUpTo(db, active === undefined ? query : query.where('active', '=', active))
}
