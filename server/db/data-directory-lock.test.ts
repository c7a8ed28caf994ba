import { equal, match, throws } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { DataDirectoryInUse, lockDataDirectory } from './data-directory-lock.ts'

const MODULE = new URL('./data-directory-lock.ts', import.meta.url).href

/** Starts a process that tries to lock the directory, prints `locked` or the error, and runs until it is killed. */
async function otherProcess(directory: string): Promise<{ process: ChildProcess; output: string }> {
  const code = `
    import { lockDataDirectory } from ${JSON.stringify(MODULE)}
    try { lockDataDirectory(process.argv[1]); console.log('locked') } catch (error) { console.log(error.message) }
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [output] = await once(child.stdout, 'data')
  return { process: child, output: String(output).trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('One service per data directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rialto lock-'))
  after(() => rmSync(directory, { recursive: true }))

  test('a second start is refused with the pid of the first', async () => {
    const first = await otherProcess(directory)
    equal(first.output, 'locked')

    throws(() => lockDataDirectory(directory), { name: DataDirectoryInUse.name, pid: first.process.pid })

    await kill(first.process)
  })

  test('the lock of a killed process is released at once', async () => {
    const killed = await otherProcess(directory)
    await kill(killed.process)

    lockDataDirectory(directory).release()
  })

  test('a lock without references is held until release', async () => {
    const lock = lockDataDirectory(directory)
    const refused = await otherProcess(directory)
    match(refused.output, new RegExp(`already in use by process ${process.pid}`))
    await kill(refused.process)

    lock.release()
    const next = await otherProcess(directory)
    equal(next.output, 'locked')
    await kill(next.process)
  })

  test('of several concurrent starts exactly one gets the lock', async () => {
    const starts = await Promise.all(Array.from({ length: 4 }, () => otherProcess(directory)))
    equal(starts.filter(({ output }) => output === 'locked').length, 1)
    await Promise.all(starts.map((start) => kill(start.process)))
  })
})
