import { type SelectQueryBuilder, sql } from 'kysely'
import type { CustomerLetter } from '../../../contract/dashboard/customers-api.ts'
import type { Db } from '../../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../../db/page.ts'
import type { DB } from '../../db/tables.ts'
import { findAbout } from '../letter-about-queries.ts'

interface LettersFor {
  businessId: string
  customerId: string
  /** E-mail address of the customer; `null` without one. */
  email: string | null
}

/**
 * Selects the letters written for a customer, without an order. Older letters do not name the customer and are found by
 * the address.
 *
 * @see LTR-25
 */
export function lettersFor(
  db: Db,
  { businessId, customerId, email }: LettersFor,
): SelectQueryBuilder<DB, 'letter', { id: string }> {
  // One array of ids lets each side of the union use its index.
  const ids = sql<string>`any(array(
    select id from letter where business_id = ${businessId}::uuid and customer_id = ${customerId}::uuid
    union all
    select id from letter where business_id = ${businessId}::uuid and customer_id is null
      and recipient = ${email}::text and audience = 'customer'))`
  return db.selectFrom('letter').select('id').where('business_id', '=', businessId).where('id', '=', ids)
}

/** Lists the customer's letters, newest first. */
export async function listLettersFor(db: Db, which: LettersFor, page: PageRequest): Promise<Page<CustomerLetter>> {
  const { businessId } = which
  const query = lettersFor(db, which).select(['kind', 'recipient', 'subject', 'status', CREATED])
  const { rows, hasMore } = await readPage(db, { table: 'letter', businessId, query }, page)
  const ids = rows.map(({ id }) => id)
  const about = await findAbout(db, businessId, ids)
  return { rows: rows.map((letter) => ({ ...letter, about: about.get(letter.id) ?? null })), hasMore }
}

const CREATED = sql<number>`floor(extract(epoch from created_at))::integer`.as('created')
