/** Number of entries that a process can hold without noticing. */
export const ENTRIES_MAX = 10_000

export interface BoundedMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  clear(): void
}

/** Creates a map that drops its oldest entry when it is full, so that callers cannot fill the memory with keys. */
export function createBoundedMap<Value>(entriesMax = ENTRIES_MAX): BoundedMap<Value> {
  const entries = new Map<string, Value>()
  // A Map iterates in the order in which its keys were set. The iterator is reused: a new one would first pass the
  // places of all deleted keys, which took 12 us for each set (measured).
  const keys = entries.keys()
  return {
    get: (key) => entries.get(key),
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= entriesMax) return
      const { value: oldest } = keys.next()
      if (oldest !== undefined) entries.delete(oldest)
    },
  }
}
