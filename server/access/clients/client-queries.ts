import { sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Environment } from '../shared/context.ts'
import type { Client } from './client.ts'

const COLUMNS = [
  'id',
  'business_id as businessId',
  'name',
  'redirect_url as redirectUrl',
  'environment',
  'password_grant as passwordGrant',
  'created_at as createdAt',
  'revoked_at as revokedAt',
] as const

/** Ignores revoked clients and those of another environment. */
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
  return row ? { ...row, environment } : null
}

export async function listClients(db: Db, businessId: string, environment: Environment): Promise<Client[]> {
  const rows = await db
    .selectFrom('oauth_client')
    .select(COLUMNS)
    .where('business_id', '=', businessId)
    .where('environment', '=', environment)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, environment }))
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
      created_at: client.createdAt,
      revoked_at: client.revokedAt,
    })
    .execute()
}

/** @returns whether there was such a client that was not revoked yet; its tokens end with it */
export async function markClientRevoked(
  db: Db,
  { id, environment, at }: { id: string; environment: Environment; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_client')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('environment', '=', environment)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Revokes all but the newest `kept` clients of one name. Their tokens end with them. */
export async function revokeOldClients(
  tx: Tx,
  { businessId, name, kept, at }: { businessId: string; name: string; kept: number; at: Date },
): Promise<void> {
  await sql`update oauth_client set revoked_at = ${at} where business_id = ${businessId} and id in (
    select id from oauth_client where business_id = ${businessId} and name = ${name} and revoked_at is null
    order by created_at desc, id desc offset ${kept})`.execute(tx)
}
