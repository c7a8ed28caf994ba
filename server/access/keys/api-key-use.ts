import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/connection.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { writeApiKeyUse } from './api-key-queries.ts'

const NOTED_EVERY_SECONDS = 60
const USES_MAX = 10_000

/** Who used a key last, and from where: what the operator looks at before a key is revoked. */
export interface ApiKeyUse {
  /** Returns at once: no request waits for it, none fails with it. */
  note(use: { keyId: string; businessId: string; address: string }): void
  /** Once the writes under way are done. */
  flushed(): Promise<void>
}

/** Writes a use down once a minute for each key and address. What is lost when the process dies is a minute old at the most. */
export function createApiKeyUse({ db, clock, log }: { db: Db; clock: Clock; log: FastifyBaseLogger }): ApiKeyUse {
  const notedMs = new Map<string, number>()
  const writing = new Set<Promise<void>>()

  function isDue(name: string): boolean {
    const now = clock.monotonicMs()
    const last = notedMs.get(name)
    if (last !== undefined && now - last < NOTED_EVERY_SECONDS * 1000) return false
    // Forgotten ones are written once more, no harm done.
    if (notedMs.size >= USES_MAX) notedMs.clear()
    notedMs.set(name, now)
    return true
  }

  return {
    note({ keyId, businessId, address }) {
      if (!isDue(`${keyId} ${address}`)) return
      const at = clock.now()
      const write = writeApiKeyUse(db, {
        keyId,
        businessId,
        address,
        at,
        unlessSince: addSeconds(at, -NOTED_EVERY_SECONDS),
      })
        .catch((error: unknown) => log.warn({ err: error, keyId }, 'the last use of a secret key was not written down'))
        .finally(() => writing.delete(write))
      writing.add(write)
    },
    flushed: async () => void (await Promise.all(writing)),
  }
}
