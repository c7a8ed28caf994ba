import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Attempt, deliveryTimings } from './delivery.ts'
import { attemptResult } from './retry-schedule.ts'

// EVT-8, EVT-9.

const now = new Date('2026-11-22T12:00:00Z')
const timings = deliveryTimings(1)
const MIDDLE = 0.5

function resultOf(status: number | null, given: { retries?: number; random?: number; retryAfter?: string } = {}) {
  const { retries = 0, random = MIDDLE, retryAfter = null } = given
  const response = status === null ? null : { status, headers: {}, body: '', retryAfter }
  const attempt: Attempt = { attemptedAt: now, durationMs: 1, response, error: response ? null : 'No response in time' }
  return attemptResult(attempt, { retries }, { timings, now, random })
}

function secondsUntil(result: ReturnType<typeof resultOf>): number {
  ok(result.status === 'pending')
  return (result.dueAt.getTime() - now.getTime()) / 1_000
}

describe('What follows an attempt', () => {
  test('2xx alone is a success', () => {
    for (const status of [200, 201, 202, 204, 299]) deepEqual(resultOf(status), { status: 'succeeded' })
    for (const status of [300, 301, 302, 307, 308, 400, 401, 404, 429, 500, 503, 599, null])
      equal(resultOf(status).status, 'pending', String(status))
  })

  test('it is retried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h', () => {
    const hours = (count: number) => count * 3_600
    const delays = [5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map(hours)]
    deepEqual(
      delays.map((_, retries) => secondsUntil(resultOf(500, { retries }))),
      delays,
    )
    deepEqual(resultOf(500, { retries: delays.length }), { status: 'failed', isGone: false })
  })

  test('the delay is 20 % shorter or longer at random', () => {
    equal(secondsUntil(resultOf(null, { retries: 1, random: 0 })), 240)
    equal(Math.round(secondsUntil(resultOf(null, { retries: 1, random: 0.999_999_9 }))), 360)
  })

  test('410 is the end', () => {
    deepEqual(resultOf(410), { status: 'failed', isGone: true })
  })

  test('Retry-After of 429 and 503 makes it later, never sooner, by an hour at most', () => {
    const inTenMinutes = new Date(now.getTime() + 600_000).toUTCString()
    const table: [number, string, number][] = [
      [429, '120', 120],
      [503, '120', 120],
      [503, '1', 5],
      [503, '0', 5],
      [429, inTenMinutes, 600],
      [429, 'Mon, 01 Jan 2001 00:00:00 GMT', 5],
      [429, '999999999', 3_600],
      [503, '9999999999999', 3_600],
      [503, 'Fri, 31 Dec 9999 23:59:59 GMT', 3_600],
      [503, 'soon', 5],
      [503, '-5', 5],
      [500, '120', 5],
      [302, '120', 5],
    ]
    for (const [status, retryAfter, seconds] of table)
      equal(secondsUntil(resultOf(status, { retryAfter })), seconds, `${status} ${retryAfter}`)
  })
})
