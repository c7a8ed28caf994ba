import { sql } from 'kysely'
import type { Role } from '../../../contract/permissions.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { canonicalAddress } from '../../http/client-address.ts'
import type { EndedIds } from '../shared/ended-ids.ts'
import type { RefreshToken } from './token.ts'
import { TOKEN_ROLES } from './token-scopes.ts'

// Tokens are found by their keyed hash, before the business is known. A token may be stored under the hash of any
// configured master key, so queries search for all of these.

export interface NewFamily {
  businessId: string
  id: string
  clientId: string
  userId: string
  /** Scopes of the family; `null` for all that the client and the person may use. */
  scopes: readonly string[] | null
  createdAt: Date
  expiresAt: Date
}

export async function insertFamily(tx: Tx, family: NewFamily): Promise<void> {
  await tx
    .insertInto('oauth_family')
    .values({
      business_id: family.businessId,
      id: family.id,
      client_id: family.clientId,
      user_id: family.userId,
      scopes: family.scopes && [...family.scopes],
      created_at: family.createdAt,
      expires_at: family.expiresAt,
    })
    .execute()
}

export interface NewTokens {
  businessId: string
  familyId: string
  accessHash: Buffer
  refreshHash: Buffer
  /** Scopes of the token; `null` for all of its family. */
  scopes: readonly string[] | null
  issuedAt: Date
  accessExpiresAt: Date
}

export async function insertTokens(tx: Tx, tokens: NewTokens): Promise<void> {
  const shared = { business_id: tokens.businessId, family_id: tokens.familyId, issued_at: tokens.issuedAt }
  await tx
    .insertInto('access_token')
    .values({
      ...shared,
      token_hash: tokens.accessHash,
      scopes: tokens.scopes && [...tokens.scopes],
      expires_at: tokens.accessExpiresAt,
    })
    .execute()
  await tx
    .insertInto('refresh_token')
    .values({ ...shared, token_hash: tokens.refreshHash })
    .execute()
}

export async function findRefreshToken(db: Db, hashes: Buffer[], now: Date): Promise<RefreshToken | null> {
  const row = await db
    .selectFrom('refresh_token as token')
    .innerJoin('oauth_family as family', (join) =>
      join.onRef('family.business_id', '=', 'token.business_id').onRef('family.id', '=', 'token.family_id'),
    )
    .leftJoin('business_member as member', (join) =>
      join.onRef('member.business_id', '=', 'family.business_id').onRef('member.user_id', '=', 'family.user_id'),
    )
    .select(['token.token_hash', 'token.business_id', 'token.family_id', 'token.used_at', 'token.used_from'])
    .select(['family.client_id', 'family.user_id', 'family.revoked_at', 'family.expires_at', 'family.scopes'])
    .select('member.role')
    .where('token.token_hash', 'in', hashes)
    .executeTakeFirst()
  if (!row) return null
  return {
    hash: row.token_hash,
    businessId: row.business_id,
    familyId: row.family_id,
    clientId: row.client_id,
    userId: row.user_id,
    scopes: row.scopes,
    role: row.role,
    usedAt: row.used_at,
    usedFrom: row.used_from === null ? null : canonicalAddress(row.used_from),
    ended: row.revoked_at !== null || row.expires_at <= now || !TOKEN_ROLES.includes(row.role as Role),
  }
}

/** @returns whether this call spent the token; of concurrent calls, one does */
export async function spendRefreshToken(
  tx: Tx,
  { hash, usedAt, usedFrom }: { hash: Buffer; usedAt: Date; usedFrom: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('refresh_token')
    .set({ used_at: usedAt, used_from: usedFrom })
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Revokes a family. Its access tokens end, too, because finding one checks its family. */
export async function revokeFamily(
  db: Db,
  { businessId, familyId, at }: { businessId: string; familyId: string; at: Date },
): Promise<void> {
  await db
    .updateTable('oauth_family')
    .set({ revoked_at: at })
    .where('business_id', '=', businessId)
    .where('id', '=', familyId)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function revokeFamilies(tx: Tx, { businessId, ids, at }: EndedIds): Promise<void> {
  await sql`update oauth_family set revoked_at = ${at}
    where business_id = ${businessId} and id = any(${ids}) and revoked_at is null`.execute(tx)
}

/** @returns how many families ended that had not ended before */
export async function revokeFamiliesOf(
  db: Db,
  { businessId, clientId, at }: { businessId: string; clientId: string; at: Date },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_family')
    .set({ revoked_at: at })
    .where('business_id', '=', businessId)
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Tokens that a client of a business can still use. */
export interface ClientTokens {
  clientId: string
  families: number
  /** When the newest token was issued. */
  lastIssuedAt: Date | null
}

/** Counts live families of the unrevoked clients of an environment. */
export async function countLiveFamilies(
  db: Db,
  { businessId, environment, now }: { businessId: string; environment: string; now: Date },
): Promise<ClientTokens[]> {
  const rows = await db
    .selectFrom('oauth_family as family')
    .innerJoin('oauth_client as client', 'client.id', 'family.client_id')
    .leftJoin('refresh_token as token', (join) =>
      join.onRef('token.business_id', '=', 'family.business_id').onRef('token.family_id', '=', 'family.id'),
    )
    .select(['family.client_id as clientId'])
    .select(({ fn }) => [
      fn.count<number>('family.id').distinct().as('families'),
      fn.max('token.issued_at').as('lastIssuedAt'),
    ])
    .where('family.business_id', '=', businessId)
    .where('client.environment', '=', environment)
    .where('client.revoked_at', 'is', null)
    .where('family.revoked_at', 'is', null)
    .where('family.expires_at', '>', now)
    .groupBy('family.client_id')
    .execute()
  return rows.map((row) => ({ ...row, families: Number(row.families) }))
}

export async function revokeAccessToken(
  db: Db,
  { hashes, clientId, at }: { hashes: Buffer[]; clientId: string; at: Date },
): Promise<void> {
  const familiesOfClient = db.selectFrom('oauth_family').select('id').where('client_id', '=', clientId)
  await db
    .updateTable('access_token')
    .set({ revoked_at: at })
    .where('token_hash', 'in', hashes)
    .where('family_id', 'in', familiesOfClient)
    .where('revoked_at', 'is', null)
    .execute()
}

/**
 * Deletes access tokens that expired before a time; they are refused with or without their rows. Refresh tokens are not
 * deleted, because reuse is detected by them.
 */
export async function deleteExpiredAccessTokens(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('access_token').where('expires_at', '<', before).execute()
}
