import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { idBefore } from '../../lib/ids.ts'
import type { CustomerAccount } from '../../three-d-secure/three-ds-server.ts'

const DAY_MS = 86_400_000
/** Highest number that fits into the digits of the protocol; more purchases are not counted. */
const PURCHASES_MAX = 9_999
const TRANSACTIONS_MAX = 999

type History = Omit<CustomerAccount, 'asOf'>

/** Counts purchases by the ids of sales, which are in order of real time, so each count reads the end of an index. */
export async function findCustomerHistory(
  db: Db,
  { businessId, customerId, cardId }: { businessId: string; customerId: string; cardId: string | null },
): Promise<History | undefined> {
  const paid = (since: string, most: number) => sql`(select count(*)::int from (select from payment
    where business_id = ${businessId}::uuid and customer_id = ${customerId}::uuid and operation_id > ${since}::uuid
    limit ${most}::int) as paid)`
  const declined = (since: string) => sql`(select count(*)::int from (select from operation
    where business_id = ${businessId}::uuid and customer_id = ${customerId}::uuid and lost and parent_id is null
      and id > ${since}::uuid limit ${TRANSACTIONS_MAX}::int) as declined)`
  const [day, halfYear, year] = [idBefore(DAY_MS), idBefore(183 * DAY_MS), idBefore(365 * DAY_MS)]
  const { rows } = await sql<History>`
    select created_at as "createdAt",
      (select created_at from stored_card where business_id = ${businessId}::uuid and id = ${cardId}::uuid) as "cardStoredAt",
      ${paid(halfYear, PURCHASES_MAX)} as purchases,
      ${paid(day, TRANSACTIONS_MAX)} + ${declined(day)} as "dayCount",
      ${paid(year, TRANSACTIONS_MAX)} + ${declined(year)} as "yearCount"
    from customer where business_id = ${businessId}::uuid and id = ${customerId}::uuid`.execute(db)
  return rows[0]
}
