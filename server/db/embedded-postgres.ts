import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareDataDirectory } from './data-directory.ts'
import { lockDataDirectory } from './data-directory-lock.ts'
import { createCluster, ROLE, readOrCreatePassword } from './postgres-cluster.ts'
import { checkCluster } from './postgres-data.ts'
import { type LaunchedServer, launchServer } from './postgres-launch.ts'
import { findCluster, type PostgresPlace, preparePlace } from './postgres-place.ts'
import { type Postmaster, runningPostmaster, stopServer } from './postgres-process.ts'

const ADOPT_MS = 60_000
const ADOPT_POLL_MS = 50
const WATCH_MS = 500
const RESTART_WAIT_MS = 1_000
const RESTART_WAIT_MAX_MS = 30_000
/** SQLSTATEs `invalid_password` and `too_many_connections`: both prove that a server is running. */
const [WRONG_PASSWORD, FULL] = ['28P01', '53300']

export interface EmbeddedPostgresOptions {
  /** Rialto's data directory; created if missing. The caller holds its lock (data-directory-lock.ts). */
  dataDir: string
  log?: (text: string) => void
  /** Port of the server; absent for any free port. An adopted server keeps its port. */
  port?: number
  /** PostgreSQL settings that override those of postgres-launch.ts. */
  settings?: Record<string, string>
}

export interface EmbeddedPostgres {
  /** `postgres://…` with the password; valid until `stop`. */
  url: string
  /** Whether the server was already running because an earlier service was killed. */
  adopted: boolean
  /** Fast shutdown. Resolves when the process has exited. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL server of a data directory: creates the cluster on the first start, and adopts a server that is
 * still running after its service was killed. Until `stop`, a server that dies is restarted on the same port.
 *
 * @throws when the server does not start, with the last lines of `<dataDir>/postgres.log`
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir } = options
  prepareDataDirectory(dataDir)
  const place = await preparePlace(dataDir)
  // A copy of a data directory has the same link. The lock keeps the two from using one cluster.
  const lock = place.link === place.data ? null : lockDataDirectory(dirname(place.data))
  try {
    const existed = findCluster(dataDir) !== null
    const password = readOrCreatePassword(dataDir, existed)
    if (!existed) createCluster(place, password)
    const adopted = await adopt(place.data, password)
    if (!adopted) checkCluster(place)
    const server = adopted ? { ...adopted, exited: null } : await launchServer(place, options)
    const url = urlOf(server, password)
    if (!adopted) await signIn(url).catch((error: unknown) => stopServer(place.data).then(() => Promise.reject(error)))
    const exited = server.exited ?? goneAdopted(place.data)
    const stopWatching = watch(place, exited, { ...options, port: server.port })
    const stop = async () => {
      await stopWatching()
      await stopServer(place.data).finally(() => lock?.release())
    }
    return { url, adopted: adopted !== null, stop }
  } catch (error) {
    lock?.release()
    throw error
  }
}

/** Returns the URL of the PostgreSQL server running on this data directory; `null` if there is none. */
export function embeddedPostgresUrl(dataDir: string): string | null {
  const data = findCluster(dataDir)
  const running = data === null ? null : runningPostmaster(data)
  return running && urlOf(running, readOrCreatePassword(dataDir, true))
}

/** Prefers the Unix socket, in the query `host`. Without the query the URL is that of the TCP port. */
function urlOf({ port, socketDirectory }: Postmaster, password: string): string {
  const tcp = `postgres://${ROLE}:${password}@127.0.0.1:${port}/${ROLE}`
  return socketDirectory === '' ? tcp : `${tcp}?host=${encodeURIComponent(socketDirectory)}`
}

/** @returns `null` if no server runs, or if it was shutting down and has exited */
async function adopt(data: string, password: string): Promise<Postmaster | null> {
  const stopWaitingAt = performance.now() + ADOPT_MS
  for (;;) {
    const running = runningPostmaster(data)
    if (!running) return null
    try {
      await signIn(urlOf(running, password))
      return running
    } catch (cause) {
      const { code } = cause as { code?: string }
      if (code === FULL) return running
      if (code === WRONG_PASSWORD || performance.now() > stopWaitingAt) {
        throw new Error(`PostgreSQL (process ${running.pid}) runs on ${data} but refuses the connection`, { cause })
      }
    }
    await sleep(ADOPT_POLL_MS)
  }
}

async function signIn(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  await client.end()
}

/**
 * Restarts the server when it dies (out of memory, disk full, a kill), so that the service recovers.
 *
 * @returns a function that ends this
 */
function watch(place: PostgresPlace, exited: Promise<unknown>, options: EmbeddedPostgresOptions): () => Promise<void> {
  const { log = () => {} } = options
  const stop = new AbortController()
  const { signal } = stop
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  const work = keepRunning()

  async function keepRunning() {
    await Promise.race([exited, stopped])
    while (!signal.aborted) {
      log('the embedded PostgreSQL has died; restarting it')
      const server = await restart()
      await Promise.race([server?.exited, stopped])
    }
  }
  async function restart(): Promise<LaunchedServer | null> {
    for (let waitMs = RESTART_WAIT_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, RESTART_WAIT_MAX_MS)) {
      try {
        return await launchServer(place, options)
      } catch (error) {
        log(`the embedded PostgreSQL did not start; retrying in ${waitMs} ms: ${(error as Error).message}`)
      }
      await Promise.race([sleep(waitMs, null, { ref: false }), stopped])
    }
    return null
  }
  return async () => {
    stop.abort()
    await work
  }
}

/** Waits until an adopted server has gone: it is not a child of this process, so its exit is not reported. */
async function goneAdopted(data: string): Promise<void> {
  while (runningPostmaster(data)) await sleep(WATCH_MS, null, { ref: false })
}
