import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildBrowserBundles } from '../server/browser-bundle/build.ts'

// npm run client:release: stores the current build under the version of browser-client/package.json. A released file
// never changes: shops name its hash in their pages, and browsers there would refuse a changed one.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const RELEASED = join(ROOT, 'browser-client', 'released')
const NAMES = ['rialto-checkout', 'rapid']

/** Returns the files of a release, built from the current sources: both scripts, and their hashes for `integrity`. */
export async function filesToRelease(): Promise<Record<string, string>> {
  await buildBrowserBundles({ checksBudgets: true })
  const scripts = await Promise.all(NAMES.map(async (name) => [`${name}.js`, await readBuilt(name)] as const))
  const hashes = Object.fromEntries(scripts.map(([name, code]) => [name, integrityOf(code)]))
  return { ...Object.fromEntries(scripts), 'integrity.json': `${JSON.stringify(hashes, null, 2)}\n` }
}

export function integrityOf(code: string | Buffer): string {
  return `sha384-${createHash('sha384').update(code).digest('base64')}`
}

async function readBuilt(name: string): Promise<string> {
  const folder = join(ROOT, 'build', 'browser-client', name)
  const { script } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  return readFile(join(folder, script.file), 'utf8')
}

/**
 * Stores the release.
 *
 * @throws if the version has already been released
 */
async function release(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'browser-client', 'package.json'), 'utf8'))
  const folder = join(RELEASED, version)
  const files = await filesToRelease()
  await mkdir(folder).catch(() => {
    throw new Error(
      `Version ${version} has been released and cannot change. Raise the version in package.json and version.ts.`,
    )
  })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

if (import.meta.main) {
  console.log(`Released. Commit ${await release()}`)
}
