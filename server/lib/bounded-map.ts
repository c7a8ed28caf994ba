/** A process can keep this many entries without noticing. */
export const ENTRIES_MAX = 10_000

export interface BoundedMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  clear(): void
}

/** A map that drops the entry written longest ago when it is full, so that callers cannot fill the memory with keys. */
export function createBoundedMap<Value>(entriesMax = ENTRIES_MAX): BoundedMap<Value> {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    set(key, value) {
      // A Map iterates in the order in which its keys were set.
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= entriesMax) return
      const [oldest] = entries.keys()
      if (oldest !== undefined) entries.delete(oldest)
    },
  }
}
