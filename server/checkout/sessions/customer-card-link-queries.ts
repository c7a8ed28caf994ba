import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { type CustomerCardLink, isCustomerCardLinkId, isLive } from './customer-card-link.ts'

interface WhichLink {
  businessId: string
  id: string
}

type NewLink = Omit<CustomerCardLink, 'sessionId' | 'revokedAt'>

interface OfCustomer {
  businessId: string
  customerId: string
}

/** Inserts new links, which have never been opened. */
export async function insertCustomerCardLinks(tx: Tx, links: readonly NewLink[]): Promise<void> {
  if (links.length === 0) return
  const rows = links.map((link) => ({
    business_id: link.businessId,
    id: link.id,
    customer_id: link.customerId,
    subscription_id: link.subscriptionId,
    created_at: link.createdAt,
    expires_at: link.expiresAt,
  }))
  await tx.insertInto('customer_card_link').values(rows).execute()
}

export async function findCustomerCardLink(db: Db, { businessId, id }: WhichLink): Promise<CustomerCardLink | null> {
  const row = await db
    .selectFrom('customer_card_link')
    .select(['business_id as businessId', 'id', 'customer_id as customerId', 'subscription_id as subscriptionId'])
    .select([
      'session_id as sessionId',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'revoked_at as revokedAt',
    ])
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Whether an id names a card link that no longer leads to a form; `false` for ids of other objects. */
export async function isEndedCardLink(db: Db, which: WhichLink, now: Date): Promise<boolean> {
  const link = isCustomerCardLinkId(which.id) ? await findCustomerCardLink(db, which) : null
  return link !== null && !isLive(link, now)
}

/** Sets the next session of a link. @returns `false` if another request has set one, or the link was revoked */
export async function moveCustomerCardLink(
  tx: Tx,
  { businessId, id }: WhichLink,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('customer_card_link')
    .set({ session_id: to })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('session_id', 'is not distinct from', from)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Summary of a customer's valid card links. */
export interface LiveCardLinks {
  count: number
  /** Creation time of the newest link. */
  createdAt: Date
  expiresAt: Date
}

/** @returns `null` if the customer has no valid card link */
export async function findLiveCardLinks(
  db: Db,
  { businessId, customerId }: OfCustomer,
  now: Date,
): Promise<LiveCardLinks | null> {
  const { count, createdAt, expiresAt } = await db
    .selectFrom('customer_card_link')
    .select(({ fn }) => [
      fn.countAll<string>().as('count'),
      fn.max('created_at').as('createdAt'),
      fn.max('expires_at').as('expiresAt'),
    ])
    .where('business_id', '=', businessId)
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return createdAt && expiresAt && { count: Number(count), createdAt, expiresAt }
}

/** Revokes every valid link of a customer. @returns the latest session of each; `null` for one that was never opened */
export async function endCardLinks(
  tx: Tx,
  { businessId, customerId }: OfCustomer,
  now: Date,
): Promise<(string | null)[]> {
  const rows = await tx
    .updateTable('customer_card_link')
    .set({ revoked_at: now })
    .where('business_id', '=', businessId)
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null)
    .returning('session_id')
    .execute()
  return rows.map((row) => row.session_id)
}

export async function deleteOldCardLinks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('customer_card_link').where('expires_at', '<', before).execute()
}
