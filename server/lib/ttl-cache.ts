import { createBoundedMap } from './bounded-map.ts'
import type { Clock } from './clock.ts'

export const KEPT_MS = 1_000

export interface TtlCache<Value> {
  get(key: string, load: () => Promise<Value | null>): Promise<Value | null>
  clear(): void
}

interface Entry<Value> {
  sinceMs: number
  value: Promise<Value | null>
}

/**
 * Caches what `load` returned for one second after the load began. `null` and errors are not cached. A caller that
 * arrives during a load shares its result.
 */
export function createTtlCache<Value>(clock: Pick<Clock, 'monotonicMs'>): TtlCache<Value> {
  const entries = createBoundedMap<Entry<Value>>()

  function keep(key: string, value: Promise<Value | null>, sinceMs: number): Promise<Value | null> {
    const forget = () => {
      if (entries.get(key)?.value === value) entries.delete(key)
    }
    value.then((found) => found ?? forget(), forget)
    entries.set(key, { sinceMs, value })
    return value
  }

  return {
    get(key, load) {
      const now = clock.monotonicMs()
      const entry = entries.get(key)
      return entry && now - entry.sinceMs < KEPT_MS ? entry.value : keep(key, load(), now)
    },
    clear: () => entries.clear(),
  }
}
