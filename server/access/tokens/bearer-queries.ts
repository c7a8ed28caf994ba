import { sql } from 'kysely'
import { BUSINESS_COLUMNS, businessFrom } from '../../businesses/business-queries.ts'
import type { Db } from '../../db/connection.ts'
import { canonicalAddresses } from '../shared/allowed-ip-queries.ts'
import type { Environment } from '../shared/context.ts'
import type { BearerToken } from './token.ts'
import { scopesOfToken, TOKEN_ROLES } from './token-scopes.ts'

/**
 * Finds everything that a call with an access token is checked against, in one round trip. Ignores revoked and expired
 * tokens, and those of other environments.
 */
export async function findBearerToken(
  db: Db,
  { hashes, environment, now }: { hashes: Buffer[]; environment: Environment; now: Date },
): Promise<BearerToken | null> {
  const row = await db
    .selectFrom('access_token as token')
    .innerJoin('oauth_family as family', (join) =>
      join.onRef('family.business_id', '=', 'token.business_id').onRef('family.id', '=', 'token.family_id'),
    )
    .innerJoin('business_member as member', (join) =>
      join.onRef('member.business_id', '=', 'family.business_id').onRef('member.user_id', '=', 'family.user_id'),
    )
    .innerJoin('oauth_client as client', 'client.id', 'family.client_id')
    .innerJoin('business', 'business.id', 'token.business_id')
    .select(BUSINESS_COLUMNS)
    .select(['token.expires_at', 'family.id as family_id', 'client.id as client_id', 'client.redirect_url'])
    .select([
      'member.role',
      'client.scopes as client_scopes',
      'family.scopes as family_scopes',
      'token.scopes as asked',
    ])
    .select(allowedIps(environment).as('allowed_ips'))
    .where('token.token_hash', 'in', hashes)
    .where('token.expires_at', '>', now)
    .where('token.revoked_at', 'is', null)
    .where('family.revoked_at', 'is', null)
    .where('client.revoked_at', 'is', null)
    .where('client.environment', '=', environment)
    .where('member.role', 'in', [...TOKEN_ROLES])
    .executeTakeFirst()
  if (!row) return null
  return {
    caller: {
      business: businessFrom(row),
      clientId: row.client_id,
      redirectUrl: row.redirect_url,
      redirectOrigin: new URL(row.redirect_url).origin,
      familyId: row.family_id,
      scopes: new Set(scopesOfToken({ ...row, environment })),
    },
    expiresAt: row.expires_at,
    allowedIps: new Set(canonicalAddresses(row.allowed_ips)),
  }
}

const allowedIps = (environment: Environment) =>
  sql<string[]>`array(select host(address) from allowed_ip
    where allowed_ip.business_id = token.business_id and allowed_ip.environment = ${environment})`
