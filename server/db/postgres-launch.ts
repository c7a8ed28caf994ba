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
  // What is answered as committed is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Our statements are short, our disks have no heads.
  jit: 'off',
  random_page_cost: '1.1',
  // Statistics of a new database are wanted within seconds of its first payments, not within a minute.
  autovacuum_naptime: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Details of an error quote rows: names and addresses have no business in a log.
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_min_error_statement: 'panic',
}

const LOG_BYTES_MAX = 10 * 1024 * 1024
const LOG_LINES_SHOWN = 15
const POLL_MS = 10
const TRIES = 50
const TRY_AGAIN_MS = 200
/** `sun_path` of macOS, the shortest, without its end and the socket's name, `/.s.PGSQL.65535`. */
const SOCKET_DIRECTORY_BYTES_MAX = 103 - 15
/** Another program took the free port meanwhile; backends of a killed PostgreSQL are still ending. */
const PASSING = [/could not create any TCP\/IP sockets/, /pre-existing shared memory block/]

export interface LaunchOptions {
  port?: number
  settings?: Record<string, string>
}

/**
 * Starts the server process and waits until it takes connections, through crash recovery if need be.
 *
 * @throws with the last lines of its log
 */
export async function launchServer(place: PostgresPlace, options: LaunchOptions): Promise<Postmaster> {
  for (let tried = 1; ; tried++) {
    const port = options.port ?? (await freePort())
    const outcome = await launchOnce(place, port, options.settings ?? {})
    if (typeof outcome !== 'string') return outcome
    if (tried === TRIES || !PASSING.some((reason) => reason.test(outcome))) {
      throw new Error(`The embedded PostgreSQL did not start:\n${outcome}`)
    }
    await sleep(TRY_AGAIN_MS)
  }
}

/** @returns the server when it is up, or what it said before it ended */
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
    // PostgreSQL refuses a pid file whose pid lives, though it be another program's by now; not so for its grandparent's.
    // Whether one of ours really runs was found out before.
    ...(env && { env: { ...env, PG_GRANDPARENT_PID: String(readPostmaster(place.data)?.pid ?? 0) } }),
    cwd: place.data,
    // A session of its own: Ctrl-C is for us, and we end PostgreSQL when our last request is answered.
    detached: true,
    stdio: ['ignore', log, log],
  })
}

/**
 * A Unix socket spares a query a fifth of our CPU and brings a tenth more of them (measured, ten connections), but its
 * path must be short. In the cluster itself only its owner and root reach it.
 */
function socketDirectories(data: string): string {
  const possible = process.platform !== 'win32' && Buffer.byteLength(data) <= SOCKET_DIRECTORY_BYTES_MAX
  return possible && !data.includes('"') ? `"${data}"` : ''
}

/** Resolves with the server when it is ready, or with how it ended. */
async function launched(child: ChildProcess, data: string): Promise<Postmaster | string> {
  let ended = ''
  child.once('error', (error) => {
    ended = error.message
  })
  child.once('exit', (code, signal) => {
    ended = `It ended with ${signal ?? `code ${code}`}.`
  })
  child.unref()
  while (ended === '') {
    const postmaster = readPostmaster(data)
    if (postmaster?.pid === child.pid && postmaster?.ready) return postmaster
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
