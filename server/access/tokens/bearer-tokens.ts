import { hash } from 'node:crypto'
import { credentialHashes } from '../../lib/keyring.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { AccessContext } from '../shared/context.ts'
import { findBearerToken } from './bearer-queries.ts'
import { type BearerToken, looksLikeAccessToken } from './token.ts'

/** Looks up valid access tokens. There is one in each process; app.ts creates it. */
export interface BearerTokens {
  find(secret: string): Promise<BearerToken | null>
  /**
   * Forgets all tokens of this process. Call it after a revocation, or a change of a business, a client or an allowed
   * address.
   */
  forgetAll(): void
}

/**
 * Creates the look-up. It caches a found token for a second, so that thousands of calls a second are cheap. **Another
 * process therefore notices a revocation, and a change of settings or allowed addresses, up to one second late**; this
 * one notices at once, by `forgetAll`. Expiry is always exact. Unknown tokens are not cached.
 */
export function createBearerTokens({ db, keyring, clock, environment }: AccessContext): BearerTokens {
  const cache = createTtlCache<BearerToken>(clock)
  const load = (secret: string) =>
    findBearerToken(db, { hashes: credentialHashes(keyring, secret), environment, now: clock.now() })
  return {
    async find(secret) {
      if (!looksLikeAccessToken(secret)) return null
      // A plain hash is cheaper than the keyed one, and keeps the clear token out of the cache.
      const token = await cache.get(hash('sha256', secret), () => load(secret))
      return token && token.expiresAt > clock.now() ? token : null
    },
    forgetAll: () => cache.clear(),
  }
}
