import type { FastifyBaseLogger } from 'fastify'
import { PgBoss } from 'pg-boss'
import { connect } from '../db/connection.ts'
import { jobQueueDatabase } from '../db/job-queue.ts'
import { type JobWorker, onEnqueued } from './job.ts'
import { startTimetable } from './timetable.ts'

export interface Jobs {
  /** Whether this process runs jobs. */
  readonly isRunning: boolean
  start(workers: JobWorker[]): Promise<void>
  /** Waits for running jobs to finish. */
  stop(): Promise<void>
}

const CONNECTIONS = 2
/** Longer than a request waits: a busy database delays a job, or the start, instead of failing it. */
const CONNECTION_WAIT_MS = 10_000
const STOP_MS = 20_000
const MAINTENANCE_SECONDS = 300
const NEVER_SECONDS = 24 * 3_600
/** How long finished jobs are stored, for inspection. */
const KEPT_SECONDS = 24 * 3_600
/** Time within which a scheduled run is enqueued only once, by one of several processes. */
const SAME_RUN_SECONDS = 60
/** Margin between the clocks: the database's decides whether a job is due. */
const CLOCK_MARGIN_MS = 20
const WAKE_MAX_MS = 3_600_000
/** How often, and how many times, a due job that was not found is fetched again. */
const POLL_MS = 2_000
const POLLS_MAX = 30

export interface JobsOptions {
  databaseUrl: string
  preparedStatements: boolean
  log: FastifyBaseLogger
}

/** Creates the worker of a process: pg-boss on its own connections. `migrate` creates its tables. */
export function createJobs({ databaseUrl, preparedStatements, log }: JobsOptions): Jobs {
  const onIdleError = (error: Error) => log.warn({ err: error }, 'idle connection of the job queue lost')
  const database = connect({
    url: databaseUrl,
    max: CONNECTIONS,
    waitMs: CONNECTION_WAIT_MS,
    preparedStatements,
    onIdleError,
  })
  const boss = new PgBoss({
    db: jobQueueDatabase(database.pool),
    migrate: false,
    // Our own timers schedule jobs (timetable.ts): pg-boss would poll for schedules twice a minute and again every 5 s.
    schedule: false,
    superviseIntervalSeconds: MAINTENANCE_SECONDS,
    monitorIntervalSeconds: MAINTENANCE_SECONDS,
    queueCacheIntervalSeconds: MAINTENANCE_SECONDS,
    reindex: false,
    // No job depends on another one.
    flowIntervalSeconds: NEVER_SECONDS,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue failed; retrying'))
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
 * Starts a worker. A job that this process enqueues is fetched at once. If that fails (the database is unavailable or
 * its clock is behind, or the job itself fails), it is fetched again every two seconds for a minute. The slower poll
 * finds jobs of processes that have ended.
 *
 * @returns a function that stops what pg-boss does not stop itself
 */
async function startWorker(boss: PgBoss, worker: JobWorker, log: FastifyBaseLogger): Promise<() => void> {
  const { name, retries, timetable } = worker
  const queue = { retryLimit: retries.max, retryDelay: retries.delaySeconds, retryBackoff: true }
  await boss.createQueue(name, { ...queue, deleteAfterSeconds: KEPT_SECONDS })
  let id: string | null = null
  const fetchNow = () => {
    if (id !== null) boss.notifyWorker(id)
  }
  const search = pollRegularly(fetchNow)
  const wake = () => {
    fetchNow()
    search.begin()
  }
  const options = { pollingIntervalSeconds: worker.pollSeconds, batchSize: 1 }
  id = await boss.work<object>(name, options, async ([job]) => {
    if (!job) return
    // More jobs may be due.
    fetchNow()
    search.end()
    try {
      await worker.run(job.data ?? {})
    } catch (error) {
      search.begin()
      throw error
    }
  })
  const run = () =>
    boss.send(name, {}, { singletonSeconds: SAME_RUN_SECONDS }).then(
      (made) => made && wake(),
      (error: unknown) => log.warn({ err: error, job: name }, 'scheduled job could not be enqueued'),
    )
  const stops = [wakeWhenDue(name, wake), timetable ? startTimetable(timetable, run) : () => {}, search.end]
  return () => {
    for (const stop of stops) stop()
  }
}

/**
 * Calls `wake` when a job that this process has enqueued is due.
 *
 * @returns a function that stops this
 */
function wakeWhenDue(name: string, wake: () => void): () => void {
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
  return () => {
    stopListening()
    for (const timer of timers) clearTimeout(timer)
  }
}

/** Calls `poll` every two seconds between `begin` and `end`, for at most a minute. */
function pollRegularly(poll: () => void) {
  let timer: NodeJS.Timeout | undefined
  const end = () => clearInterval(timer)
  const begin = () => {
    end()
    let polls = 0
    timer = setInterval(() => {
      if (++polls >= POLLS_MAX) end()
      poll()
    }, POLL_MS)
  }
  return { begin, end }
}
