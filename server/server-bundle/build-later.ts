import { fileURLToPath } from 'node:url'
import { type Builder, type BuilderLog, startBuilder } from '../browser-bundle/builder-process.ts'
import { findBundle } from './find-bundle.ts'

const PROGRAM = fileURLToPath(new URL('build-bundle.ts', import.meta.url))
/** Delay after a start, which has enough to do. */
const DELAY_MS = 10_000
/** Memory that a machine must have: a build takes 800 MB. With less, it keeps running the sources. */
const MEMORY_NEEDED_BYTES = 1.5 * 2 ** 30

/**
 * Builds the server's bundle for the next start, if this one found none and the machine has the memory. Production
 * never builds (DSH-24).
 *
 * @returns a function that ends the build
 */
export function buildBundleLater(environment: 'staging' | 'production', log: BuilderLog): () => void {
  if (environment === 'production') return () => {}
  let builder: Builder | null = null
  const timer = setTimeout(() => {
    if (findBundle() === null && process.availableMemory() > MEMORY_NEEDED_BYTES)
      builder = startBuilder("the server's bundle", PROGRAM, log)
  }, DELAY_MS).unref()
  return () => {
    clearTimeout(timer)
    builder?.stop()
  }
}
