import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAs } from './postgres-account.ts'
import type { PostgresPlace } from './postgres-place.ts'
import { type Postmaster, readPostmaster } from './postgres-process.ts'

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '128MB',
  // A commit that is reported is on disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Statements are short, and disks are assumed to be SSDs.
  jit: 'off',
  random_page_cost: '1.1',
  // A new database needs statistics within seconds of its first payments.
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Error details quote rows, and names and addresses must not be in the log.
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_min_error_statement: 'panic',
}

const LOG_BYTES_MAX = 10 * 1024 * 1024
const LOG_LINES_SHOWN = 15
const POLL_MS = 10
const ATTEMPTS_MAX = 50
const RETRY_MS = 200
/**
 * Longest path of the socket's directory: `sun_path` on macOS, the shortest of all platforms, minus its final NUL and
 * the socket name `/.s.PGSQL.65535`.
 */
const SOCKET_DIRECTORY_BYTES_MAX = 103 - 15
/** Log lines of temporary failures: another program took the port, or backends of a killed server are still exiting. */
const TEMPORARY = [/could not create any TCP\/IP sockets/, /pre-existing shared memory block/]

/** A server that this process has started. */
export interface LaunchedServer extends Postmaster {
  /** Resolves when it has exited, for whatever reason. */
  exited: Promise<unknown>
}

export interface LaunchOptions {
  port?: number
  settings?: Record<string, string>
}

/**
 * Starts the server process and waits until it accepts connections, after crash recovery if necessary.
 *
 * @throws with the last lines of its log when it does not start
 */
export async function launchServer(place: PostgresPlace, options: LaunchOptions): Promise<LaunchedServer> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    const outcome = await launchOnce(place, port, options.settings ?? {})
    if (typeof outcome !== 'string') return outcome
    if (attempt === ATTEMPTS_MAX || !TEMPORARY.some((reason) => reason.test(outcome))) {
      throw new Error(`The embedded PostgreSQL did not start:\n${outcome}`)
    }
    await sleep(RETRY_MS)
  }
}

/** @returns the running server, or the last lines of its log when it has exited */
async function launchOnce(place: PostgresPlace, port: number, settings: Record<string, string>) {
  const path = join(dirname(place.link), 'postgres.log')
  rotate(path)
  const log = openSync(path, 'a', 0o600)
  try {
    const from = fstatSync(log).size
    const outcome = await launched(spawnServer(place, port, settings, log), place.data)
    return typeof outcome === 'string' ? `${outcome}\n${lastLines(path, from)}` : outcome
  } finally {
    closeSync(log)
  }
}

function spawnServer(place: PostgresPlace, port: number, settings: Record<string, string>, log: number): ChildProcess {
  const all = { ...SETTINGS, unix_socket_directories: socketDirectories(place.data), ...settings }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { env, ...as } = runAs(place.account)
  return spawn(join(place.binaries, 'bin', 'postgres'), ['-D', place.data, '-p', String(port), ...args], {
    ...as,
    // PostgreSQL refuses to start when the pid in its pid file is alive, even if another program has that pid now. It
    // ignores the pid of its grandparent. `runningPostmaster` has already ruled out a running server.
    ...(env && { env: { ...env, PG_GRANDPARENT_PID: String(readPostmaster(place.data)?.pid ?? 0) } }),
    cwd: place.data,
    // Its own session, so that Ctrl-C reaches only the service, which stops PostgreSQL after its last response.
    detached: true,
    stdio: ['ignore', log, log],
  })
}

/**
 * Returns the directory of the Unix socket, inside the cluster, where only its owner and root can reach it; empty if
 * the path is too long. A Unix socket saves a fifth of the service's CPU per query and allows a tenth more queries
 * (measured with ten connections).
 */
function socketDirectories(data: string): string {
  const possible = process.platform !== 'win32' && Buffer.byteLength(data) <= SOCKET_DIRECTORY_BYTES_MAX
  return possible && !data.includes('"') ? `"${data}"` : ''
}

/** Resolves with the server when it is ready, or with a message when it has exited. */
async function launched(child: ChildProcess, data: string): Promise<LaunchedServer | string> {
  let ended = ''
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      ended = error.message
      resolve()
    })
    child.once('exit', (code, signal) => {
      ended = `It exited with ${signal ?? `code ${code}`}.`
      resolve()
    })
  })
  child.unref()
  while (ended === '') {
    const postmaster = readPostmaster(data)
    if (postmaster?.pid === child.pid && postmaster?.ready) return { ...postmaster, exited }
    await sleep(POLL_MS)
  }
  return ended
}

function rotate(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_BYTES_MAX) renameSync(path, `${path}.1`)
}

function lastLines(path: string, from: number): string {
  const lines = readFileSync(path).subarray(from).toString('utf8').trimEnd().split('\n')
  return lines.slice(-LOG_LINES_SHOWN).join('\n')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
