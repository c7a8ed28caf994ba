/** As many as a process can keep without feeling it. */
const RECENT_ENTRIES_MAX = 10_000

export interface RecentMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

/** A map that forgets the entry written longest ago when it is full, so that callers cannot fill the memory with keys. */
export function createRecentMap<Value>(entriesMax = RECENT_ENTRIES_MAX): RecentMap<Value> {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    delete: (key) => void entries.delete(key),
    set(key, value) {
      // A map keeps the order in which its keys were set.
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= entriesMax) return
      const [oldest] = entries.keys()
      if (oldest !== undefined) entries.delete(oldest)
    },
  }
}
