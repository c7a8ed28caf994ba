import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Finds the bundle that build-bundle.ts made of the server. This runs before everything else at each start, so it
// imports nothing else of Rialto.

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const BUNDLES = join(ROOT, 'build', 'server')

/** File that determines the versions of all packages. scripts/ensure-installed.mjs keeps `node_modules` the same. */
export const LOCK_FILE = 'package-lock.json'

export interface BundleManifest {
  /** Name of the folder below `BUNDLES`. */
  folder: string
  /** All files of this repository that the bundle depends on. */
  sources: string[]
  /** `hashFiles(sources)` at the time of the build. */
  builtFrom: string
}

/** @returns the folder of the bundle; `null` if there is none, or a source has changed since */
export function findBundle(): string | null {
  const manifest = readBundleManifest()
  if (!manifest) return null
  try {
    return hashFiles(manifest.sources) === manifest.builtFrom ? join(BUNDLES, manifest.folder) : null
  } catch {
    // A source was removed.
    return null
  }
}

export function readBundleManifest(): BundleManifest | null {
  try {
    return JSON.parse(readFileSync(join(BUNDLES, 'manifest.json'), 'utf8'))
  } catch {
    return null
  }
}

/** Hashes files by content, because file times survive neither a checkout nor an image. */
export function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}
