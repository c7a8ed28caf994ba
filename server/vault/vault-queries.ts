import type { Db } from '../db/connection.ts'
import { type Placeholders, run, statement, type Values } from '../db/statement.ts'
import type { SealedCard } from './sealed-card.ts'

export function findCurrentKey(db: Db, businessId: string) {
  return db
    .selectFrom('vault_key')
    .select(['id', 'master_key_id', 'wrapped_key'])
    .where('business_id', '=', businessId)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
}

export interface NewKey {
  business_id: string
  id: string
  master_key_id: string
  wrapped_key: Buffer
  created_at: Date
}

/** Race: two processes may both find that a business has no key. The second insert does nothing. */
export async function insertKey(db: Db, key: NewKey): Promise<void> {
  await db
    .insertInto('vault_key')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Race: two processes may both rewrap a key. The first update wins; the data key is the same either way. */
export async function rewrapKey(
  db: Db,
  { business_id, id, master_key_id, wrapped_key }: Omit<NewKey, 'created_at'>,
  formerMasterKeyId: string,
): Promise<void> {
  await db
    .updateTable('vault_key')
    .set({ master_key_id, wrapped_key })
    .where('business_id', '=', business_id)
    .where('id', '=', id)
    .where('master_key_id', '=', formerMasterKeyId)
    .execute()
}

/** A sealed card with the wrapped key that seals it. */
export interface FoundCard {
  key_id: string
  number_ciphertext: Buffer
  master_key_id: string
  wrapped_key: Buffer
}

const FIND_CARD = statement(
  'find_vault_card',
  (p) => `select c.key_id, c.number_ciphertext, k.master_key_id, k.wrapped_key
    from vault_card c join vault_key k on k.business_id = c.business_id and k.id = c.key_id
    where c.business_id = ${p.businessId}::uuid and c.id = ${p.id}::uuid`,
)

export async function findCard(db: Db, businessId: string, id: string): Promise<FoundCard | undefined> {
  return (await run<FoundCard>(db, FIND_CARD, { businessId, id }))[0]
}

const FIND_CARDS = statement(
  'find_vault_cards',
  (p) => `select c.id, c.key_id, c.number_ciphertext, k.master_key_id, k.wrapped_key
    from unnest(${p.businessIds}::uuid[], ${p.ids}::uuid[]) as wanted(business_id, id)
      join vault_card c on c.business_id = wanted.business_id and c.id = wanted.id
      join vault_key k on k.business_id = c.business_id and k.id = c.key_id`,
)

/** Finds sealed cards of any business. @returns the cards that exist, by id */
export async function findCards(
  db: Db,
  cards: readonly { businessId: string; id: string }[],
): Promise<Map<string, FoundCard>> {
  if (cards.length === 0) return new Map()
  const [businessIds, ids] = [cards.map(({ businessId }) => businessId), cards.map(({ id }) => id)]
  const rows = await run<FoundCard & { id: string }>(db, FIND_CARDS, { businessIds, ids })
  return new Map(rows.map(({ id, ...card }) => [id, card]))
}

/** Returns `insert into vault_card … from <stored>`, which inserts only if the member `stored` inserted this card. */
export function insertSealedCard(p: Placeholders, stored: string): string {
  return `insert into vault_card (business_id, id, key_id, number_ciphertext, fingerprint, fingerprint_key_id, created_at)
    select ${p.businessId}::uuid, ${p.newCardId}::uuid, ${p.sealedKeyId}::uuid, ${p.sealedNumber}::bytea,
      ${p.sealedFingerprint}::bytea, ${p.sealedFingerprintKeyId}::text, ${p.at}::timestamptz
    from ${stored} where ${stored}.id = ${p.newCardId}::uuid`
}

export function sealedCardValues(card: SealedCard): Values {
  return {
    sealedKeyId: card.key_id,
    sealedNumber: card.number_ciphertext,
    sealedFingerprint: card.fingerprint,
    sealedFingerprintKeyId: card.fingerprint_key_id,
  }
}
