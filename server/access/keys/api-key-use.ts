import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/connection.ts'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { writeApiKeyUse } from './api-key-queries.ts'

const RECORDED_EVERY_SECONDS = 60

/** Records the last use of each key and its address, which an operator looks at before revoking the key. */
export interface ApiKeyUse {
  /** Returns at once. No request waits for the write or fails with it. */
  record(use: { keyId: string; businessId: string; address: string }): void
  /** Resolves when the writes under way are done. */
  flushed(): Promise<void>
}

/** Writes once a minute for each key and address, so a crash loses a minute of uses at most. */
export function createApiKeyUse({ db, clock, log }: { db: Db; clock: Clock; log: FastifyBaseLogger }): ApiKeyUse {
  // An entry that was dropped causes one write too many, which does no harm.
  const recordedAtMs = createBoundedMap<number>()
  const writing = new Set<Promise<void>>()

  function isDue(name: string): boolean {
    const now = clock.monotonicMs()
    const last = recordedAtMs.get(name)
    if (last !== undefined && now - last < RECORDED_EVERY_SECONDS * 1000) return false
    recordedAtMs.set(name, now)
    return true
  }

  return {
    record({ keyId, businessId, address }) {
      if (!isDue(`${keyId} ${address}`)) return
      const at = clock.now()
      const unlessSince = addSeconds(at, -RECORDED_EVERY_SECONDS)
      const write = writeApiKeyUse(db, { keyId, businessId, address, at, unlessSince })
        .catch((error: unknown) => log.warn({ err: error, keyId }, 'last use of a secret key not recorded'))
        .finally(() => writing.delete(write))
      writing.add(write)
    },
    flushed: async () => void (await Promise.all(writing)),
  }
}
