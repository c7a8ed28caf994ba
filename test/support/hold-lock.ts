import { sql } from 'kysely'
import pg from 'pg'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** Holds what the statement locks, as another request does in its transaction, until it is released. */
export async function holdLock(
  { databaseUrl }: { databaseUrl: string },
  statement: string,
  values: unknown[] = [],
): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(statement, values)
  return { release: () => client.end() }
}

/** Waits until a request stands at a lock, where it stays for two seconds at most. */
export async function untilAtLock({ app }: Pick<TestService, 'app'>): Promise<void> {
  await until('a request stands at a lock', async () => (await WAITING.execute(app.services.db)).rows.length > 0)
}

const WAITING = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
