import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { type Page, type PageRequest, readPage } from '../db/page.ts'
import type { Tx } from '../db/transaction.ts'
import type { NewEvent } from '../events/event.ts'
import { recordWith } from '../events/event-queries.ts'
import type { ListedCard } from './payment-method.ts'

const COLUMNS = [
  'id',
  'customer_id as customerId',
  'brand',
  'last4',
  'exp_month as expMonth',
  'exp_year as expYear',
  'created_at as createdAt',
  'detached_at as detachedAt',
] as const

const cardsOf = (db: Db, businessId: string) =>
  db.selectFrom('stored_card').select(COLUMNS).where('business_id', '=', businessId)

/** Finds a stored card, including a detached one. */
export function findPaymentMethod(db: Db, businessId: string, id: string): Promise<ListedCard | undefined> {
  return cardsOf(db, businessId).where('id', '=', id).executeTakeFirst()
}

/** Locks the card until the end of the transaction. */
export function lockPaymentMethod(tx: Tx, businessId: string, id: string): Promise<ListedCard | undefined> {
  return cardsOf(tx, businessId).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Lists stored cards, except detached ones, of all customers or of one. */
export function listPaymentMethods(
  db: Db,
  { businessId, customerId }: { businessId: string; customerId: string | undefined },
  page: PageRequest,
): Promise<Page<ListedCard>> {
  const onFile = cardsOf(db, businessId).where('detached_at', 'is', null)
  const query = customerId === undefined ? onFile : onFile.where('customer_id', '=', customerId)
  return readPage(db, { table: 'stored_card', businessId, query }, page)
}

/** Detaches a locked card and records the event. */
export async function markDetached(tx: Tx, event: NewEvent): Promise<void> {
  const update = sql`changed as (
      update stored_card set detached_at = ${event.createdAt}
      where business_id = ${event.businessId}::uuid and id = ${event.objectId}::uuid
      returning id
    )`
  await recordWith(tx, event, update)
}
