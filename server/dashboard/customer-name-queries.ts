import type { Db } from '../db/connection.ts'

/** @returns names and addresses, by customer id */
export async function findCustomerNames(db: Db, businessId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { name: string | null; email: string | null }>()
  const rows = await db
    .selectFrom('customer')
    .select(['id', 'name', 'email'])
    .where('business_id', '=', businessId)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name, email }) => [id, { name, email }]))
}
