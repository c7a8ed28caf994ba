import { sql } from 'kysely'
import { scopesWithin } from '../../../contract/scopes.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Environment } from '../shared/context.ts'
import type { EndedIds } from '../shared/ended-ids.ts'
import type { RefreshReuse } from '../tokens/token.ts'
import type { Client } from './client.ts'

const COLUMNS = [
  'id',
  'business_id as businessId',
  'name',
  'redirect_url as redirectUrl',
  'environment',
  'password_grant as passwordGrant',
  'skips_second_factor as skipsSecondFactor',
  'scopes',
  'created_by as createdBy',
  'refresh_reused_at as reusedAt',
  'refresh_reused_from as reusedFrom',
  'refresh_reuse_ended as reuseEnded',
  'created_at as createdAt',
  'revoked_at as revokedAt',
] as const

type Row = Omit<Client, 'environment' | 'scopes' | 'refreshReuse'> & {
  scopes: string[]
  reusedAt: Date | null
  reusedFrom: string | null
  reuseEnded: boolean | null
}

function clientFrom({ scopes, reusedAt, reusedFrom, reuseEnded, ...row }: Row, environment: Environment): Client {
  const refreshReuse = reusedAt && { at: reusedAt, from: reusedFrom ?? 'unknown', ended: reuseEnded === true }
  return { ...row, environment, scopes: scopesWithin(scopes), refreshReuse }
}

/** Finds a client, unless it is revoked or of another environment. */
export async function findLiveClient(
  db: Db,
  { id, environment }: { id: string; environment: Environment },
): Promise<(Client & { secretHash: Buffer }) | null> {
  const row = await db
    .selectFrom('oauth_client')
    .select([...COLUMNS, 'secret_hash as secretHash'])
    .where('id', '=', id)
    .where('environment', '=', environment)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { secretHash, ...client } = row
  return { ...clientFrom(client, environment), secretHash }
}

export async function listClients(db: Db, businessId: string, environment: Environment): Promise<Client[]> {
  const rows = await db
    .selectFrom('oauth_client')
    .select(COLUMNS)
    .where('business_id', '=', businessId)
    .where('environment', '=', environment)
    .orderBy('id')
    .execute()
  return rows.map((row) => clientFrom(row, environment))
}

/** Finds a client, even a revoked one. With `forUpdate`, locks it until the end of the transaction. */
export async function findClientOf(
  db: Db,
  { id, businessId, environment }: { id: string; businessId: string; environment: Environment },
  { forUpdate = false } = {},
): Promise<Client | null> {
  const query = db
    .selectFrom('oauth_client')
    .select(COLUMNS)
    .where('business_id', '=', businessId)
    .where('id', '=', id)
    .where('environment', '=', environment)
  const row = await (forUpdate ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row ? clientFrom(row, environment) : null
}

/** Writes the changeable members of a locked client. */
export async function updateClient(tx: Tx, client: Client): Promise<void> {
  const { id, name, redirectUrl, passwordGrant, skipsSecondFactor, scopes } = client
  await tx
    .updateTable('oauth_client')
    .set({
      name,
      redirect_url: redirectUrl,
      password_grant: passwordGrant,
      skips_second_factor: skipsSecondFactor,
      scopes,
    })
    .where('id', '=', id)
    .execute()
}

export async function updateClientSecret(
  tx: Tx,
  { id, secretHash, createdBy }: { id: string; secretHash: Buffer; createdBy: string | null },
): Promise<void> {
  await tx
    .updateTable('oauth_client')
    .set({ secret_hash: secretHash, created_by: createdBy })
    .where('id', '=', id)
    .execute()
}

/** Records at the client that a refresh token was reused, for its page in the dashboard. */
export async function writeRefreshReuse(db: Db, { id, at, from, ended }: RefreshReuse & { id: string }): Promise<void> {
  await db
    .updateTable('oauth_client')
    .set({ refresh_reused_at: at, refresh_reused_from: from, refresh_reuse_ended: ended })
    .where('id', '=', id)
    .execute()
}

/** Revokes clients. Their tokens end with them. */
export async function revokeClients(tx: Tx, { businessId, ids, at }: EndedIds): Promise<void> {
  await sql`update oauth_client set revoked_at = ${at}
    where business_id = ${businessId} and id = any(${ids}) and revoked_at is null`.execute(tx)
}

/** A page that sent an access token of the client. */
export interface ClientSighting {
  id: string
  /** Origin of the page; `null` if the browser named none. */
  origin: string | null
  at: Date
  /** Skips the write if any process saw the client after this time. */
  unlessSince: Date
}

export async function writeClientSighting(db: Db, { id, origin, at, unlessSince }: ClientSighting): Promise<void> {
  await db
    .updateTable('oauth_client')
    .set({ seen_in_page_at: at, seen_on_origin: origin })
    .where('id', '=', id)
    .where((where) => where.or([where('seen_in_page_at', 'is', null), where('seen_in_page_at', '<=', unlessSince)]))
    .execute()
}

/** Forgets the sighting of a locked client whose tokens end. */
export async function forgetClientSighting(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('oauth_client')
    .set({ seen_in_page_at: null, seen_on_origin: null })
    .where('id', '=', id)
    .execute()
}

export async function insertClient(tx: Tx, { secretHash, ...client }: Client & { secretHash: Buffer }): Promise<void> {
  await tx
    .insertInto('oauth_client')
    .values({
      id: client.id,
      business_id: client.businessId,
      name: client.name,
      secret_hash: secretHash,
      redirect_url: client.redirectUrl,
      environment: client.environment,
      password_grant: client.passwordGrant,
      skips_second_factor: client.skipsSecondFactor,
      scopes: client.scopes,
      created_by: client.createdBy,
      created_at: client.createdAt,
      revoked_at: client.revokedAt,
    })
    .execute()
}

/**
 * Revokes a client, and thereby ends its tokens.
 *
 * @returns the client; `null` if there is no such client, or it is already revoked
 */
export async function markClientRevoked(
  db: Db,
  { id, environment, at }: { id: string; environment: Environment; at: Date },
): Promise<Client | null> {
  const row = await db
    .updateTable('oauth_client')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('environment', '=', environment)
    .where('revoked_at', 'is', null)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ? clientFrom(row, environment) : null
}

/** Revokes all but the newest `kept` clients of a name. Their tokens end with them. */
export async function revokeOldClients(
  tx: Tx,
  { businessId, name, kept, at }: { businessId: string; name: string; kept: number; at: Date },
): Promise<void> {
  await sql`update oauth_client set revoked_at = ${at} where business_id = ${businessId} and id in (
    select id from oauth_client where business_id = ${businessId} and name = ${name} and revoked_at is null
    order by created_at desc, id desc offset ${kept})`.execute(tx)
}
