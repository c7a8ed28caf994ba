import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Time for a checkpoint on a slow disk. After it the server is killed, and recovers at the next start. */
const FAST_SHUTDOWN_MS = 60_000
const POLL_MS = 10

/** The content of `postmaster.pid`. */
export interface Postmaster {
  pid: number
  port: number
  /** The directory of its Unix socket; empty if it has none. */
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

/**
 * Returns the server that is running on this cluster. A pid file may be stale, and its pid may now belong to another
 * process.
 */
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

/** Returns false for a zombie process, which has no working directory. */
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

/** Stops the server on this cluster. Open transactions are rolled back; committed data is on the disk. */
export async function stopServer(data: string): Promise<void> {
  const postmaster = runningPostmaster(data)
  if (!postmaster) return
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    send(postmaster.pid, signal)
    if (await isGone(data, postmaster.pid)) return
  }
  throw new Error(`PostgreSQL (process ${postmaster.pid}) does not exit, not even after SIGKILL`)
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
