import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect } from '../db/connection.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { databaseRateLimiters, noRateLimiters, type RateLimiter } from './rate-limit.ts'

const LIMIT = { name: 'test', points: 5, seconds: 60 }

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

/** What another process of the service has. */
function open(url = database.url) {
  const { pool, close } = connect({ url, max: 4 })
  return { limiter: databaseRateLimiters(pool)(LIMIT), [Symbol.asyncDispose]: close }
}

const isRefusal = (error: unknown) => error instanceof ApiError && error.code === 'rate_limited'

async function countAccepted(limiters: RateLimiter[], times: number, key: string): Promise<number> {
  const consumed = Array.from({ length: times }, (_, index) => limiters[index % limiters.length]?.consume(key))
  const outcomes = await Promise.allSettled(consumed)
  for (const outcome of outcomes) if (outcome.status === 'rejected') ok(isRefusal(outcome.reason))
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

describe('A rate limit', () => {
  test('is shared by the processes of one database, exactly, also for calls at once', async () => {
    await using one = open()
    await using other = open()
    equal(await countAccepted([one.limiter, other.limiter], 20, newId()), LIMIT.points)
  })

  test('says what remains, then refuses with Retry-After', async () => {
    await using one = open()
    const key = newId()
    const remaining = []
    for (let i = 0; i < LIMIT.points; i++) remaining.push((await one.limiter.consume(key)).remaining)
    deepEqual(remaining, [4, 3, 2, 1, 0])

    await rejects(one.limiter.consume(key), (error: ApiError) => {
      const seconds = Number(error.detail.headers?.['retry-after'])
      ok(isRefusal(error) && seconds >= 1 && seconds <= 60)
      equal(error.detail.extra?.retry_after, seconds)
      const {
        'ratelimit-limit': limit,
        'ratelimit-remaining': left,
        'ratelimit-reset': reset,
      } = error.detail.headers ?? {}
      deepEqual([limit, left, reset], ['5', '0', String(seconds)])
      return true
    })
  })

  test('can be looked at without being counted', async () => {
    await using one = open()
    const key = newId()
    deepEqual(await one.limiter.look(key), { limit: 5, remaining: 5, resetSeconds: 60 })
    await one.limiter.consume(key)
    for (let n = 0; n < 9; n++) equal((await one.limiter.look(key)).remaining, 4)
    equal((await one.limiter.consume(key)).remaining, 3)
  })

  test('of one caller is nothing to another, nor is that of another name', async () => {
    await using one = open()
    const key = newId()
    await countAccepted([one.limiter], 6, key)
    equal((await one.limiter.consume(newId())).remaining, 4)
    const { pool, close } = connect({ url: database.url, max: 1 })
    equal((await databaseRateLimiters(pool)({ ...LIMIT, name: 'other' }).consume(key)).remaining, 4)
    await close()
  })

  test('takes any key: hostile ones count like others', async () => {
    await using one = open()
    for (const key of ["'; drop table rate_limit; --", 'x'.repeat(5_000), '🎂', '']) {
      equal((await one.limiter.consume(key)).remaining, 4, key.slice(0, 20))
    }
  })

  test('holds in this process while the database is away', async () => {
    await using one = open('postgres://nobody:x@127.0.0.1:9/none')
    equal(await countAccepted([one.limiter], 20, newId()), LIMIT.points)
  })

  test('is off when the operator of a staging service says so', async () => {
    equal(await countAccepted([noRateLimiters(LIMIT)], 100, 'key'), 100)
  })
})
