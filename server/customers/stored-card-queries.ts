import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { insertEventFrom } from '../events/event-queries.ts'
import type { Funding } from '../vault/bin-table.ts'
import type { CardPlace } from '../vault/card.ts'
import type { Fingerprint } from '../vault/vault.ts'
import { cardAttached } from './customer-events.ts'
import type { ChargeableCard, NewStoredCard, SameCard, StoredCard } from './stored-card.ts'

const STORED_CARD_COLUMNS = [
  'id',
  'brand',
  'last4',
  'exp_month as expMonth',
  'exp_year as expYear',
  'name_on_card as nameOnCard',
  sql<CardPlace>`json_build_object('country', billing_country, 'state', billing_state, 'postalCode', postal_code)`.as(
    'place',
  ),
  sql<Funding>`funding`.as('funding'),
] as const

/**
 * The customer's card of the same number, if it is on file.
 *
 * @param fingerprints of the number, one for each master key that it may have been stored under
 */
export function findSameCard(
  db: Db,
  { businessId, customerId, fingerprints }: { businessId: string; customerId: string; fingerprints: Fingerprint[] },
): Promise<SameCard | undefined> {
  const isOneOf = fingerprints.map(({ keyId, value }) => ({ fingerprint_key_id: keyId, fingerprint: value }))
  return db
    .selectFrom('stored_card')
    .select(STORED_CARD_COLUMNS)
    .select(['fingerprint', 'fingerprint_key_id as fingerprintKeyId'])
    .where('business_id', '=', businessId)
    .where('customer_id', '=', customerId)
    .where((row) => row.or(isOneOf.map((one) => row.and(one))))
    .where('detached_at', 'is', null)
    .executeTakeFirst()
}

/** Newest first. */
export function listStoredCards(db: Db, businessId: string, customerId: string): Promise<StoredCard[]> {
  return db
    .selectFrom('stored_card')
    .select(STORED_CARD_COLUMNS)
    .where('business_id', '=', businessId)
    .where('customer_id', '=', customerId)
    .where('detached_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
}

/** A card of that customer that is on file: not another customer's, and not a detached one. */
export function findStoredCard(
  db: Db,
  { businessId, customerId, id }: { businessId: string; customerId: string; id: string },
): Promise<ChargeableCard | undefined> {
  return db
    .selectFrom('stored_card')
    .select(STORED_CARD_COLUMNS)
    .select(['first6', 'network_transaction_id as networkTransactionId'])
    .where('business_id', '=', businessId)
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('detached_at', 'is', null)
    .executeTakeFirst()
}

/**
 * `insert into stored_card … from <payer>`, whose `id` is the customer. The same card again only gets the new expiry, a place
 * that was given anew, and what the BIN table says of it by now: two tabs that save it at once leave one row, and an approval never fails because of it.
 */
export function insertStoredCardFrom(card: NewStoredCard, payer: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into stored_card (business_id, id, customer_id, brand, first6, last4, exp_month, exp_year, name_on_card,
      postal_code, billing_country, billing_state, funding, fingerprint, fingerprint_key_id, network_transaction_id, created_at)
    select ${card.businessId}::uuid, ${card.id}::uuid, payer.id, ${card.brand}::text, ${card.first6}::text,
      ${card.last4}::text, ${card.expMonth}::smallint, ${card.expYear}::smallint, ${card.nameOnCard}::text,
      ${card.place.postalCode}::text, ${card.place.country}::text, ${card.place.state}::text, ${card.funding}::text, ${card.fingerprint}::bytea, ${card.fingerprintKeyId}::text,
      ${card.networkTransactionId}::text, ${card.createdAt}::timestamptz
    from ${payer} as payer
    on conflict (business_id, customer_id, fingerprint_key_id, fingerprint) where detached_at is null
      do update set exp_month = excluded.exp_month, exp_year = excluded.exp_year, funding = excluded.funding,
        (postal_code, billing_country, billing_state) = (select place.* from (
          select excluded.postal_code, excluded.billing_country, excluded.billing_state where ${isKnown(card.place)}::boolean
          union all
          select stored_card.postal_code, stored_card.billing_country, stored_card.billing_state
          where not ${isKnown(card.place)}::boolean) as place)
    returning id`
}

const isKnown = (place: CardPlace) => Object.values(place).some((part) => part !== null)

/** `insert into event … from <stored>`: only for the card that really became a new row there. */
export function insertCardAttachedFrom(
  card: NewStoredCard,
  stored: RawBuilder<unknown>,
  customerId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const source = sql`${stored} as stored where stored.id = ${card.id}::uuid`
  return insertEventFrom(cardAttached(card), source, sql`jsonb_build_object('customer', ${customerId})`)
}
