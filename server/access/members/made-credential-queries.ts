import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Environment } from '../shared/context.ts'
import type { MadeCredential } from './made-credential.ts'

/** What a person made in a business and what works, in every environment. */
export async function listMadeCredentials(
  db: Db,
  { businessId, userId, email, now }: { businessId: string; userId: string; email: string; now: Date },
): Promise<MadeCredential[]> {
  const keys = await db
    .selectFrom('api_key')
    .select(['id', 'name', 'last_four as lastFour', 'scopes', 'environment'])
    .where('business_id', '=', businessId)
    .where('created_by', '=', email)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('name')
    .orderBy('id')
    .execute()
  const clients = await db
    .selectFrom('oauth_client')
    .select(['id', 'name', 'scopes', 'environment'])
    .where('business_id', '=', businessId)
    .where('created_by', '=', email)
    .where('revoked_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const families = await db
    .selectFrom('oauth_family as family')
    .innerJoin('oauth_client as client', 'client.id', 'family.client_id')
    .select(['family.id', 'client.name', 'client.scopes', 'client.environment'])
    .where('family.business_id', '=', businessId)
    .where('family.user_id', '=', userId)
    .where('family.revoked_at', 'is', null)
    .where('family.expires_at', '>', now)
    .where('client.revoked_at', 'is', null)
    .orderBy('client.name')
    .orderBy('family.id')
    .execute()
  return [
    ...keys.map((row) => ({ ...row, type: 'api_key' as const, environment: row.environment as Environment })),
    ...clients.map((row) => ({ ...ofClient(row), type: 'oauth_client' as const })),
    ...families.map((row) => ({ ...ofClient(row), type: 'oauth_family' as const })),
  ]
}

const ofClient = <Row extends { environment: string }>(row: Row) => ({
  ...row,
  lastFour: null,
  environment: row.environment as Environment,
})

const TYPES: readonly MadeCredential['type'][] = ['api_key', 'oauth_client', 'oauth_family']

/** Ends them now: a client with all its tokens. */
export async function endCredentials(
  tx: Tx,
  { businessId, ended, at }: { businessId: string; ended: readonly MadeCredential[]; at: Date },
): Promise<void> {
  for (const type of TYPES) {
    const ids = ended.filter((one) => one.type === type).map(({ id }) => id)
    if (ids.length === 0) continue
    await tx
      .updateTable(type)
      .set({ revoked_at: at })
      .where('business_id', '=', businessId)
      .where('id', 'in', ids)
      .where('revoked_at', 'is', null)
      .execute()
  }
}
