import { deepEqual, equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { VARIABLES } from '../server/config-variables.ts'

const SCRIPT = fileURLToPath(new URL('./ensure-installed.mjs', import.meta.url))

const OTHER_SYSTEM = { version: '1.0.0', optional: true, os: [process.platform === 'win32' ? 'linux' : 'win32'] }
const LOCK = { packages: { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': OTHER_SYSTEM } }

// Replaces npm, which needs a registry: writes the record that npm writes, slowly, and logs each call.
const NPM = `
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs')
  appendFileSync('npm-calls', process.argv[2] + ' ')
  writeFileSync('npm-environment', Object.keys(process.env).join())
  if (process.argv.includes('ci') && require('node:fs').existsSync('offline')) { console.error('no network'); process.exit(1) }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  mkdirSync('node_modules', { recursive: true })
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }))`

let project: string

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'rialto install-'))
  mkdirSync(join(project, 'scripts'))
  copyFileSync(SCRIPT, join(project, 'scripts/ensure-installed.mjs'))
  writeFileSync(join(project, 'npm.cjs'), NPM)
  lock(LOCK)
})

afterEach(() => rmSync(project, { recursive: true }))

const lock = (content: unknown) => writeFileSync(join(project, 'package-lock.json'), JSON.stringify(content))
const npmCalls = () => (existsSync(join(project, 'npm-calls')) ? readFileSync(join(project, 'npm-calls'), 'utf8') : '')

async function ensureInstalled(more: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const env = { ...more, npm_execpath: join(project, 'npm.cjs'), npm_node_execpath: process.execPath }
  const child = spawn(process.execPath, ['scripts/ensure-installed.mjs'], { cwd: project, env })
  let output = ''
  child.stderr.on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  return { code, output }
}

describe('Before npm start and npm test', () => {
  test('a fresh clone is installed, once', async () => {
    equal((await ensureInstalled()).code, 0)
    equal((await ensureInstalled()).code, 0)
    equal(npmCalls(), 'ci ')
  })

  test('install scripts of packages do not see our secrets', async () => {
    const secrets = VARIABLES.filter(({ isSecret }) => isSecret).map(({ name }) => name)
    await ensureInstalled({ ...Object.fromEntries(secrets.map((name) => [name, 'x'])), PORT: '4000' })
    const seen = readFileSync(join(project, 'npm-environment'), 'utf8').split(',')
    deepEqual(
      [...secrets, 'PORT'].filter((name) => seen.includes(name)),
      ['PORT'],
    )
  })

  test('two concurrent starts install once', async () => {
    const both = await Promise.all([ensureInstalled(), ensureInstalled()])
    equal(both.map(({ code }) => code).join(), '0,0')
    equal(npmCalls(), 'ci ')
  })

  test('packages that npm install has updated are not installed again', async () => {
    mkdirSync(join(project, 'node_modules'))
    const record = { packages: { 'node_modules/a': { version: '1.0.0' } } }
    writeFileSync(join(project, 'node_modules/.package-lock.json'), JSON.stringify(record))
    await ensureInstalled()
    equal(npmCalls(), '')
  })

  test('a changed lock file causes a new installation', async () => {
    await ensureInstalled()
    lock({ packages: { ...LOCK.packages, 'node_modules/c': { version: '2.0.0' } } })
    await ensureInstalled()
    equal(npmCalls(), 'ci ci ')
  })

  test('a killed installation does not block the next one', async () => {
    mkdirSync(join(project, 'build'))
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(ended, 'exit')
    writeFileSync(join(project, 'build/install.lock'), String(ended.pid))
    equal((await ensureInstalled()).code, 0)
    equal(npmCalls(), 'ci ')
  })

  test('a failure is printed and stops the start', async () => {
    writeFileSync(join(project, 'offline'), '')
    const { code, output } = await ensureInstalled()
    equal(code, 1)
    match(output, /no network\nnpm ci failed/)
  })
})
