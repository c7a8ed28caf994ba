import { sql } from 'kysely'
import { customerForm } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { hasWords } from '../../db/search.ts'

/** Selects the customers who match words of their name or e-mail address. */
export const customersWith = (businessId: string, text: string) => sql`select id from customer
  where business_id = ${businessId} and ${hasWords(customerForm(), text)}`

/** A search with more matches is fast anyway: reading the newest sessions soon finds some. */
const FEW = 1_000

/**
 * Finds the sessions paid by customers who match a text, through their payments and the subscriptions that they signed
 * up for. An index on who paid a session would have to be written with each payment.
 *
 * @returns `undefined` if there are many
 */
export async function findSessionsPaidBy(db: Db, businessId: string, text: string): Promise<string[] | undefined> {
  const { rows: customers } = await sql<{ id: string }>`
    ${customersWith(businessId, text)} limit ${FEW + 1}`.execute(db)
  if (customers.length > FEW) return undefined
  const ids = sql`${customers.map(({ id }) => id)}::uuid[]`
  const { rows } = await sql<{ id: string }>`
    select session_id as id from payment
      where business_id = ${businessId} and customer_id = any(${ids}) and session_id is not null
    union
    select checkout_session_id from subscription
      where business_id = ${businessId} and customer_id = any(${ids}) and checkout_session_id is not null
    limit ${FEW + 1}`.execute(db)
  return rows.length > FEW ? undefined : rows.map(({ id }) => id)
}
