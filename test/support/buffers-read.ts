import { after, before } from 'node:test'
import pg from 'pg'
import type { Db } from '../../server/db/connection.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { openDb } from './pool.ts'

export interface BufferCounter extends AsyncDisposable {
  client: pg.Client
  /**
   * Counts the buffers that the statements of `work` read, each planned for its values.
   *
   * @param without an index that is dropped during the count
   */
  count(work: (db: Db) => Promise<unknown>, without?: string): Promise<number>
}

interface Plan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

/** Drops an index; the index of a key is dropped with the key. */
async function dropIndex(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    'select conrelid::regclass::text as table from pg_constraint where conname = $1',
    [name],
  )
  const [key] = rows
  await client.query(key ? `alter table ${key.table} drop constraint ${name}` : `drop index ${name}`)
}

/** Runs statements, and explains each of them afterwards. */
export async function countBuffers(databaseUrl: string): Promise<BufferCounter> {
  const ran: { sql: string; parameters: readonly unknown[] }[] = []
  const db = openDb(databaseUrl, ({ query: { sql, parameters } }) => void ran.push({ sql, parameters }))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // Thousands of rows are inserted, which takes a while on a busy machine. A vacuum can mark only flushed rows as
  // visible to all, and the tests' server flushes later.
  await client.query(
    "set plan_cache_mode = 'force_custom_plan'; set statement_timeout = 0; set synchronous_commit = on",
  )

  async function count(work: (db: Db) => Promise<unknown>, without?: string): Promise<number> {
    ran.splice(0)
    await work(db)
    await client.query('begin')
    try {
      if (without) await dropIndex(client, without)
      let total = 0
      for (const { sql, parameters } of ran) {
        const explained = `explain (analyze, buffers, format json) ${sql}`
        // The first run may also read the catalog, for a function that is called.
        await client.query(explained, [...parameters])
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained, [...parameters])
        const plan = rows[0]?.['QUERY PLAN'][0].Plan
        total += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
      }
      return total
    } finally {
      await client.query('rollback')
    }
  }

  return { client, count, [Symbol.asyncDispose]: () => Promise.all([db.destroy(), client.end()]).then(() => {}) }
}

/** Counts in a database of the test file, which `fill` fills before its tests. */
export function buffersIn(
  fill: (client: pg.Client) => Promise<unknown>,
): Omit<BufferCounter, typeof Symbol.asyncDispose> {
  let database: TestDatabase | undefined
  let counter: BufferCounter | undefined
  before(async () => {
    database = await createTestDatabase()
    counter = await countBuffers(database.url)
    await fill(counter.client)
  })
  after(async () => {
    await counter?.[Symbol.asyncDispose]()
    await database?.drop()
  })
  const started = () => {
    if (!counter) throw new Error('Buffers are counted before the tests have started')
    return counter
  }
  return {
    get client() {
      return started().client
    },
    count: (work, without) => started().count(work, without),
  }
}
