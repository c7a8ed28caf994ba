interface Begun {
  begunCalls?: Record<string, Promise<Response | null> | undefined>
}

/**
 * Returns the response to a call that `begin.ts` sent while the program was loading.
 *
 * @returns `null` if it sent none, if there was no response, or if the response was already taken
 */
export async function takeBegun(path: string): Promise<Response | null> {
  const { begunCalls = {} } = globalThis as Begun
  const response = begunCalls[path]
  delete begunCalls[path]
  return (await response) ?? null
}
