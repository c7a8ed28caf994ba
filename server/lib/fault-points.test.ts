import { equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { noFaults } from './fault-points.ts'

const MODULE = new URL('./fault-points.ts', import.meta.url).href

/** Runs a process that dies at `fatal`. It passes two places and has a handler for everything. */
function runWith(fatal: string, meanwhile = '') {
  const program = `
    import { writeFileSync } from 'node:fs'
    import { killAt } from ${JSON.stringify(MODULE)}
    process.on('exit', () => console.log('flushed'))
    const faults = killAt(${JSON.stringify(fatal)})
    faults.reach('before:intent_commit'); console.log('first')
    ${meanwhile}
    faults.reach('after:intent_commit'); console.log('second')`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8', timeout: 20_000 })
}

test('the process dies at the named place as in a power failure', () => {
  const { signal, stdout } = runWith('after:intent_commit')
  equal(signal, 'SIGKILL')
  equal(stdout.trim(), 'first')
})

test('a file may name the place, and may change while the process runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-fault-'))
  const file = join(folder, 'fault')
  const write = (text: string) => `writeFileSync(${JSON.stringify(file)}, '${text}')`
  try {
    writeFileSync(file, '')
    equal(runWith(`file:${file}`, write('after:intent_commit')).signal, 'SIGKILL')
    equal(runWith(`file:${file}`, write('')).status, 0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a place that is not reached has no effect', () => {
  const { status, stdout } = runWith('after:result_commit')
  equal(status, 0)
  match(stdout, /second\s+flushed/)
})

test('without a fault every place is passed', () => {
  equal(noFaults.reach('before:intent_commit'), undefined)
})
