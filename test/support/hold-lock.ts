import pg from 'pg'
import type { TestService } from './service.ts'
import { until } from './until.ts'

type Database = Pick<TestService, 'databaseUrl'>

/** A transaction of another request, which holds what its first statement has locked. */
interface HeldLock extends AsyncDisposable {
  /** Runs a statement in that transaction. */
  query: pg.Client['query']
  /** Ends it without a commit. May be called twice. */
  release(): Promise<void>
}

/** Holds what the statement locks until it is released. The service's own transactions may not be idle for so long. */
export async function holdLock(
  { databaseUrl }: Database,
  statement: string,
  values: unknown[] = [],
): Promise<HeldLock> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin; set local idle_in_transaction_session_timeout = 0')
  await client.query(statement, values)
  let ended: Promise<void> | undefined
  const release = () => (ended ??= client.end())
  return { query: client.query.bind(client), release, [Symbol.asyncDispose]: release }
}

/** Waits until requests wait at a lock, where they stay for two seconds at most. */
export async function untilAtLock({ databaseUrl }: Database, requests = 1): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await until('a request stands at a lock', async () => ((await client.query(WAITING)).rowCount ?? 0) >= requests)
  } finally {
    await client.end()
  }
}

const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
