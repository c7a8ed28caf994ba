import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { Placeholders } from '../db/statement.ts'
import type { BilledCard } from './billed-card.ts'

/**
 * Reads the cards of scheduled charges of any business, including detached and blocked cards.
 *
 * @returns the cards by id
 */
export async function findBilledCards(
  db: Db,
  cards: readonly { businessId: string; id: string }[],
): Promise<Map<string, BilledCard>> {
  if (cards.length === 0) return new Map()
  const { rows } = await sql<BilledCard>`
    select c.business_id as "businessId", c.id, c.customer_id as "customerId", c.brand, c.first6, c.last4,
      c.exp_month as "expMonth", c.exp_year as "expYear", c.name_on_card as "nameOnCard", c.funding, c.fingerprint,
      jsonb_build_object('country', c.billing_country, 'state', c.billing_state, 'postalCode', c.postal_code) as place,
      c.network_transaction_id as "networkTransactionId", c.ds_transaction_id as "dsTransactionId", c.detached_at as "detachedAt", c.charge_block as "chargeBlock"
    from unnest(${cards.map(({ businessId }) => businessId)}::uuid[], ${cards.map(({ id }) => id)}::uuid[])
      as wanted(business_id, id)
    join stored_card c on c.business_id = wanted.business_id and c.id = wanted.id`.execute(db)
  return new Map(rows.map((card) => [card.id, card]))
}

/** Reads one card of a scheduled charge; `undefined` if it does not exist or there is no id. */
export async function findBilledCard(
  db: Db,
  businessId: string,
  id: string | null | undefined,
): Promise<BilledCard | undefined> {
  return id == null ? undefined : (await findBilledCards(db, [{ businessId, id }])).get(id)
}

/**
 * Returns `select … from <source>`: the rows of the source, if the card `p.storedCardId` may be charged without the
 * payer. Nothing is locked: if the card is detached later, it was charged before that.
 */
export const ifChargeable = (p: Placeholders, source: string) => `select source.* from ${source} as source
    where exists (select from stored_card c where c.business_id = ${p.businessId}::uuid and c.id = ${p.storedCardId}::uuid
      and c.detached_at is null and c.charge_block is null)`

/**
 * Returns `update stored_card …`, which blocks the card for charges without the payer if the source has a row and
 * `p.chargeBlock` is not null.
 */
export const blockCard = (
  p: Placeholders,
  source: string,
) => `update stored_card c set charge_block = ${p.chargeBlock}::text
    from ${source} as source where c.business_id = ${p.businessId}::uuid and c.id = ${p.storedCardId}::uuid
      and ${p.chargeBlock}::text is not null`

/** Blocks a card for charges without the payer, in a separate statement. */
export async function setChargeBlock(db: Db, businessId: string, id: string, chargeBlock: string): Promise<void> {
  await db
    .updateTable('stored_card')
    .set({ charge_block: chargeBlock })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .execute()
}

/** Lifts the block, because the customer has verified the card again. */
export async function endChargeBlock(db: Db, businessId: string, id: string): Promise<void> {
  await db
    .updateTable('stored_card')
    .set({ charge_block: null })
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('charge_block', 'is not', null)
    .execute()
}
