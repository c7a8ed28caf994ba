import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBundle } from '../../server/server-bundle/find-bundle.ts'

const SOURCE = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

let program: string | undefined

/**
 * Returns the program that `npm start` runs: the bundle of the server, which starts in half of the CPU time and which a
 * run of all tests builds first; or the sources, if no bundle was built from them.
 */
export function serverProgram(): string {
  if (program === undefined) {
    const bundle = findBundle()
    program = bundle === null ? SOURCE : join(bundle, 'main.js')
  }
  return program
}
