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

  test('runs each file once, and closes what it has opened before the next', () => {
    const { status, notes, left } = run(['a', 'bb', 'ccc'].map(hooked), 3)
    equal(status, 0)
    const each = (name: string) => [`${name} before`, name, `${name} after`]
    deepEqual(notes, ['ccc', 'bb', 'a'].flatMap(each))
    deepEqual(left, [])
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

  test('names the files that take the most processor time, with the programs that they start', () => {
    const busy = (us: number) => `const from = process.cpuUsage(); while (process.cpuUsage(from).user < ${us});`
    const inside = `${START}test('is busy', () => { ${busy(300_000)} })`
    const outside = `${START}import { spawnSync } from 'node:child_process'
test('starts a busy program', () => { spawnSync(process.execPath, ['-e', '${busy(900_000)}']) })`
    const { times } = run([hooked('short'), inside, outside], 3)
    const [{ file, tests } = { file: '', tests: 0 }] = times
    equal(file.replace(folder, ''), process.platform === 'linux' ? '/2.test.mjs' : '/1.test.mjs')
    ok(tests > 0.3, String(tests))
  })

  test('counts browsers for the file that has closed them', () => {
    const support = new URL('../test/support/run-notes.ts', import.meta.url)
    const closes = `${START}import { note as noteOfRun } from '${support}'
test('closes', () => noteOfRun('browser 1.5'))`
    const { status, times } = run([closes, hooked('short')], 2)
    equal(status, 0)
    deepEqual(times.map(({ file, browsers }) => [file.replace(folder, ''), browsers]).sort(), [
      ['/0.test.mjs', 1.5],
      ['/1.test.mjs', 0],
    ])
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
    const killed = run([`${START}test('ends', () => process.kill(process.pid, 'SIGKILL'))`], 1)
    match(killed.crashes.join(), /^part-01\.mjs: was killed\n {2}It ran \S+\/0\.test\.mjs$/)
    for (const [end, noted] of [
      ['throw new Error("too late")', 'uncaughtException'],
      ['Promise.reject(new Error("too late"))', 'unhandledRejection'],
    ]) {
      const late = `${START}after(() => void setTimeout(() => { ${end} }, 20))\ntest('passes', () => {})`
      match(run([late], 1).crashes.join(), new RegExp(`^part-01\\.mjs: exit \\d+\\n {2}${noted}: Error: too late`))
    }
    deepEqual(run([hooked('good')], 1).crashes, [])
  })
})
