import type { AllowedIp, ApiKeyObject, OAuthClient, Refusal } from '../../../contract/dashboard/credentials-api.ts'
import type { Client } from '../../access/clients/client.ts'
import { type ApiKey, keyPrefix } from '../../access/keys/api-key.ts'
import type { ClientTokens } from '../../access/tokens/token-queries.ts'
import { addSeconds, epochSeconds } from '../../lib/clock.ts'
import type { RefusedRequest } from '../refused-request.ts'
import { versionOf } from '../version.ts'

const DAY_SECONDS = 86_400

/** Whether a key was used within a day. To revoke such a key, a person has to type its name. */
export const isInUse = ({ lastUsedAt }: ApiKey, now: Date): boolean =>
  lastUsedAt !== null && lastUsedAt > addSeconds(now, -DAY_SECONDS)

const orNull = (instant: Date | null) => instant && epochSeconds(instant)

export function apiKeyObject(key: ApiKey, now: Date): ApiKeyObject {
  return {
    id: key.id,
    object: 'api_key',
    name: key.name,
    prefix: keyPrefix(key.environment),
    last_four: key.lastFour,
    allowed_ips: key.allowedIps,
    scopes: key.scopes,
    status: statusOf(key, now),
    created: epochSeconds(key.createdAt),
    created_by: key.createdBy,
    last_used_at: orNull(key.lastUsedAt),
    last_used_from: key.lastUsedFrom,
    expires_at: orNull(key.expiresAt),
    revoked_at: orNull(key.revokedAt),
    view: { is_in_use: isInUse(key, now) },
  }
}

function statusOf({ revokedAt, expiresAt }: ApiKey, now: Date): ApiKeyObject['status'] {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'active'
  return expiresAt > now ? 'rotated' : 'expired'
}

export function clientObject(client: Client, tokens?: ClientTokens): OAuthClient {
  const { id, name, redirectUrl, passwordGrant, skipsSecondFactor, scopes, createdAt, revokedAt, refreshReuse } = client
  const grants = { password_grant: passwordGrant, skips_second_factor: skipsSecondFactor }
  const editable = { name, redirect_url: redirectUrl, ...grants, scopes }
  return {
    id,
    object: 'oauth_client',
    ...editable,
    origin: new URL(redirectUrl).origin,
    status: revokedAt === null ? 'active' : 'revoked',
    created: epochSeconds(createdAt),
    created_by: client.createdBy,
    revoked_at: orNull(revokedAt),
    version: versionOf(editable),
    view: {
      families: tokens?.families ?? 0,
      last_token_at: orNull(tokens?.lastIssuedAt ?? null),
      refresh_reuse: refreshReuse && { ...refreshReuse, at: epochSeconds(refreshReuse.at) },
    },
  }
}

export const allowedIpObject = (row: { address: string; createdAt: Date; lastSeenAt: Date | null }): AllowedIp => ({
  object: 'allowed_ip',
  address: row.address,
  created: epochSeconds(row.createdAt),
  last_seen_at: orNull(row.lastSeenAt),
})

/** @param meaning explanation of the code, for people */
export const refusalObject = (
  row: RefusedRequest & { credentialName: string | null },
  meaning: string | null,
): Refusal => ({
  id: row.id,
  object: 'refusal',
  created: epochSeconds(row.createdAt),
  method: row.method,
  path: row.path,
  status: row.status,
  code: row.code,
  param: row.param,
  credential_kind: row.credentialKind,
  credential_id: row.credentialId,
  ip: row.ip,
  request_id: row.requestId,
  view: { credential_name: row.credentialName, meaning },
})
