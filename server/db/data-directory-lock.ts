import { closeSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Long enough for two starts at the same instant to decide which came first, and for a killed process to be cleared away. */
const CONTENTION_MS = 1_000
const SQLITE_BUSY = 5

/** An open lock nobody refers to would be collected as garbage, and so opened. */
const held = new Set<DatabaseSync>()

export interface DataDirectoryLock {
  release(): void
}

/** The second service on one data directory. */
export class DataDirectoryInUse extends Error {
  /** `null` when the holder has not written it yet. */
  readonly pid: number | null

  constructor(directory: string, pid: number | null) {
    const holder = pid === null ? 'another process' : `the process ${pid}`
    super(`${directory} is already in use by ${holder}. Stop it first, or choose another data directory.`)
    this.name = 'DataDirectoryInUse'
    this.pid = pid
  }
}

/**
 * One service per data directory. The lock is the operating system's own on an (empty) SQLite file, because Node has no
 * other way to a file lock: it is atomic, it ends with its process however that dies, and no pid can be mistaken.
 *
 * @param directory must exist
 * @throws {DataDirectoryInUse} when another process holds it
 */
export function lockDataDirectory(directory: string): DataDirectoryLock {
  const real = realpathSync(directory)
  const path = join(real, 'rialto.lock')
  // SQLite would make it for all to read, and a reader can hold it against us.
  closeSync(openSync(path, 'a', 0o600))
  const file = new DatabaseSync(path, { timeout: CONTENTION_MS })
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

/** Only for the message of the second start: reading the locked file itself would end the lock when it is closed. */
const pidFile = (directory: string) => join(directory, 'rialto.pid')

function readPid(directory: string): number | null {
  try {
    return Number.parseInt(readFileSync(pidFile(directory), 'utf8'), 10) || null
  } catch {
    return null
  }
}
