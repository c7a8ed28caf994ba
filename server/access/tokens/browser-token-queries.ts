import { sql } from 'kysely'
import type { Scope } from '../../../contract/scopes.ts'
import { BUSINESS_COLUMNS, businessFrom } from '../../businesses/business-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { Environment } from '../shared/context.ts'
import type { FoundBrowserToken, NewBrowserToken } from './browser-token.ts'
import { scopesOfToken } from './token-scopes.ts'

/** @returns whether the token was inserted; `false` if the business does not have the customer */
export async function insertBrowserToken(db: Db, token: NewBrowserToken): Promise<boolean> {
  const { rows } = await sql`
    insert into browser_token (token_hash, business_id, client_id, family_id, origin, uses_left, amount_max, customer_id, customer_email,
      expires_at, created_at)
    select ${token.token_hash}::bytea, ${token.business_id}::uuid, ${token.client_id}::uuid, ${token.family_id}::uuid,
      ${token.origin}::text, ${token.uses_left}::smallint, ${token.amount_max}::bigint, ${token.customer_id}::uuid, ${token.customer_email}::text,
      ${token.expires_at}::timestamptz, ${token.created_at}::timestamptz
    where ${token.customer_id}::uuid is null
      or exists (select from customer where business_id = ${token.business_id}::uuid and id = ${token.customer_id}::uuid)
    returning business_id`.execute(db)
  return rows.length > 0
}

/** Scopes of every browser token (ACC-21). */
const BROWSER_TOKEN_SCOPES: readonly Scope[] = ['checkout_sessions:write']

/** Finds a token that has not expired and has a use left, and whose family and client are not revoked. */
export async function findBrowserToken(
  db: Db,
  { hashes, environment, now }: { hashes: Buffer[]; environment: Environment; now: Date },
): Promise<FoundBrowserToken | null> {
  const row = await db
    .selectFrom('browser_token as token')
    .innerJoin('oauth_family as family', (join) =>
      join.onRef('family.business_id', '=', 'token.business_id').onRef('family.id', '=', 'token.family_id'),
    )
    .innerJoin('business_member as member', (join) =>
      join.onRef('member.business_id', '=', 'family.business_id').onRef('member.user_id', '=', 'family.user_id'),
    )
    .innerJoin('oauth_client as client', 'client.id', 'token.client_id')
    .innerJoin('business', 'business.id', 'token.business_id')
    .select(BUSINESS_COLUMNS)
    .select(['member.role', 'client.scopes as client_scopes', 'family.id as family_id'])
    .select(['token.token_hash', 'token.origin', 'token.amount_max', 'token.customer_id', 'token.customer_email'])
    .select(['client.id as client_id', 'client.redirect_url'])
    .where('token.token_hash', 'in', hashes)
    .where('token.expires_at', '>', now)
    .where('token.uses_left', '>', 0)
    .where('family.revoked_at', 'is', null)
    .where('family.expires_at', '>', now)
    .where('client.revoked_at', 'is', null)
    .where('client.environment', '=', environment)
    .executeTakeFirst()
  if (!row) return null
  return {
    caller: {
      business: businessFrom(row),
      clientId: row.client_id,
      redirectUrl: row.redirect_url,
      redirectOrigin: new URL(row.redirect_url).origin,
      familyId: row.family_id,
      scopes: new Set(scopesOfToken({ ...row, asked: BROWSER_TOKEN_SCOPES, environment })),
    },
    hash: row.token_hash,
    origin: row.origin,
    amountMax: row.amount_max,
    customer:
      row.customer_id === null && row.customer_email === null
        ? null
        : { id: row.customer_id, email: row.customer_email },
  }
}

/** Takes one use. One statement checks and counts, so parallel uses cannot exceed the limit. */
export async function useBrowserToken(db: Db, hash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('browser_token')
    .set((row) => ({ uses_left: row('uses_left', '-', 1) }))
    .where('token_hash', '=', hash)
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns a use that created no session. */
export async function returnBrowserTokenUse(db: Db, hash: Buffer): Promise<void> {
  await db
    .updateTable('browser_token')
    .set((row) => ({ uses_left: row('uses_left', '+', 1) }))
    .where('token_hash', '=', hash)
    .execute()
}

/** Returns the origins whose pages may create sessions of this business, for preflights. */
export async function findClientOrigins(db: Db, businessId: string): Promise<string[]> {
  const clients = await db
    .selectFrom('oauth_client')
    .select('redirect_url')
    .where('business_id', '=', businessId)
    .where('revoked_at', 'is', null)
    .execute()
  return clients.map(({ redirect_url: url }) => new URL(url).origin)
}

export async function deleteExpiredBrowserTokens(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('browser_token').where('expires_at', '<', before).execute()
}
