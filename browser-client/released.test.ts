import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { filesToRelease, integrityOf, RELEASED } from '../scripts/release-client-library.ts'
import packageJson from './package.json' with { type: 'json' }

const run = promisify(execFile)
const ADVICE = 'raise the version in browser-client/package.json and version.ts, then npm run client:release'

describe('released files of the client library', () => {
  test('each is what its integrity.json says, on which tags in shops rely', async () => {
    const versions = await readdir(RELEASED)
    ok(versions.includes('1.0.0'))
    for (const version of versions) {
      const folder = join(RELEASED, version)
      deepEqual((await readdir(folder)).sort(), ['integrity.json', 'rapid.js', 'rialto-checkout.js'])
      const hashes: Record<string, string> = JSON.parse(await readFile(join(folder, 'integrity.json'), 'utf8'))
      for (const [name, integrity] of Object.entries(hashes)) {
        equal(integrityOf(await readFile(join(folder, name))), integrity, `${version}/${name}`)
      }
    }
  })

  test('none was changed, moved or removed since it was committed', async () => {
    const root = join(import.meta.dirname, '..')
    // A source archive does not contain a history to compare with.
    if (!existsSync(join(root, '.git'))) return
    const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()
    const only = ['--diff-filter=MDT', '--no-renames']
    equal(await git('log', '--format=', '--name-status', '-m', ...only, '--', RELEASED), '', 'in a commit')
    equal(await git('diff', '--name-status', ...only, 'HEAD', '--', RELEASED), '', 'in the working tree')
  })

  test('what is built now is what was released under its version, or the version is not released yet', async () => {
    const folder = join(RELEASED, packageJson.version)
    if (!existsSync(folder)) return
    for (const [name, text] of Object.entries(await filesToRelease())) {
      equal(
        integrityOf(text),
        integrityOf(await readFile(join(folder, name))),
        `${name} is not the released one: ${ADVICE}`,
      )
    }
  })
})
