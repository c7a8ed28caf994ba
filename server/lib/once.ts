/**
 * Makes a value when it is first asked for, and keeps it. Who asks meanwhile waits for the same one. What could not be made
 * is not kept: the next one who asks tries again.
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
