import type { FastifyBaseLogger } from 'fastify'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Tx } from '../db/transaction.ts'

/** Something that runs later, at least once: its work must be safe to do twice. */
export interface JobKind<Data extends object> {
  name: string
  /** Seconds between tries double from this. */
  retryDelaySeconds: number
  retriesMax: number
  /** Cron, UTC: the job also runs on this timetable, with no data. */
  timetable?: string
  run(data: Partial<Data>): Promise<void>
}

export interface Jobs {
  /** Enqueues inside the caller's transaction: the job exists only if the change commits. */
  enqueue(tx: Tx, name: string, data: object, options?: { at?: Date; key?: string }): Promise<void>
  start(kinds: JobKind<object>[]): Promise<void>
  /** Lets running jobs finish. */
  stop(): Promise<void>
}

const POLL_SECONDS = 1

export function createJobs({ databaseUrl, log }: { databaseUrl: string; log: FastifyBaseLogger }): Jobs {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 3, application_name: 'rialto jobs' })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  return {
    async enqueue(tx, name, data, { at, key } = {}) {
      await boss.send(name, data, {
        db: fromKysely(tx),
        ...(at && { startAfter: at }),
        ...(key && { singletonKey: key }),
      })
    },
    async start(kinds) {
      await boss.start()
      for (const kind of kinds) await startKind(boss, kind)
    },
    stop: () => boss.stop({ graceful: true, timeout: 20_000 }),
  }
}

async function startKind(boss: PgBoss, { name, retriesMax, retryDelaySeconds, timetable, run }: JobKind<object>) {
  await boss.createQueue(name, { retryLimit: retriesMax, retryDelay: retryDelaySeconds, retryBackoff: true })
  if (timetable) await boss.schedule(name, timetable, {})
  await boss.work<object>(name, { pollingIntervalSeconds: POLL_SECONDS, batchSize: 1 }, async ([job]) => {
    if (job) await run(job.data ?? {})
  })
}
