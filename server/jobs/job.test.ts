import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import Type from 'typebox'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { until } from '../../test/support/until.ts'
import { connect, type Database } from '../db/connection.ts'
import { transaction } from '../db/transaction.ts'
import { job } from './job.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { daily, hourly, minutes, nextRun } from './timetable.ts'

const NEVER_SECONDS = 3_000
const deliver = job({
  name: 'deliver-test',
  data: Type.Object({ to: Type.Optional(Type.String({ minLength: 1 })) }),
  retries: { max: 0, delaySeconds: 1 },
  // Never polls: what runs was started because it was enqueued.
  pollSeconds: NEVER_SECONDS,
  run: async (delivered: string[], { to }) => void delivered.push(to ?? 'nobody'),
})

describe('A job', () => {
  let testDatabase: TestDatabase
  let database: Database
  let jobs: Jobs
  const delivered: string[] = []
  before(async () => {
    testDatabase = await createTestDatabase()
    database = connect({ url: testDatabase.url })
    // An earlier process has created the queue.
    await startJobs().then((earlier) => earlier.stop())
  })
  after(async () => {
    await jobs.stop()
    await database.close()
    await testDatabase.drop()
  })
  const startJobs = async () => {
    const { url: databaseUrl } = testDatabase
    const started = createJobs({ databaseUrl, preparedStatements: true, log: pino({ level: 'silent' }) })
    await started.start([deliver.worker(delivered)])
    return started
  }
  const taken = () => delivered.splice(0)
  const enqueue = (to: string, at?: Date) =>
    transaction(database.db, (tx) => deliver.enqueue(tx, { to }, at ? { at } : {}))

  test('that was enqueued before the worker started runs at its start', async () => {
    await enqueue('Ana')
    await enqueue('Ben')
    jobs = await startJobs()
    await until('both have run', () => delivered.length === 2)
    deepEqual(taken().sort(), ['Ana', 'Ben'])
  })

  test('is started at once by the process that enqueued it', async () => {
    // Faster than the next look after two seconds. Only some must be, because a busy machine may take that long.
    await until('one has run at once', async () => {
      const from = performance.now()
      await enqueue('Ana')
      await until('it has run', () => delivered.length > 0)
      deepEqual(taken(), ['Ana'])
      return performance.now() - from < 1_500
    })
  })

  test('of which several are enqueued runs for each, without a poll between', async () => {
    await Promise.all(['Ana', 'Ben', 'Eve'].map((name) => enqueue(name)))
    await until('all have run', () => delivered.length === 3)
    deepEqual(taken().sort(), ['Ana', 'Ben', 'Eve'])
  })

  test('that is for later runs then', async () => {
    const from = performance.now()
    await enqueue('Ana', new Date(Date.now() + 700))
    await until('it has run', () => delivered.length > 0)
    ok(performance.now() - from > 600)
    deepEqual(taken(), ['Ana'])
  })

  test('exists only if the change that it belongs to commits', async () => {
    const failed = transaction(database.db, async (tx) => {
      await deliver.enqueue(tx, { to: 'Ana' })
      throw new Error('rolled back')
    })
    await rejects(failed, /rolled back/)
    await sleep(300)
    deepEqual(taken(), [])
    const { rows } = await database.pool.query(`select from pgboss.job where state in ('created', 'retry')`)
    equal(rows.length, 0)
  })

  test('is refused when its data does not fit, before it is enqueued and before it runs', async () => {
    await rejects(enqueue(''), /data of the job deliver-test is invalid: data\/to must NOT have fewer than 1 char/)
    await rejects(deliver.worker(delivered).run({ to: 7 }), /data\/to must be string/)
    deepEqual(taken(), [])
  })
})

describe('A timetable', () => {
  const next = (timetable: ReturnType<typeof minutes>, from: string) =>
    new Date(nextRun(timetable, Date.parse(from))).toISOString()

  test('runs half a second past its minute, in UTC', () => {
    equal(next(minutes(1), '2026-11-22T10:00:00.499Z'), '2026-11-22T10:00:00.500Z')
    equal(next(minutes(1), '2026-11-22T10:00:00.500Z'), '2026-11-22T10:01:00.500Z')
    equal(next(minutes(10), '2026-11-22T10:01:00Z'), '2026-11-22T10:10:00.500Z')
    equal(next(hourly(41), '2026-11-22T10:42:00Z'), '2026-11-22T11:41:00.500Z')
    equal(next(daily('04:17'), '2026-11-22T10:42:00Z'), '2026-11-23T04:17:00.500Z')
    equal(next(daily('04:17'), '2026-11-22T04:16:00Z'), '2026-11-22T04:17:00.500Z')
  })
})
