import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeTestQueue } from './test-queue.ts'

const START = `import { after, before, test } from 'node:test'
import { appendFileSync } from 'node:fs'
const note = (text) => appendFileSync(new URL('notes', import.meta.url), text + '\\n')
`
const hooked = (name: string) => `${START}before(() => note('${name} before'))
after(() => note('${name} after'))
test('${name} runs', () => note('${name}'))`

describe('The queue of test files', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rialto-queue-test-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  /**
   * Runs files with this content.
   *
   * @returns the exit code, the report, the notes of the files, the files that were not run and the crashes
   */
  function run(contents: string[], filesPerProcess: number) {
    const files = contents.map((content, index) => {
      const file = join(folder, `${index}.test.mjs`)
      writeFileSync(file, content)
      return file
    })
    writeFileSync(join(folder, 'notes'), '')
    const queue = makeTestQueue(files, filesPerProcess)
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { status, stdout } = spawnSync(process.execPath, ['--test', ...queue.reporters, ...queue.parts], {
      env: { ...env, ...queue.env, RIALTO_TEST_QUEUE_END_MS: '100' },
      encoding: 'utf8',
    })
    const left = queue.left().map((file) => file.replace(folder, ''))
    const crashes = queue.crashes()
    const times = queue.times()
    const failed = queue.failed().map((file) => file.replace(folder, ''))
    queue.delete()
    return {
      status,
      stdout,
      left,
      crashes,
      times,
      failed,
      notes: readFileSync(join(folder, 'notes'), 'utf8').trim().split('\n'),
    }
  }

  test('runs each file once, and closes what it has opened before the next; the time of each is known', () => {
    const busy = (us: number) => `const from = process.cpuUsage(); while (process.cpuUsage(from).user < ${us});`
    const inside = `${START}test('is busy', () => { ${busy(200_000)} })`
    const outside = `${START}import { spawnSync } from 'node:child_process'
test('starts a busy program', () => { spawnSync(process.execPath, ['-e', '${busy(500_000)}']) })`
    const support = new URL('../test/support/run-notes.ts', import.meta.url)
    const closes = `${START}import { note as noteOfRun } from '${support}'
test('closes', () => noteOfRun('browser 99.5'))`
    const { status, notes, left, crashes, times } = run([...['a', 'bb', 'ccc'].map(hooked), inside, outside, closes], 6)
    equal(status, 0)
    const each = (name: string) => [`${name} before`, name, `${name} after`]
    deepEqual(notes, ['ccc', 'bb', 'a'].flatMap(each))
    deepEqual([left, crashes], [[], []])
    // The longest is first: a browser counts for the file that has closed it, a program for the one that started it.
    const [withBrowser, { file, tests } = { file: '', tests: 0 }] = times
    equal(withBrowser?.file.replace(folder, ''), '/5.test.mjs')
    equal(file.replace(folder, ''), process.platform === 'linux' ? '/4.test.mjs' : '/3.test.mjs')
    ok(tests > 0.15, String(tests))
    deepEqual(times.map(({ file: one, browsers }) => [one.replace(folder, ''), browsers]).sort(), [
      ...[0, 1, 2, 3, 4].map((index) => [`/${index}.test.mjs`, 0]),
      ['/5.test.mjs', 99.5],
    ])
  })

  test('several processes share it', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const { status, notes, left } = run(
      names.map((name) => `${START}test('runs', () => note('${name}'))`),
      2,
    )
    equal(status, 0)
    deepEqual(notes.sort(), names)
    deepEqual(left, [])
  })

  test('fails with the name of a test that fails, or of a file that cannot be imported, and runs the others', () => {
    const failing = `${START}test('breaks', () => { throw new Error('as it should') })`
    const { status, stdout, notes, left, failed } = run([failing, 'import "./missing.mjs"', hooked('good')], 3)
    equal(status, 1)
    deepEqual(failed.sort(), ['/0.test.mjs', '/1.test.mjs'])
    match(stdout, /✖ breaks/)
    match(stdout, /✖ \S+1\.test\.mjs/)
    deepEqual(notes, ['good before', 'good', 'good after'])
    deepEqual(left, [])
  })

  test('names the files that nothing has run after a process ended too early', () => {
    const { status, left } = run([`${START}test('ends', () => process.exit(0))${' '.repeat(500)}`, hooked('late')], 2)
    deepEqual([status === 0, left], [true, ['/1.test.mjs']])
  })

  test('fails when a file leaves something open, instead of running forever', () => {
    const opens = `${START}test('opens', () => void setInterval(() => {}, 1_000))`
    const { status, stdout, crashes } = run([opens], 1)
    equal(status, 1)
    match(stdout, /left open: .*Timeout/)
    match(crashes.join(), /^part-01\.mjs: exit 1\n {2}A test file left open: .*\n {2}It ran \S+\/0\.test\.mjs$/)
  })

  test('says how a process ended that was killed, or that an error of no test ended', () => {
    const killed = `${START}test('ends', () => process.kill(process.pid, 'SIGKILL'))`
    const late = ['throw new Error("too late")', 'Promise.reject(new Error("too late"))'].map(
      (end) => `${START}after(() => void setTimeout(() => { ${end} }, 20))\ntest('passes', () => {})`,
    )
    // A process for each file.
    const { crashes } = run([killed, ...late], 1)
    equal(crashes.length, 3)
    for (const end of [
      /^part-\d+\.mjs: was killed\n {2}It ran \S+\/0\.test\.mjs$/,
      /^part-\d+\.mjs: exit \d+\n {2}uncaughtException: Error: too late[\s\S]*It ran \S+\/1\.test\.mjs$/,
      /^part-\d+\.mjs: exit \d+\n {2}unhandledRejection: Error: too late[\s\S]*It ran \S+\/2\.test\.mjs$/,
    ])
      ok(
        crashes.some((text) => end.test(text)),
        `${end} in ${crashes}`,
      )
  })
})
