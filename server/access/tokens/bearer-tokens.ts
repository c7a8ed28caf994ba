import { hash } from 'node:crypto'
import { credentialHashes } from '../../lib/keyring.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { AccessContext } from '../shared/context.ts'
import { findBearerToken } from './bearer-queries.ts'
import { type BearerToken, looksLikeAccessToken } from './token.ts'

/** The access tokens that are good now. One for each process: app.ts makes it. */
export interface BearerTokens {
  find(secret: string): Promise<BearerToken | null>
  /** After a revocation, or a change of a business, a client or an allowed address, in this process. */
  forgetAll(): void
}

/**
 * Looks tokens up, at thousands a second. What was found is kept for a second, so **another process sees a revocation, and
 * a change of settings or allowed addresses, up to one second late**; this one at once, by `forgetAll`. Expiry is always
 * exact. What was not found is not kept.
 */
export function createBearerTokens({ db, keyring, clock, environment }: AccessContext): BearerTokens {
  const cache = createTtlCache<BearerToken>(clock)
  const load = (secret: string) =>
    findBearerToken(db, { hashes: credentialHashes(keyring, secret), environment, now: clock.now() })
  return {
    async find(secret) {
      if (!looksLikeAccessToken(secret)) return null
      // By a plain hash: cheaper than the keyed one, and no clear token outlives its request in memory.
      const token = await cache.get(hash('sha256', secret), () => load(secret))
      return token && token.expiresAt > clock.now() ? token : null
    },
    forgetAll: () => cache.clear(),
  }
}
