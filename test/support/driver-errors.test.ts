import { deepEqual, equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isDriverError } from './driver-errors.ts'

const BROWSER = pathToFileURL(join(import.meta.dirname, 'browser.ts')).href
const CORE = '/srv/node_modules/playwright-core/lib/coreBundle.js'

/** A test that attaches the same frame twice with the browser's own messages. */
const TWICE = `const page = await browser.newPage()
const { _mainFrameSession: { _client, _targetId } } = page._connection.toImpl(page).delegate
const params = { frameId: 'twice', parentFrameId: _targetId }
for (const _ of [1, 2]) _client._onMessage({ method: 'Page.frameAttached', params })
await new Promise((resolve) => setTimeout(resolve, 50))
equal(page.frames().length, 2)`

describe('Errors of the driver of browsers', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rialto-driver-errors-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  /** Runs a test file whose only test has this body. */
  function run(body: string) {
    const file = join(folder, 'one.test.mjs')
    const lines = [
      "import { equal } from 'node:assert/strict'",
      "import { test } from 'node:test'",
      `import { launchBrowser } from '${BROWSER}'`,
      `test('passes', async () => {`,
      'await using browser = await launchBrowser()',
      body,
      '})',
    ]
    writeFileSync(file, lines.join('\n'))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    return spawnSync(process.execPath, ['--test', file], { env, encoding: 'utf8' })
  }

  test('what the driver throws in a handler of its own events fails no test, and is said', () => {
    const { status, stdout, stderr } = run(TWICE)
    equal(status, 0, stdout)
    match(
      stdout + stderr,
      /Ignored, of Playwright itself: Error: Assertion error\n.*\n\s+at FrameManager\.frameAttached/,
    )
  })

  test('a rejection of ours still fails', () => {
    const { status, stdout } = run(`Promise.reject(new Error('of ours'))\nawait new Promise(setImmediate)`)
    equal(status, 1)
    match(stdout, /of ours/)
  })

  test('only where no other code is in between', () => {
    const stacked = (...calls: string[]) =>
      Object.assign(new Error('any'), { stack: ['Error: any', ...calls.map((call) => `    at ${call}`)].join('\n') })
    const handler = [`FrameManager.frameAttached (${CORE}:1:1)`, '_CRSession.emit (node:events:514:28)']
    deepEqual(
      [
        stacked(...handler, `${CORE}:2:2`, 'process.processImmediate (node:internal/timers:541:9)'),
        stacked(...handler, 'ours (/srv/test/support/until.ts:1:1)'),
        stacked(handler[0] as string),
        'a text',
        undefined,
      ].map(isDriverError),
      [true, false, false, false, false],
    )
  })
})
