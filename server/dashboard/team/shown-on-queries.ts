import { sql } from 'kysely'
import type { About } from '../../../contract/dashboard/about.ts'
import type { Db } from '../../db/connection.ts'
import { isUuid } from '../../lib/ids.ts'
import { findAbout } from '../letter-about-queries.ts'

interface Named {
  type: string
  id: string
}

/**
 * Finds the page that shows each object which has none of its own: for a price, the page of its product; for a card, of
 * its customer; for an operation or a refund, of the payment; for a letter, of what it is about.
 *
 * @see DSH-47
 */
export async function findShownOn(db: Db, businessId: string, objects: readonly Named[]): Promise<Map<string, About>> {
  const idsOf = (wanted: string) => objects.flatMap(({ type, id }) => (type === wanted && isUuid(id) ? [id] : []))
  const [prices, cards, operations, refunds] = ['price', 'payment_method', 'operation', 'refund'].map(idsOf)
  const letters = await findAbout(db, businessId, idsOf('letter'))
  if ([prices, cards, operations, refunds].every((ids) => ids?.length === 0)) return letters
  const { rows } = await sql<About & { shown: string }>`
    select id as shown, 'product' as type, product_id as id from price
      where business_id = ${businessId}::uuid and id = any(${prices}::uuid[])
    union all
    select id, 'customer', customer_id from stored_card
      where business_id = ${businessId}::uuid and id = any(${cards}::uuid[])
    union all
    select id, 'payment', coalesce(parent_id, id) from operation
      where business_id = ${businessId}::uuid and id = any(${operations}::uuid[])
    union all
    select id, 'payment', payment_id from refund
      where business_id = ${businessId}::uuid and id = any(${refunds}::uuid[])`.execute(db)
  return new Map([...letters, ...rows.map(({ shown, type, id }) => [shown, { type, id }] as const)])
}
