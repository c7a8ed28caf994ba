interface Begun {
  begunCalls?: Record<string, Promise<Response | null> | undefined>
}

/**
 * The response to a call that `begin.ts` sent while the program was loaded.
 *
 * @returns `null` when it sent none, or when there was no response; after the first time
 */
export async function takeBegun(path: string): Promise<Response | null> {
  const { begunCalls = {} } = globalThis as Begun
  const response = begunCalls[path]
  delete begunCalls[path]
  return (await response) ?? null
}
