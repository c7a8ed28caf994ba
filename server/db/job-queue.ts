import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PgBoss } from 'pg-boss'

/** The status of a connection inside a transaction that has failed. */
const FAILED = 'E'
const UNDER_WAY = ['pending', 'in_progress']
const LOOK_MS = 1_000
const INTERVAL_SECONDS = 10

/**
 * Creates or migrates the tables of pg-boss in the schema `pgboss`. pg-boss takes its own lock inside its transaction.
 */
export async function migrateJobQueue(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, application_name: 'rialto migrate', max: 1 })
  // An embedded server may stop before the last client has disconnected; a query that fails rejects anyway.
  pool.on('error', () => {})
  const boss = new PgBoss({
    db: jobQueueDatabase(pool),
    migrate: true,
    supervise: false,
    schedule: false,
    bamIntervalSeconds: INTERVAL_SECONDS,
  })
  let failure: Error | null = null
  boss.on('error', (error) => {
    failure = error
  })
  try {
    await boss.start()
    // Waits for indexes that a new version builds afterwards, without a lock.
    while (failure === null && (await boss.getBamStatus()).some(({ status }) => UNDER_WAY.includes(status))) {
      await sleep(LOOK_MS)
    }
    await boss.stop({ graceful: false })
  } finally {
    await pool.end()
  }
  if (failure !== null) throw new Error('The tables of the job queue could not be migrated', { cause: failure })
}

/**
 * Runs the SQL of pg-boss. pg-boss sends whole transactions as one text. When one fails, its connection is still inside
 * the failed transaction and must not be returned to the pool.
 */
export function jobQueueDatabase(pool: Pick<pg.Pool, 'connect'>) {
  return {
    async executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
      const client = await pool.connect()
      try {
        return await client.query(text, values)
      } finally {
        client.release(client.getTransactionStatus() === FAILED)
      }
    },
  }
}
