import { PgBoss } from 'pg-boss'
import { workersOf } from '../../server/app/workers.ts'
import { jobQueueDatabase } from '../../server/db/job-queue.ts'
import { openPool } from './pool.ts'
import type { TestService } from './service.ts'

/**
 * Creates the queues, like a process that runs jobs: a payment whose outcome is unknown enqueues one. No job runs, so
 * that open operations stay open until the test resolves them, even at a full minute and on a slow machine.
 */
export async function createJobQueues({ app, databaseUrl }: Pick<TestService, 'app' | 'databaseUrl'>): Promise<void> {
  const pool = openPool(databaseUrl)
  const boss = new PgBoss({ db: jobQueueDatabase(pool), migrate: false, supervise: false, schedule: false })
  try {
    for (const { name } of workersOf(app.services)) await boss.createQueue(name)
  } finally {
    await pool.end()
  }
}
