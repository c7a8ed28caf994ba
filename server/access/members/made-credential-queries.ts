import type { Db } from '../../db/connection.ts'
import type { Environment } from '../shared/context.ts'

/** A credential that a person has made and a server can use: a secret key, a client, or the tokens of a sign-in. */
export interface MadeCredential {
  type: 'api_key' | 'oauth_client' | 'oauth_family'
  id: string
  /** Name of the key or client; for tokens, of their client. */
  name: string
  /** Last four characters of a key; `null` for others. */
  lastFour: string | null
  scopes: string[]
  environment: Environment
}

/** Lists the working credentials that a person made in a business, in every environment. */
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
