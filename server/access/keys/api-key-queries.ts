import { sql } from 'kysely'
import { scopesWithin } from '../../../contract/scopes.ts'
import { BUSINESS_COLUMNS, businessFrom } from '../../businesses/business-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { canonicalAddresses } from '../shared/allowed-ip-queries.ts'
import type { Environment } from '../shared/context.ts'
import type { EndedIds } from '../shared/ended-ids.ts'
import type { ApiKey, WorkingKey } from './api-key.ts'

const COLUMNS = [
  'id',
  'business_id as businessId',
  'name',
  'last_four as lastFour',
  'allowed_ips as allowedIps',
  'scopes',
  'created_at as createdAt',
  'created_by as createdBy',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
  'last_used_at as lastUsedAt',
  'last_used_from as lastUsedFrom',
] as const

/**
 * Finds everything that a call with a key is checked against, in one round trip. Ignores revoked and expired keys, and
 * those of other environments.
 */
export async function findWorkingKey(
  db: Db,
  { hashes, environment, now }: { hashes: Buffer[]; environment: Environment; now: Date },
): Promise<(WorkingKey & { hash: Buffer }) | null> {
  const row = await db
    .selectFrom('api_key as key')
    .innerJoin('business', 'business.id', 'key.business_id')
    .select(BUSINESS_COLUMNS)
    .select(['key.key_hash', 'key.id as key_id', 'key.name as key_name', 'key.last_four'])
    .select(['key.allowed_ips', 'key.scopes', 'key.expires_at'])
    .where('key.key_hash', 'in', hashes)
    .where('key.environment', '=', environment)
    .where('key.revoked_at', 'is', null)
    .where((where) => where.or([where('key.expires_at', 'is', null), where('key.expires_at', '>', now)]))
    .executeTakeFirst()
  if (!row) return null
  return {
    hash: row.key_hash,
    caller: {
      business: businessFrom(row),
      keyId: row.key_id,
      keyName: row.key_name,
      lastFour: row.last_four,
      scopes: new Set(scopesWithin(row.scopes)),
    },
    expiresAt: row.expires_at,
    allowedIps: new Set(canonicalAddresses(row.allowed_ips)),
  }
}

type Row = Omit<ApiKey, 'environment' | 'scopes'> & { scopes: string[] }

const keyFrom = (row: Row, environment: Environment): ApiKey => ({
  ...row,
  environment,
  allowedIps: canonicalAddresses(row.allowedIps),
  scopes: scopesWithin(row.scopes),
})

/** Lists keys, oldest first, including revoked and expired ones; of all businesses, or of one. */
export async function listApiKeys(
  db: Db,
  { environment, businessId }: { environment: Environment; businessId: string | undefined },
): Promise<ApiKey[]> {
  const all = db.selectFrom('api_key').select(COLUMNS).where('environment', '=', environment).orderBy('id')
  const rows = await (businessId === undefined ? all : all.where('business_id', '=', businessId)).execute()
  return rows.map((row) => keyFrom(row, environment))
}

export async function findApiKey(
  db: Db,
  { id, businessId, environment }: { id: string; businessId: string; environment: Environment },
): Promise<ApiKey | null> {
  const row = await db
    .selectFrom('api_key')
    .select(COLUMNS)
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('environment', '=', environment)
    .executeTakeFirst()
  return row ? keyFrom(row, environment) : null
}

export async function insertApiKey(tx: Tx, { hash, ...key }: ApiKey & { hash: Buffer }): Promise<void> {
  await tx
    .insertInto('api_key')
    .values({
      key_hash: hash,
      id: key.id,
      business_id: key.businessId,
      name: key.name,
      environment: key.environment,
      last_four: key.lastFour,
      allowed_ips: key.allowedIps,
      scopes: key.scopes,
      created_at: key.createdAt,
      created_by: key.createdBy,
    })
    .execute()
}

/**
 * Sets the end of a key that was not rotated before.
 *
 * @returns what its successor inherits; `null` if this environment has no active key with that id, or the key already
 * has an end
 */
export async function endRotatedKey(
  tx: Tx,
  { id, environment, at }: { id: string; environment: Environment; at: Date },
): Promise<Pick<ApiKey, 'businessId' | 'name' | 'allowedIps' | 'scopes'> | null> {
  const row = await tx
    .updateTable('api_key')
    .set({ expires_at: at })
    .where('id', '=', id)
    .where('environment', '=', environment)
    .where('revoked_at', 'is', null)
    .where('expires_at', 'is', null)
    .returning(['business_id as businessId', 'name', 'allowed_ips', 'scopes'])
    .executeTakeFirst()
  if (!row) return null
  const { allowed_ips: allowedIps, scopes, ...rest } = row
  return { ...rest, allowedIps: canonicalAddresses(allowedIps), scopes: scopesWithin(scopes) }
}

/**
 * Revokes a key.
 *
 * @returns the key; `null` if there is no such key, or it is already revoked
 */
export async function markApiKeyRevoked(
  db: Db,
  { id, environment, at }: { id: string; environment: Environment; at: Date },
): Promise<ApiKey | null> {
  const row = await db
    .updateTable('api_key')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('environment', '=', environment)
    .where('revoked_at', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ? keyFrom(row, environment) : null
}

export async function revokeApiKeys(tx: Tx, { businessId, ids, at }: EndedIds): Promise<void> {
  await sql`update api_key set revoked_at = ${at}
    where business_id = ${businessId} and id = any(${ids}) and revoked_at is null`.execute(tx)
}

/** Revokes all but the newest `kept` keys of a name. */
export async function revokeOldApiKeys(
  tx: Tx,
  { businessId, name, kept, at }: { businessId: string; name: string; kept: number; at: Date },
): Promise<void> {
  await sql`update api_key set revoked_at = ${at} where business_id = ${businessId} and id in (
    select id from api_key where business_id = ${businessId} and name = ${name} and revoked_at is null
    order by created_at desc, id desc offset ${kept})`.execute(tx)
}

interface Use {
  keyId: string
  businessId: string
  address: string
  at: Date
  /** Skips the write if any process recorded the same address after this time. */
  unlessSince: Date
}

export async function writeApiKeyUse(db: Db, { keyId, businessId, address, at, unlessSince }: Use): Promise<void> {
  await db
    .updateTable('api_key')
    .set({ last_used_at: at, last_used_from: address })
    .where('business_id', '=', businessId)
    .where('id', '=', keyId)
    .where((where) =>
      where.or([
        where('last_used_at', 'is', null),
        where('last_used_at', '<=', unlessSince),
        where('last_used_from', '!=', address),
      ]),
    )
    .execute()
}

/** A page that sent the key. */
export interface KeySighting {
  keyId: string
  businessId: string
  /** Origin of the page; `null` if the browser named none. */
  origin: string | null
  at: Date
  /** Skips the write if any process saw the key after this time. */
  unlessSince: Date
}

export async function writeKeySighting(
  db: Db,
  { keyId, businessId, origin, at, unlessSince }: KeySighting,
): Promise<void> {
  await db
    .updateTable('api_key')
    .set({ seen_in_page_at: at, seen_on_origin: origin })
    .where('business_id', '=', businessId)
    .where('id', '=', keyId)
    .where((where) => where.or([where('seen_in_page_at', 'is', null), where('seen_in_page_at', '<=', unlessSince)]))
    .execute()
}
