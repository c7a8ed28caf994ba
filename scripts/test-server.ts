import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { lockDataDirectory } from '../server/db/data-directory-lock.ts'
import { startEmbeddedPostgres } from '../server/db/embedded-postgres.ts'
import { deleteCluster, findCluster } from '../server/db/postgres-place.ts'
import { runningPostmaster, stopServer } from '../server/db/postgres-process.ts'

const PREFIX = 'rialto-tests-'
/** Age up to which a folder is not removed: its run may not have locked it yet. */
const YOUNG_MS = 60_000

// No durability: tests of it start their own server, and this server's data is deleted with it.
const UNSAFE = {
  fsync: 'off',
  // Autovacuum workers run as superuser: a test could not terminate them, nor drop a database that they use.
  autovacuum: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
}
const SIZES = { max_wal_senders: '0', max_connections: '300', max_wal_size: '4GB', checkpoint_timeout: '30min' }

export interface TestServer {
  url: string
  /** Absent for a server that was already running. */
  processId?: number | undefined
  close(): Promise<void>
}

/**
 * Starts a PostgreSQL for one test run, in a temporary folder. Also removes the folders of killed runs.
 *
 * @param settings settings in addition to those of every test run
 */
export async function startTestServer(settings: Record<string, string> = {}): Promise<TestServer> {
  await removeLeftovers()
  const directory = mkdtempSync(join(tmpdir(), PREFIX))
  // If this process is root, PostgreSQL runs as another user, who must be able to traverse the folder.
  chmodSync(directory, 0o711)
  const lock = lockDataDirectory(directory)
  const remove = () => {
    lock.release()
    deleteDirectory(directory)
  }
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: directory, settings: { ...UNSAFE, ...SIZES, ...settings } })
    await signInFast(postgres.url)
    const cluster = findCluster(directory)
    const processId = cluster ? runningPostmaster(cluster)?.pid : undefined
    return { url: postgres.url, processId, close: () => postgres.stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

/** Avoids the password hash: each of ten thousand connections would hash the password 4,096 times. */
async function signInFast(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const password = pg.escapeLiteral(decodeURIComponent(new URL(url).password))
  await client.query(`set scram_iterations = 1; alter role current_user password ${password}`)
  await client.end()
}

function deleteDirectory(directory: string): void {
  deleteCluster(directory)
  rmSync(directory, { recursive: true, force: true })
}

async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith(PREFIX)) await removeLeftover(join(tmpdir(), name)).catch(() => {})
  }
}

/**
 * Removes a folder of a dead run, whose lock is free. The lock throws if the run is alive or belongs to another user.
 */
async function removeLeftover(directory: string): Promise<void> {
  if (Date.now() - statSync(directory).ctimeMs < YOUNG_MS) return
  lockDataDirectory(directory).release()
  const cluster = findCluster(directory)
  if (cluster) await stopServer(cluster)
  deleteDirectory(directory)
}
