import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { until } from '../../test/support/until.ts'
import { connect } from '../db/connection.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { createKeyring } from '../lib/keyring.ts'
import { databaseRateLimiters } from './database-rate-limit.ts'
import { memoryRateLimiters } from './memory-rate-limit.ts'
import { noRateLimiters, type RateLimiter } from './rate-limit.ts'
import { deleteExpiredCounters } from './rate-limit-queries.ts'

const LIMIT = { name: 'test', points: 5, seconds: 60 }
const keyring = createKeyring([randomBytes(32)])

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

/** Creates a clock that the test sets; both of its times agree. */
function settableClock(start = Date.now()) {
  const clock = { time: start, now: () => new Date(clock.time), monotonicMs: () => clock.time }
  return clock
}

/** Opens what another process of the service has. */
function open({ url = database.url, limit = LIMIT, clock = settableClock() } = {}) {
  const { db, pool, close } = connect({ url, max: 4 })
  const queries = { count: 0 }
  pool.on('acquire', () => queries.count++)
  const make = databaseRateLimiters({ db, keyring, clock })
  return { db, clock, queries, make, limiter: make(limit), [Symbol.asyncDispose]: close }
}

const isRefusal = (error: unknown) => error instanceof ApiError && error.code === 'rate_limited'

async function countAccepted(limiters: RateLimiter[], times: number, key: string): Promise<number> {
  const consumed = Array.from({ length: times }, (_, index) => limiters[index % limiters.length]?.consume(key))
  const outcomes = await Promise.allSettled(consumed)
  for (const outcome of outcomes) if (outcome.status === 'rejected') ok(isRefusal(outcome.reason))
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

/** @returns seconds of `Retry-After`; `null` when the request was admitted */
async function attempt(limiter: RateLimiter, key: string): Promise<number | null> {
  try {
    await limiter.consume(key)
    return null
  } catch (error) {
    if (!isRefusal(error)) throw error
    return Number((error as ApiError).detail.headers?.['retry-after'])
  }
}

describe('A rate limit', () => {
  test('is shared exactly by the processes of one database, also for concurrent calls', async () => {
    await using one = open()
    await using other = open()
    equal(await countAccepted([one.limiter, other.limiter], 40, newId()), LIMIT.points)
  })

  test('reports what remains, then refuses with Retry-After', async () => {
    await using one = open()
    const key = newId()
    const remaining = []
    for (let i = 0; i < LIMIT.points; i++) remaining.push((await one.limiter.consume(key)).remaining)
    deepEqual(remaining, [4, 3, 2, 1, 0])

    one.clock.time += 17_500
    await rejects(one.limiter.consume(key), (error: ApiError) => {
      ok(isRefusal(error))
      equal(error.detail.extra?.retry_after, 43)
      deepEqual(error.detail.headers, {
        'retry-after': '43',
        'ratelimit-limit': '5',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '43',
      })
      return true
    })
  })

  test('can be read without counting', async () => {
    await using one = open()
    const key = newId()
    deepEqual(await one.limiter.look(key), { limit: 5, remaining: 5, resetSeconds: 60 })
    await one.limiter.consume(key)
    for (let n = 0; n < 9; n++) equal((await one.limiter.look(key)).remaining, 4)
    equal((await one.limiter.consume(key)).remaining, 3)
    await countAccepted([one.limiter], 9, key)
    equal((await one.limiter.look(key)).remaining, 0)
  })

  test('of one caller does not affect another caller, nor a limit of another name', async () => {
    await using one = open()
    const key = newId()
    await countAccepted([one.limiter], 6, key)
    equal((await one.limiter.consume(newId())).remaining, 4)
    equal((await one.make({ ...LIMIT, name: 'other' }).consume(key)).remaining, 4)
  })

  test('accepts any key: hostile keys count like others, long ones are distinguished', async () => {
    await using one = open()
    for (const key of ["'; drop table rate_limit; --", 'x'.repeat(5_000), 'x'.repeat(5_001), '🎂', '', '\0']) {
      equal((await one.limiter.consume(key)).remaining, 4, key.slice(0, 20))
    }
  })

  test('stores no key in clear', async () => {
    await using one = open()
    await one.limiter.consume('the token of somebody')
    const rows = await one.db.selectFrom('rate_limit').selectAll().execute()
    ok(rows.length > 0)
    for (const { key } of rows) ok(/^[\w-]{43}$/.test(key), key)
  })

  test('needs no query for callers over it', async () => {
    await using one = open()
    const key = newId()
    await countAccepted([one.limiter], 9, key)
    const before = one.queries.count
    equal(await countAccepted([one.limiter], 100, key), 0)
    equal(one.queries.count, before)
    one.clock.time += 60_000
    equal(await attempt(one.limiter, key), null)
    equal(one.queries.count, before + 1)
  })

  test('holds in this process while the database is away', async () => {
    await using one = open({ url: 'postgres://nobody:x@127.0.0.1:9/none' })
    equal(await countAccepted([one.limiter], 20, newId()), LIMIT.points)
  })

  test('is off when the operator of a staging service turns it off', async () => {
    equal(await countAccepted([noRateLimiters(LIMIT)], 100, 'key'), 100)
  })

  test('keeps no row for longer than its window', async () => {
    await using one = open()
    await one.limiter.consume(newId())
    await deleteExpiredCounters(one.db, new Date(one.clock.time + 59_000))
    ok((await one.db.selectFrom('rate_limit').select('key').execute()).length > 0)
    await deleteExpiredCounters(one.db, new Date(Date.now() + 600_000))
    deepEqual(await one.db.selectFrom('rate_limit').select('key').execute(), [])
  })
})

describe('A rate limit slides', () => {
  test('in real time: no second sees more than the limit of a second', async () => {
    const { db, close } = connect({ url: database.url, max: 4 })
    const limiter = databaseRateLimiters({ db, keyring })({ name: 'real', points: 5, seconds: 1 })
    const admitted: { called: number; returned: number }[] = []
    const key = newId()
    const start = performance.now()
    const consume = async () => {
      const called = performance.now() - start
      if ((await attempt(limiter, key)) === null) admitted.push({ called, returned: performance.now() - start })
    }
    await consume()
    await sleep(900)
    await until('the limit was reached twice', async () => {
      await consume()
      return performance.now() - start > 2_200 && admitted.length >= 10
    })
    await close()
    // Six are too many only if all were certainly in one second: from the first call to the last return.
    const sixes = admitted.slice(5).map(({ returned }, index) => returned - (admitted[index]?.called ?? 0))
    ok(Math.min(...sixes) >= 980, JSON.stringify(admitted))
  })

  /** Gaps that often add up to the window of a second, or miss it by a millisecond. */
  const gaps = fc.oneof(fc.constantFrom(0, 1, 99, 100, 101, 250, 499, 500, 501, 999, 1_000), fc.nat(1_100))
  const schedules = fc.array(gaps, { minLength: 1, maxLength: 60 })
  const limits = fc.integer({ min: 1, max: 8 })

  test('in memory, whatever the schedule: never more than the limit, never fewer', async () => {
    const clock = settableClock()
    const make = memoryRateLimiters(clock)
    await fc.assert(
      fc.asyncProperty(limits, schedules, async (points, gaps) => {
        await follow(make({ name: newId(), points, seconds: 1 }), clock, points, gaps)
      }),
      { numRuns: 500 },
    )
  })

  test('in the database, whatever the schedule: never more than the limit, never fewer', async () => {
    await using one = open()
    await fc.assert(
      fc.asyncProperty(limits, schedules, async (points, gaps) => {
        const limit = { name: newId(), points, seconds: 1 }
        // A limiter for each request: one that remembers who is over would not ask the database.
        const consume = (key: string) => one.make(limit).consume(key)
        await follow({ ...one.make(limit), consume }, one.clock, points, gaps)
      }),
      { numRuns: 40 },
    )
  })

  test('over processes whose clocks differ, with an error of that difference at most', async () => {
    const limit = { name: newId(), points: 4, seconds: 1 }
    await using ahead = open({ limit })
    await using behind = open({ limit, clock: settableClock(ahead.clock.time - 300) })
    const admitted: number[] = []
    const start = behind.clock.time
    for (let n = 0; n < 200; n++) {
      const one = n % 3 === 0 ? behind : ahead
      if ((await attempt(one.limiter, 'key')) === null) admitted.push(behind.clock.time - start)
      for (const { clock } of [ahead, behind]) clock.time += 40
    }
    ok(mostIn(admitted, 1_000 - 300) <= 4, admitted.join(' '))
    ok(admitted.length > 16, `${admitted.length}`)
  })

  test('a lower limit in a new version holds at once', async () => {
    await using one = open({ limit: { name: 'lowered', points: 8, seconds: 1 } })
    equal(await countAccepted([one.limiter], 8, 'key'), 8)
    const lowered = one.make({ name: 'lowered', points: 3, seconds: 1 })
    ok((await attempt(lowered, 'key')) !== null)
    one.clock.time += 1_000
    equal(await countAccepted([lowered], 9, 'key'), 3)
  })

  test('a clock that was hours ahead and is corrected locks no caller out', async () => {
    const wrong = settableClock(Date.now() + 7_200_000)
    await using one = open({ clock: wrong })
    equal(await countAccepted([one.limiter], 9, 'clock'), 5)
    await using other = open()
    equal(await countAccepted([other.limiter], 9, 'clock'), 5)
  })
})

/** Sends a request after each gap, in milliseconds, and checks the result against the plain definition of the limit. */
async function follow(
  limiter: RateLimiter,
  clock: { time: number },
  points: number,
  gaps: readonly number[],
): Promise<void> {
  const admitted: number[] = []
  for (const gap of gaps) {
    clock.time += gap
    const inWindow = admitted.filter((instant) => instant > clock.time - 1_000).length
    const wait = await attempt(limiter, 'key')
    equal(wait === null, inWindow < points, `${inWindow} of ${points} in the window`)
    if (wait === null) admitted.push(clock.time)
    else equal(admittedAfter(admitted, points, clock.time, wait), true, `Retry-After ${wait}`)
    const { remaining } = await limiter.look('key')
    equal(remaining, points - admitted.filter((instant) => instant > clock.time - 1_000).length)
  }
  ok(mostIn(admitted, 1_000) <= points)
}

/** Whether a caller is admitted after the seconds that it was told, and not a second earlier. */
function admittedAfter(admitted: number[], points: number, now: number, seconds: number): boolean {
  const isFree = (instant: number) => admitted.filter((other) => other > instant - 1_000).length < points
  return isFree(now + seconds * 1_000) && !isFree(now + (seconds - 1) * 1_000)
}

/** Returns the highest number of instants in one half-open window. */
const mostIn = (instants: number[], window: number) =>
  Math.max(
    0,
    ...instants.map((from) => instants.filter((instant) => instant >= from && instant < from + window).length),
  )
