import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Gives back what only the start needed: measured, 40 MB of 170. V8 would keep it until the heap grows again, which at rest it
 * does not. It takes about a tenth of a second, so it is done before the service takes requests.
 */
export function releaseStartMemory(): void {
  // Also what the next start need not compile again: a process that is killed would not write it.
  flushCompileCache()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: string; flavor: string }) => void
  collect({ type: 'major', flavor: 'last-resort' })
  setFlagsFromString('--no-expose-gc')
}
