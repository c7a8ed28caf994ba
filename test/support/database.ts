import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../../server/lib/ids.ts'

const IN_USE = '55006'
const TRIES = 50
const WAIT_MS = 100

export interface TestDatabase extends AsyncDisposable {
  url: string
  drop(): Promise<void>
}

/**
 * A migrated, empty database of one's own, cloned from the template that scripts/run-tests.ts made.
 *
 * @throws when the test was not started by `npm test`
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { server, template } = testServer()
  // Under the template's name, so that the run finds and drops what a killed test left.
  const name = `${template}_${newId().slice(-12)}`
  await clone(server, template, name)
  const url = new URL(server)
  url.pathname = name
  const drop = () => query(server, `drop database if exists ${name} with (force)`)
  return { url: url.href, drop, [Symbol.asyncDispose]: drop }
}

function testServer(): { server: string; template: string } {
  const { RIALTO_TEST_DATABASE_URL: server, RIALTO_TEST_TEMPLATE: template } = process.env
  if (!server || !template) throw new Error('This test needs a database. Run it by: npm test -- <file>')
  return { server, template }
}

/** PostgreSQL clones no database that someone is connected to, its own autovacuum for a moment included. */
async function clone(server: string, template: string, name: string): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await query(server, `create database ${name} template ${template} strategy file_copy`)
    } catch (error) {
      if ((error as { code?: string }).code !== IN_USE || tried === TRIES) throw error
    }
    await sleep(WAIT_MS)
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
