import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A checkpoint on a slow disk takes its time; what is cut off here is made good by recovery at the next start. */
const FAST_SHUTDOWN_MS = 60_000
const POLL_MS = 10

/** What a PostgreSQL writes of itself into `postmaster.pid`. */
export interface Postmaster {
  pid: number
  port: number
  /** Where its Unix socket lies; empty if it has none. */
  socketDirectory: string
  ready: boolean
}

export function readPostmaster(data: string): Postmaster | null {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    const [pid = '', , , port = '', socketDirectory = '', , , status = ''] = lines.map((line) => line.trim())
    if (!(Number(pid) > 0)) return null
    return { pid: Number(pid), port: Number(port), socketDirectory, ready: status === 'ready' }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The PostgreSQL that runs on this cluster now, if one does. A pid file may be stale, its pid another process by now. */
export function runningPostmaster(data: string): Postmaster | null {
  const postmaster = readPostmaster(data)
  return postmaster && isPostgresOn(data, postmaster.pid) ? postmaster : null
}

function isPostgresOn(data: string, pid: number): boolean {
  if (process.platform === 'linux') return isProgram(`/proc/${pid}/comm`) && isSameFile(`/proc/${pid}/cwd`, data)
  if (process.platform === 'darwin') return commandOf(pid).includes('postgres')
  return isAlive(pid)
}

function isProgram(commPath: string): boolean {
  try {
    return readFileSync(commPath, 'utf8').trim() === 'postgres'
  } catch {
    return false
  }
}

/** A process that ended but was not yet fetched by its parent has no directory any more. */
function isSameFile(left: string, right: string): boolean {
  try {
    const [one, two] = [statSync(left), statSync(right)]
    return one.ino === two.ino && one.dev === two.dev
  } catch {
    return false
  }
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'comm='], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Ends the PostgreSQL on this cluster: open transactions are rolled back, everything committed is on the disk. */
export async function stopServer(data: string): Promise<void> {
  const postmaster = runningPostmaster(data)
  if (!postmaster) return
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    send(postmaster.pid, signal)
    if (await isGone(data, postmaster.pid)) return
  }
  throw new Error(`PostgreSQL (process ${postmaster.pid}) does not end`)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function isGone(data: string, pid: number): Promise<boolean> {
  const stopWaitingAt = performance.now() + FAST_SHUTDOWN_MS
  while (performance.now() < stopWaitingAt) {
    if (!isPostgresOn(data, pid)) return true
    await sleep(POLL_MS)
  }
  return false
}
