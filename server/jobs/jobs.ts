import type { FastifyBaseLogger } from 'fastify'
import { PgBoss } from 'pg-boss'
import { connect } from '../db/connection.ts'
import { jobQueueDatabase } from '../db/job-queue.ts'
import { type JobWorker, onEnqueued } from './job.ts'
import { startTimetable } from './timetable.ts'

export interface Jobs {
  /** Whether jobs are run by this process. */
  readonly isRunning: boolean
  start(workers: JobWorker[]): Promise<void>
  /** Lets running jobs finish. */
  stop(): Promise<void>
}

const CONNECTIONS = 2
const STOP_MS = 20_000
const MAINTENANCE_SECONDS = 300
const NEVER_SECONDS = 24 * 3_600
/** Finished jobs are kept for a look, no longer. */
const KEPT_SECONDS = 24 * 3_600
/** One of several processes enqueues what a timetable asks for. */
const SAME_RUN_SECONDS = 60
/** A job is due by the clock of the database. */
const CLOCK_MARGIN_MS = 20
const WAKE_MAX_MS = 3_600_000
/** How often, and how many times, a job that is due and was not found is looked for again. */
const POLL_MS = 2_000
const LOOKS_MAX = 30

export interface JobsOptions {
  databaseUrl: string
  preparedStatements: boolean
  log: FastifyBaseLogger
}

/** The worker of a process: pg-boss on connections of its own. Its tables are made by `migrate`, never here. */
export function createJobs({ databaseUrl, preparedStatements, log }: JobsOptions): Jobs {
  const onIdleError = (error: Error) => log.warn({ err: error }, 'an idle connection of the job queue was lost')
  const database = connect({ url: databaseUrl, max: CONNECTIONS, preparedStatements, onIdleError })
  const boss = new PgBoss({
    db: jobQueueDatabase(database.pool),
    migrate: false,
    // Timetables are kept by timers of ours (timetable.ts): pg-boss would poll for them twice a minute and again every 5 s.
    schedule: false,
    superviseIntervalSeconds: MAINTENANCE_SECONDS,
    monitorIntervalSeconds: MAINTENANCE_SECONDS,
    queueCacheIntervalSeconds: MAINTENANCE_SECONDS,
    reindex: false,
    // No job of ours waits for another.
    flowIntervalSeconds: NEVER_SECONDS,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue failed; it is tried again'))
  const stops: (() => void)[] = []
  let isRunning = false
  return {
    get isRunning() {
      return isRunning
    },
    async start(workers) {
      await boss.start()
      for (const worker of workers) stops.push(await startWorker(boss, worker, log))
      isRunning = true
    },
    async stop() {
      isRunning = false
      for (const stop of stops.splice(0)) stop()
      await boss.stop({ graceful: true, timeout: STOP_MS })
      await database.close()
    },
  }
}

/**
 * What this process enqueues it starts at once, without a poll. When that fails (the database is away or its clock is
 * behind, the job itself fails), the next looks follow soon, for a minute. Polls find what a process left that ended.
 *
 * @returns how to stop what was started beside pg-boss
 */
async function startWorker(boss: PgBoss, worker: JobWorker, log: FastifyBaseLogger): Promise<() => void> {
  const { name, retries, timetable } = worker
  const queue = { retryLimit: retries.max, retryDelay: retries.delaySeconds, retryBackoff: true }
  await boss.createQueue(name, { ...queue, deleteAfterSeconds: KEPT_SECONDS })
  const options = { pollingIntervalSeconds: worker.pollSeconds, batchSize: 1 }
  const id = await boss.work<object>(name, options, async ([job]) => {
    if (!job) return
    // Another may wait behind this one.
    boss.notifyWorker(id)
    search.end()
    try {
      await worker.run(job.data ?? {})
    } catch (error) {
      search.begin()
      throw error
    }
  })
  const search = pollRegularly(() => boss.notifyWorker(id))
  const wake = () => {
    boss.notifyWorker(id)
    search.begin()
  }
  const timers = new Set<NodeJS.Timeout>()
  const stopListening = onEnqueued(name, (at) => {
    const delay = at === null ? 0 : at.getTime() - Date.now()
    if (delay <= 0) return wake()
    if (delay > WAKE_MAX_MS) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      wake()
    }, delay + CLOCK_MARGIN_MS)
    timers.add(timer)
  })
  const run = () =>
    boss.send(name, {}, { singletonSeconds: SAME_RUN_SECONDS }).then(
      (made) => made && wake(),
      (error: unknown) => log.warn({ err: error, job: name }, 'job of the timetable was not enqueued'),
    )
  const stopTimetable = timetable ? startTimetable(timetable, run) : () => {}
  return () => {
    stopListening()
    stopTimetable()
    search.end()
    for (const timer of timers) clearTimeout(timer)
  }
}

/** Looks every two seconds, from `begin` to `end` and for a minute at most. */
function pollRegularly(look: () => void) {
  let timer: NodeJS.Timeout | undefined
  const end = () => clearInterval(timer)
  const begin = () => {
    end()
    let looks = 0
    timer = setInterval(() => {
      if (++looks >= LOOKS_MAX) end()
      look()
    }, POLL_MS)
  }
  return { begin, end }
}
