import { hash, timingSafeEqual } from 'node:crypto'
import { credentialHashes } from '../../lib/keyring.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { AccessContext } from '../shared/context.ts'
import type { WorkingKey } from './api-key.ts'
import { findWorkingKey } from './api-key-queries.ts'

/** The secret keys that are good now. One for each process: app.ts makes it. */
export interface ApiKeys {
  /** @param key well-formed, and of this environment */
  find(key: string): Promise<WorkingKey | null>
}

/**
 * Looks keys up. As with access tokens, what was found is kept for a second: **another process sees a revocation up to one
 * second late**, and the end of a rotation's overlap exactly unless the rotation itself is younger than that second.
 */
export function createApiKeys({ db, keyring, clock, environment }: AccessContext): ApiKeys {
  const cache = createTtlCache<WorkingKey>(clock)

  async function load(key: string): Promise<WorkingKey | null> {
    const hashes = credentialHashes(keyring, key)
    const found = await findWorkingKey(db, { hashes, environment, now: clock.now() })
    // An index compares byte by byte and may stop early; this tells nothing by its time (ATT-5).
    return found && hashes.some((candidate) => timingSafeEqual(candidate, found.hash)) ? found : null
  }

  return {
    async find(key) {
      // By a plain hash: cheaper than the keyed one, and no clear key outlives its request in memory.
      const found = await cache.get(hash('sha256', key), () => load(key))
      if (!found) return null
      return found.expiresAt === null || found.expiresAt > clock.now() ? found : null
    },
  }
}
