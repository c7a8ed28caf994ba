import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { saveRoleSettings } from '../../server/db/role-settings.ts'
import { newId } from '../../server/lib/ids.ts'

const IN_USE = '55006'
const TRIES = 50
const WAIT_MS = 100

export interface TestDatabase extends AsyncDisposable {
  /** URL through the pooler, if the run has one (TEST_POOLER=1). */
  url: string
  /**
   * A direct connection, for statements that a pooler does not support, such as terminating a connection by its pid.
   */
  directUrl: string
  drop(): Promise<void>
}

/**
 * Creates a migrated, empty database, cloned from the template that scripts/run-tests.ts has made.
 *
 * @throws if the test was not started by scripts/run-tests.ts
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { server, template, pooler } = testServer()
  // Named after the template, so that the run can find and drop databases of killed tests.
  const name = `${template}_${newId().slice(-12)}`
  await clone(template, name)
  // A clone has the tables of its template, but not the settings of the role.
  await saveRoleSettings(onServer(), name)
  const url = new URL(server)
  url.pathname = name
  const drop = async () => void (await onServer().query(`drop database if exists ${name} with (force)`))
  const directUrl = url.href
  return { url: pooler ? withPort(url, pooler).href : directUrl, directUrl, drop, [Symbol.asyncDispose]: drop }
}

/**
 * Returns a URL of the same database whose connections refuse writes; direct, because a pooler does not support
 * start-up options.
 */
export function refusingWrites(databaseUrl: string): string {
  const url = new URL(testServer().server)
  url.pathname = new URL(databaseUrl).pathname
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  return url.href
}

function testServer(): { server: string; template: string; pooler: string | undefined } {
  const { RIALTO_TEST_DATABASE_URL: server, RIALTO_TEST_TEMPLATE: template, RIALTO_TEST_POOLER: pooler } = process.env
  if (!server || !template) throw new Error('This test needs a database. Run it by: npm test -- <file>')
  return { server, template, pooler }
}

function withPort(databaseUrl: URL, port: string): URL {
  const url = new URL(databaseUrl)
  url.port = port
  // The host may be the Unix socket of the server.
  url.searchParams.delete('host')
  return url
}

/** PostgreSQL cannot clone a database with a connection, and its own autovacuum may be connected for a moment. */
async function clone(template: string, name: string): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await onServer().query(`create database ${name} template ${template} strategy file_copy`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== IN_USE || tried === TRIES) throw error
    }
    await sleep(WAIT_MS)
  }
}

let pool: pg.Pool | undefined

/**
 * Returns connections of this process to the server: a new one for each statement takes longer than most statements. An
 * idle one does not keep the process running.
 */
function onServer(): pg.Pool {
  if (!pool) {
    pool = new pg.Pool({ connectionString: testServer().server, max: 2, allowExitOnIdle: true, idleTimeoutMillis: 0 })
    // An error of an idle connection: the next statement opens a new one.
    pool.on('error', () => {})
  }
  return pool
}
