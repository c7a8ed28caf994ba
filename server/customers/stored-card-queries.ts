import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { Placeholders, Values } from '../db/statement.ts'
import { eventValues, firstEventMembers } from '../events/event-queries.ts'
import type { Funding } from '../vault/bin-table.ts'
import type { CardPlace } from '../vault/card.ts'
import type { Fingerprint } from '../vault/vault.ts'
import type { BilledCard } from './billed-card.ts'
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
 * Finds the stored card of the customer with the same number.
 *
 * @param fingerprints fingerprints of the number, one for each master key under which the card may have been stored
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

/** Lists the stored cards of a customer, except detached ones, newest first. */
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

/** Finds a stored card of the customer; ignores detached cards and cards of other customers. */
export function findStoredCard(
  db: Db,
  { businessId, customerId, id }: { businessId: string; customerId: string; id: string },
): Promise<(ChargeableCard & Pick<BilledCard, 'chargeBlock'>) | undefined> {
  return db
    .selectFrom('stored_card')
    .select(STORED_CARD_COLUMNS)
    .select([
      'first6',
      'network_transaction_id as networkTransactionId',
      'ds_transaction_id as dsTransactionId',
      'charge_block as chargeBlock',
    ])
    .where('business_id', '=', businessId)
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('detached_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Returns the members `stored` and `card_recorded` of a `with` that has `payer`, whose `id` is the customer. A card
 * that is already stored only gets the new expiry, a newly given place, and the current funding of the BIN table. So
 * two tabs that save a card at the same time leave one row, and an approval never fails because of it. Only a new row
 * has an event.
 */
export function storedMembers(p: Placeholders): string {
  const place = (row: string) => `select ${row}.postal_code, ${row}.billing_country, ${row}.billing_state`
  return `stored as (
      insert into stored_card (business_id, id, customer_id, brand, first6, last4, exp_month, exp_year, name_on_card, postal_code,
        billing_country, billing_state, funding, fingerprint, fingerprint_key_id, network_transaction_id, ds_transaction_id,
        created_at)
      select ${p.businessId}::uuid, ${p.newCardId}::uuid, payer.id, ${p.newCardBrand}::text, ${p.newCardFirst6}::text,
        ${p.newCardLast4}::text, ${p.expMonth}::smallint, ${p.expYear}::smallint, ${p.nameOnCard}::text, ${p.postalCode}::text,
        ${p.billingCountry}::text, ${p.billingState}::text, ${p.funding}::text, ${p.newCardFingerprint}::bytea,
        ${p.newCardFingerprintKeyId}::text, ${p.networkTransactionId}::text, ${p.dsTransactionId}::text, ${p.at}::timestamptz
      from payer
      on conflict (business_id, customer_id, fingerprint_key_id, fingerprint) where detached_at is null
        do update set exp_month = excluded.exp_month, exp_year = excluded.exp_year, funding = excluded.funding,
          (postal_code, billing_country, billing_state) = (select place.* from (
            ${place('excluded')} where ${p.placeIsKnown}::boolean
            union all ${place('stored_card')} where not ${p.placeIsKnown}::boolean) as place)
      returning id, customer_id
    ),
    ${firstEventMembers(p, {
      source: `stored where stored.id = ${p.newCardId}::uuid`,
      prefix: 'card',
      data: (given) => `jsonb_set(${given}, '{object,customer}', to_jsonb(stored.customer_id))`,
    })}`
}

export function storedCardValues(card: NewStoredCard): Values {
  const { postalCode, country, state } = card.place
  return {
    newCardId: card.id,
    newCardBrand: card.brand,
    newCardFirst6: card.first6,
    newCardLast4: card.last4,
    expMonth: card.expMonth,
    expYear: card.expYear,
    nameOnCard: card.nameOnCard,
    postalCode,
    billingCountry: country,
    billingState: state,
    placeIsKnown: [postalCode, country, state].some((part) => part !== null),
    funding: card.funding,
    newCardFingerprint: card.fingerprint,
    newCardFingerprintKeyId: card.fingerprintKeyId,
    networkTransactionId: card.networkTransactionId,
    dsTransactionId: card.dsTransactionId,
    ...eventValues(cardAttached(card), 'card'),
  }
}
