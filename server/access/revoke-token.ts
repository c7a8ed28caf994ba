import { ApiError } from '../lib/errors.ts'
import { credentialHashes } from '../lib/keyring.ts'
import { authenticateClient } from './clients/client-credentials.ts'
import type { AccessContext } from './shared/context.ts'
import type { BearerTokens } from './tokens/bearer-tokens.ts'
import { findRefreshToken, revokeAccessToken, revokeFamily } from './tokens/token-queries.ts'

export interface Revocation {
  token: string
  clientId: string
  clientSecret: string
}

/**
 * Revokes a token. A refresh token ends with its family, including all access tokens; an access token ends alone.
 * Unknown tokens and those of another client have no effect and are not an error, because the caller cannot use them in
 * either case.
 *
 * @throws ApiError `invalid_client`
 * @see ACC-11; RFC 7009
 */
export async function revokeToken(
  { bearerTokens, ...context }: AccessContext & { bearerTokens: BearerTokens },
  { token: secret, clientId, clientSecret }: Revocation,
): Promise<void> {
  const client = await authenticateClient(context, { clientId, clientSecret })
  if (!client) throw new ApiError('invalid_client', { message: 'The client id or the client secret is wrong' })
  const { db, keyring, clock } = context
  const hashes = credentialHashes(keyring, secret)
  const at = clock.now()
  const refreshToken = await findRefreshToken(db, hashes, at)
  if (!refreshToken) await revokeAccessToken(db, { hashes, clientId, at })
  else if (refreshToken.clientId === clientId) await revokeFamily(db, { ...refreshToken, at })
  bearerTokens.forgetAll()
}
