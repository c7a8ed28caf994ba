import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDataDirectory } from '../server/db/data-directory-lock.ts'
import { startEmbeddedPostgres } from '../server/db/embedded-postgres.ts'
import { deleteCluster, findCluster } from '../server/db/postgres-place.ts'
import { stopServer } from '../server/db/postgres-process.ts'

const PREFIX = 'rialto-tests-'
/** A run that just began may not have locked its folder yet. */
const YOUNG_MS = 60_000

// No test of durability uses this server, and its data is gone with it.
const FORGETFUL = {
  fsync: 'off',
  // Its workers are a superuser's: a test could neither end them nor drop the database under them.
  autovacuum: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
}
const ROOMY = { max_wal_senders: '0', max_connections: '300', max_wal_size: '4GB', checkpoint_timeout: '30min' }

export interface TestServer {
  url: string
  close(): Promise<void>
}

/** A PostgreSQL for one run of the tests, in a temporary folder. Removes what killed runs left. */
export async function startTestServer(): Promise<TestServer> {
  await removeLeftovers()
  const directory = mkdtempSync(join(tmpdir(), PREFIX))
  // Root's PostgreSQL runs as another user, who must come through.
  chmodSync(directory, 0o711)
  const lock = lockDataDirectory(directory)
  const remove = () => {
    lock.release()
    deleteDirectory(directory)
  }
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: directory, settings: { ...FORGETFUL, ...ROOMY } })
    return { url: postgres.url, close: () => postgres.stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
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

/** Whose lock can be had, its run is dead. What is another user's, or still in use, stays: the lock throws. */
async function removeLeftover(directory: string): Promise<void> {
  if (Date.now() - statSync(directory).ctimeMs < YOUNG_MS) return
  lockDataDirectory(directory).release()
  const cluster = findCluster(directory)
  if (cluster) await stopServer(cluster)
  deleteDirectory(directory)
}
