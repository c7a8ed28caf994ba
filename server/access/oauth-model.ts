import OAuth2Server, { type PasswordModel, type RefreshTokenModel } from '@node-oauth/oauth2-server'
import { transaction } from '../db/transaction.ts'
import type { RateLimiter } from '../http/rate-limit.ts'
import type { Client } from './clients/client.ts'
import { authenticateClient } from './clients/client-credentials.ts'
import { signInWithPassword } from './people/password-grant.ts'
import { startFamily } from './tokens/issue-tokens.ts'
import { presentedRefreshToken, type RefreshContext, rotateRefreshToken } from './tokens/refresh-token-grant.ts'
import { newSecret, type RefreshToken, type TokenPair } from './tokens/token.ts'

export type GrantContext = RefreshContext & { userNameLimiter: RateLimiter }

/** Whom the tokens are for; for a refresh, also the refresh token that is spent. */
interface Owner {
  userId: string
  spends?: RefreshToken
}

/** The library's client object, which carries ours. */
interface KnownClient {
  id: string
  grants: string[]
  client: Client
}

/**
 * The callbacks of the OAuth library for one request. The library keeps RFC 6749's order of checks; the grants have
 * files of their own.
 */
export function oauthModel(context: GrantContext, { ip }: { ip: string }): PasswordModel & RefreshTokenModel {
  return {
    async getClient(clientId, clientSecret) {
      const client = await authenticateClient(context, { clientId, clientSecret })
      const grants = client?.passwordGrant ? ['refresh_token', 'password'] : ['refresh_token']
      return client && { id: client.id, grants, client }
    },
    async getUser(username, password, { client }) {
      const userId = await signInWithPassword(context, { client, username, password })
      return userId !== null && { userId }
    },
    async getRefreshToken(secret) {
      const token = await presentedRefreshToken(context, secret)
      if (!token) return null
      const user: Owner = { userId: token.userId, spends: token }
      return { refreshToken: secret, client: { id: token.clientId, grants: [] }, user }
    },
    /** `saveToken` spends the token in the transaction that stores the new pair. */
    revokeToken: async () => true,
    generateAccessToken: async () => newSecret('rc_at_'),
    generateRefreshToken: async () => newSecret('rc_rt_'),
    async saveToken({ accessToken, refreshToken = '' }, client, user) {
      const pair = { accessToken, refreshToken }
      await storePair(context, { pair, client: (client as KnownClient).client, owner: user as Owner, ip })
      return { ...pair, client, user }
    },
    /** Required by the library's types only; bearer.ts checks access tokens. */
    getAccessToken: async () => null,
  }
}

async function storePair(
  context: GrantContext,
  { pair, client, owner, ip }: { pair: TokenPair; client: Client; owner: Owner; ip: string },
): Promise<void> {
  const { userId, spends } = owner
  if (!spends) {
    const { id: clientId, businessId } = client
    return transaction(context.db, (tx) => startFamily({ ...context, db: tx }, { pair, businessId, clientId, userId }))
  }
  if (!(await rotateRefreshToken(context, { token: spends, pair, ip }))) {
    throw new OAuth2Server.InvalidGrantError('The refresh token was used before')
  }
}
