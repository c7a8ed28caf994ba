import OAuth2Server, { type PasswordModel, type RefreshTokenModel } from '@node-oauth/oauth2-server'
import type { Scope } from '../../contract/scopes.ts'
import { transaction } from '../db/transaction.ts'
import type { RateLimiter } from '../http/rate-limit.ts'
import { ApiError } from '../lib/errors.ts'
import type { Client } from './clients/client.ts'
import { authenticateClient } from './clients/client-credentials.ts'
import { signInWithPassword } from './people/password-grant.ts'
import { startFamily } from './tokens/issue-tokens.ts'
import {
  endIfReused,
  presentedRefreshToken,
  type RefreshContext,
  rotateRefreshToken,
} from './tokens/refresh-token-grant.ts'
import { newSecret, type RefreshToken, type TokenPair } from './tokens/token.ts'
import { requireGrantable, scopesOfToken } from './tokens/token-scopes.ts'

export type GrantContext = RefreshContext & { userNameLimiter: RateLimiter }

/** Owner of the tokens; for a refresh, also the refresh token that is spent. */
interface Owner {
  userId: string
  role: string
  spends?: RefreshToken
}

/** The library's client object, which contains ours. */
interface KnownClient {
  id: string
  grants: string[]
  client: Client
}

/** What a token request contains in addition to its credentials. */
export interface Asked {
  /** Canonical address of the caller. */
  ip: string
  /** Requested scopes; `null` for all. */
  scopes: readonly Scope[] | null
}

/**
 * Returns the callbacks of the OAuth library for one request. The library keeps RFC 6749's order of checks; the grants
 * are in files of their own.
 */
export function oauthModel(context: GrantContext, asked: Asked): PasswordModel & RefreshTokenModel {
  let known: Client | null = null
  return {
    async getClient(clientId, clientSecret) {
      known = await authenticateClient(context, { clientId, clientSecret })
      const grants = known?.passwordGrant ? ['refresh_token', 'password'] : ['refresh_token']
      return known && { id: known.id, grants, client: known }
    },
    async getUser(username, password, { client }) {
      return (await signInWithPassword(context, { client, username, password })) ?? false
    },
    async getRefreshToken(secret) {
      const token = await presentedRefreshToken(context, secret)
      if (!token) return null
      if (token.clientId !== known?.id) await endIfReused(context, secret, asked.ip)
      const user: Owner = { userId: token.userId, role: token.role ?? '', spends: token }
      return { refreshToken: secret, client: { id: token.clientId, grants: [] }, user }
    },
    /** Does nothing, because `saveToken` spends the token in the transaction that stores the new pair. */
    revokeToken: async () => true,
    generateAccessToken: async () => newSecret('rc_at_'),
    generateRefreshToken: async () => newSecret('rc_rt_'),
    async saveToken({ accessToken, refreshToken = '' }, client, user) {
      const pair = { accessToken, refreshToken }
      await storePair(context, asked, { pair, client: (client as KnownClient).client, owner: user as Owner })
      return { ...pair, client, user }
    },
    /** The library's types require it, but bearer.ts checks access tokens. */
    getAccessToken: async () => null,
  }
}

async function storePair(
  context: GrantContext,
  { ip, scopes }: Asked,
  { pair, client, owner }: { pair: TokenPair; client: Client; owner: Owner },
): Promise<void> {
  const { userId, role, spends } = owner
  const { environment } = context
  const granted = { client_scopes: client.scopes, role, environment, family_scopes: spends?.scopes ?? null }
  requireGrantable(scopes, scopesOfToken(granted))
  if (!spends) {
    const family = { pair, businessId: client.businessId, clientId: client.id, userId, scopes }
    return transaction(context.db, (tx) => startFamily({ ...context, db: tx }, family))
  }
  const rotation = await rotateRefreshToken(context, { token: spends, pair, scopes, ip })
  if (rotation === 'other_worker') throw refreshedByAnother()
  if (rotation === 'ended') throw new OAuth2Server.InvalidGrantError('The refresh token was used before')
}

/** Refuses the slower of two workers of one server that share a refresh token, and says where the new token is. */
const refreshedByAnother = () =>
  new ApiError('invalid_grant', {
    message:
      'Another worker of your server has refreshed with this token already. Take the tokens that it has stored: let one process refresh and all read from one place.',
  })
