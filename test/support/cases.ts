/** Runs a case of a table that one test walks, and names the case in the message of an error. */
export async function inCase<T>(name: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}
