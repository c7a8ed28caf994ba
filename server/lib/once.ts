/**
 * Makes a value on the first call and stores it. Concurrent calls share the same promise. A failure is not stored: the
 * next call tries again.
 */
export function once<Value>(make: () => Value | Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= Promise.try(make).catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
