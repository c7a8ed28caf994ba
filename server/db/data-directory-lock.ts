import { closeSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long to wait for the lock: longer than a killed holder takes to exit, or a concurrent start takes to lock. */
const LOCK_WAIT_MS = 1_000
const SQLITE_BUSY = 5

/** References to the open files: garbage collection of a lock would close its file and release it. */
const held = new Set<DatabaseSync>()

export interface DataDirectoryLock {
  release(): void
}

/** Another process holds the lock of the data directory. */
export class DataDirectoryInUse extends Error {
  /** Pid of the holder; `null` when the holder has not written it yet. */
  readonly pid: number | null

  constructor(directory: string, pid: number | null) {
    const holder = pid === null ? 'another process' : `process ${pid}`
    super(`${directory} is already in use by ${holder}. Stop it first, or choose another data directory.`)
    this.name = 'DataDirectoryInUse'
    this.pid = pid
  }
}

/**
 * Locks a data directory for one service. The lock is an exclusive SQLite transaction on an empty file, because Node
 * has no API for file locks. The operating system releases it when the process ends for any reason, and unlike a pid
 * file it cannot be stale.
 *
 * @param directory must exist
 * @throws {DataDirectoryInUse} when another process holds it
 */
export function lockDataDirectory(directory: string): DataDirectoryLock {
  const real = realpathSync(directory)
  const path = join(real, 'rialto.lock')
  // SQLite would create the file world-readable, and a reader could hold the lock.
  closeSync(openSync(path, 'a', 0o600))
  const file = new DatabaseSync(path, { timeout: LOCK_WAIT_MS })
  try {
    file.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    file.close()
    throw isBusy(error) ? new DataDirectoryInUse(directory, readPid(real)) : error
  }
  held.add(file)
  writeFileSync(pidFile(real), `${process.pid}\n`, { mode: 0o600 })
  return { release: () => release(file) }
}

function release(file: DatabaseSync): void {
  if (held.delete(file)) file.close()
}

const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === SQLITE_BUSY

/**
 * Returns the path of the file with the pid, which only the error of a second start uses. The pid is not in the locked
 * file, because closing that would release the lock.
 */
const pidFile = (directory: string) => join(directory, 'rialto.pid')

function readPid(directory: string): number | null {
  try {
    return Number.parseInt(readFileSync(pidFile(directory), 'utf8'), 10) || null
  } catch {
    return null
  }
}
