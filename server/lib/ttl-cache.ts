import type { Clock } from './clock.ts'

export const KEPT_MS = 1_000
export const ENTRIES_MAX = 10_000

export interface TtlCache<Value> {
  get(key: string, load: () => Promise<Value | null>): Promise<Value | null>
  clear(): void
}

interface Entry<Value> {
  since: number
  value: Promise<Value | null>
}

/**
 * Remembers what `load` found for one second from when it was asked. `null` and errors are not remembered; who asks while a
 * load is under way waits for the same one.
 */
export function createTtlCache<Value>(clock: Pick<Clock, 'monotonicMs'>): TtlCache<Value> {
  const entries = new Map<string, Entry<Value>>()

  function keep(key: string, value: Promise<Value | null>, since: number): Promise<Value | null> {
    const forget = () => {
      if (entries.get(key)?.value === value) entries.delete(key)
    }
    value.then((found) => found ?? forget(), forget)
    entries.delete(key)
    entries.set(key, { since, value })
    dropOldest(entries)
    return value
  }

  return {
    get(key, load) {
      const now = clock.monotonicMs()
      const entry = entries.get(key)
      return entry && now - entry.since < KEPT_MS ? entry.value : keep(key, load(), now)
    },
    clear: () => entries.clear(),
  }
}

/** A map keeps the order in which its keys were set. */
function dropOldest(entries: Map<string, unknown>): void {
  if (entries.size <= ENTRIES_MAX) return
  for (const [oldest] of entries) {
    entries.delete(oldest)
    return
  }
}
