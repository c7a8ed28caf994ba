import { equal, match, throws } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { DataDirectoryInUse, lockDataDirectory } from './data-directory-lock.ts'

const MODULE = new URL('./data-directory-lock.ts', import.meta.url).href

/** Another process that tries the lock, says `locked` or why not, and stays until it is killed. */
async function otherProcess(directory: string): Promise<{ process: ChildProcess; said: string }> {
  const code = `
    import { lockDataDirectory } from ${JSON.stringify(MODULE)}
    try { lockDataDirectory(process.argv[1]); console.log('locked') } catch (error) { console.log(error.message) }
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  return { process: child, said: String(said).trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('One service per data directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rialto lock-'))
  after(() => rmSync(directory, { recursive: true }))

  test('the second start says who has it', async () => {
    const first = await otherProcess(directory)
    equal(first.said, 'locked')

    throws(() => lockDataDirectory(directory), { name: DataDirectoryInUse.name, pid: first.process.pid })

    await kill(first.process)
  })

  test('what a killed process held is free at once', async () => {
    const killed = await otherProcess(directory)
    await kill(killed.process)

    lockDataDirectory(directory).release()
  })

  test('it is kept though nobody refers to it, and given back by release', async () => {
    const lock = lockDataDirectory(directory)
    const refused = await otherProcess(directory)
    match(refused.said, new RegExp(`already in use by the process ${process.pid}`))
    await kill(refused.process)

    lock.release()
    const next = await otherProcess(directory)
    equal(next.said, 'locked')
    await kill(next.process)
  })

  test('of several at the same instant exactly one has it', async () => {
    const starts = await Promise.all(Array.from({ length: 4 }, () => otherProcess(directory)))
    equal(starts.filter(({ said }) => said === 'locked').length, 1)
    await Promise.all(starts.map((start) => kill(start.process)))
  })
})
