import type { FastifyBaseLogger } from 'fastify'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'

const RECORDED_EVERY_SECONDS = 60

/** Records the last use of each credential or address, which people check before they remove it. */
export interface UseRecorder<Use> {
  /** Records a use, and returns at once. No request waits for the write or fails with it. */
  record(use: Use): void
  /** Resolves when the writes under way are done. */
  flushed(): Promise<void>
}

interface Recording<Use> {
  /** Name, for the log, of what was not recorded. */
  what: string
  nameOf(use: Use): string
  /** @param unlessSince skips the write if any process recorded the same use after this time */
  write(use: Use & { at: Date; unlessSince: Date }): Promise<void>
}

/**
 * Creates a recorder that writes at most once a minute for each name, so a crash loses no more than a minute of uses.
 */
export function createUseRecorder<Use extends object>(
  { clock, log }: { clock: Clock; log: FastifyBaseLogger },
  { what, nameOf, write }: Recording<Use>,
): UseRecorder<Use> {
  // A dropped entry causes one write too many, which is harmless.
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
    record(use) {
      if (!isDue(nameOf(use))) return
      const at = clock.now()
      const unlessSince = addSeconds(at, -RECORDED_EVERY_SECONDS)
      const written = write({ ...use, at, unlessSince })
        .catch((error: unknown) => log.warn({ err: error, use: nameOf(use) }, `last use of ${what} not recorded`))
        .finally(() => writing.delete(written))
      writing.add(written)
    },
    flushed: async () => void (await Promise.all(writing)),
  }
}
