import { hash, timingSafeEqual } from 'node:crypto'
import { credentialHashes } from '../../lib/keyring.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { AccessContext } from '../shared/context.ts'
import type { WorkingKey } from './api-key.ts'
import { findWorkingKey } from './api-key-queries.ts'

/** Looks up valid secret keys. There is one in each process; app.ts creates it. */
export interface ApiKeys {
  /** @param key a well-formed key of this environment */
  find(key: string): Promise<WorkingKey | null>
  /** Forgets all keys of this process. Call it after a change of a business that must take effect at once. */
  forgetAll(): void
}

/**
 * Creates the look-up. As with access tokens, it caches a found key for a second. **Another process notices a
 * revocation up to one second late**; the end of a rotation's overlap is exact unless the rotation is younger than that
 * second.
 */
export function createApiKeys({ db, keyring, clock, environment }: AccessContext): ApiKeys {
  const cache = createTtlCache<WorkingKey>(clock)

  async function load(key: string): Promise<WorkingKey | null> {
    const hashes = credentialHashes(keyring, key)
    const found = await findWorkingKey(db, { hashes, environment, now: clock.now() })
    // An index may stop comparing early; this comparison takes constant time (ATT-5).
    return found && hashes.some((candidate) => timingSafeEqual(candidate, found.hash)) ? found : null
  }

  return {
    async find(key) {
      // A plain hash is cheaper than the keyed one, and keeps the clear key out of the cache.
      const found = await cache.get(hash('sha256', key), () => load(key))
      if (!found) return null
      return found.expiresAt === null || found.expiresAt > clock.now() ? found : null
    },
    forgetAll: () => cache.clear(),
  }
}
