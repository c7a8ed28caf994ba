import { deepEqual, equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isDriverError } from './driver-errors.ts'

const IGNORE = pathToFileURL(join(import.meta.dirname, 'driver-errors.ts')).href
const CORE = '/srv/node_modules/playwright-core/lib/coreBundle.js'
/** The calls of a handler of the driver's own events, as they stand in the stack of its error. */
const HANDLER = [`FrameManager.frameAttached (${CORE}:1:1)`, '_CRSession.emit (node:events:514:28)']

const stackOf = (...calls: string[]) => ['Error: any', ...calls.map((call) => `    at ${call}`)].join('\n')

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
      "import { test } from 'node:test'",
      `import { ignoreDriverErrors } from '${IGNORE}'`,
      `test('passes', async () => {`,
      'ignoreDriverErrors()',
      body,
      'await new Promise(setImmediate)',
      '})',
    ]
    writeFileSync(file, lines.join('\n'))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    return spawnSync(process.execPath, ['--test', file], { env, encoding: 'utf8' })
  }

  test('what the driver throws in a handler of its own events fails no test, and is said', () => {
    const stack = stackOf(...HANDLER)
    const { status, stdout, stderr } = run(
      `Promise.reject(Object.assign(new Error('any'), { stack: ${JSON.stringify(stack)} }))`,
    )
    equal(status, 0, stdout)
    match(stdout + stderr, /Ignored, of Playwright itself: Error: any\n\s+at FrameManager\.frameAttached/)
  })

  test('a rejection of ours still fails', () => {
    const { status, stdout } = run(`Promise.reject(new Error('of ours'))`)
    equal(status, 1)
    match(stdout, /of ours/)
  })

  test('only where no other code is in between', () => {
    const stacked = (...calls: string[]) => Object.assign(new Error('any'), { stack: stackOf(...calls) })
    deepEqual(
      [
        stacked(...HANDLER, `${CORE}:2:2`, 'process.processImmediate (node:internal/timers:541:9)'),
        stacked(...HANDLER, 'ours (/srv/test/support/until.ts:1:1)'),
        stacked(HANDLER[0] as string),
        'a text',
        undefined,
      ].map(isDriverError),
      [true, false, false, false, false],
    )
  })
})
