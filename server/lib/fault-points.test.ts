import { equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { noFaults } from './fault-points.ts'

const MODULE = new URL('./fault-points.ts', import.meta.url).href

/** A process that dies at `fatal` goes through two places and has a handler for everything. */
function runWith(fatal: string) {
  const program = `
    import { killAt } from ${JSON.stringify(MODULE)}
    process.on('exit', () => console.log('flushed'))
    const faults = killAt(${JSON.stringify(fatal)})
    faults.reach('before:intent_commit'); console.log('first')
    faults.reach('after:intent_commit'); console.log('second')`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8', timeout: 20_000 })
}

test('the process dies at the named place as in a power failure', () => {
  const { signal, stdout } = runWith('after:intent_commit')
  equal(signal, 'SIGKILL')
  equal(stdout.trim(), 'first')
})

test('a place that is not reached has no effect', () => {
  const { status, stdout } = runWith('after:result_commit')
  equal(status, 0)
  match(stdout, /second\s+flushed/)
})

test('without a fault every place is passed', () => {
  equal(noFaults.reach('before:intent_commit'), undefined)
})
