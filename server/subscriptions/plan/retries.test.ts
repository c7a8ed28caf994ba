import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Day } from './calendar.ts'
import { ATTEMPTS_MAX, nextAttemptDay, RETRY_OFFSETS_DAYS } from './retries.ts'

const day = (text: string) => text as Day

describe('The attempts of a bill (BIL-17)', () => {
  /** @param lateDays how much later than planned each attempt happens */
  function attempts(from: string, lateDays: number[] = []): string[] {
    const days: string[] = []
    for (let next: Day | null = day(from); next !== null && days.length < 10; ) {
      const late = Date.parse(next) + (lateDays[days.length] ?? 0) * 86_400_000
      const on = day(new Date(late).toISOString().slice(0, 10))
      days.push(on)
      next = nextAttemptDay(on, days.length)
    }
    return days
  }

  test('are four: on the day, and three days after the attempt before', () => {
    equal(ATTEMPTS_MAX, 4)
    deepEqual(RETRY_OFFSETS_DAYS, [0, 3, 3, 3])
    deepEqual(attempts('2024-02-29'), ['2024-02-29', '2024-03-03', '2024-03-06', '2024-03-09'])
  })

  test('move with a late one', () => {
    deepEqual(attempts('2024-01-10', [0, 2]), ['2024-01-10', '2024-01-15', '2024-01-18', '2024-01-21'])
  })

  test('begin on the day itself before any has failed', () => equal(nextAttemptDay(day('2024-01-10'), 0), '2024-01-10'))

  test('end with the fourth, also for a count that is out of range', () => {
    equal(nextAttemptDay(day('2024-01-10'), 4), null)
    equal(nextAttemptDay(day('2024-01-10'), 5), null)
  })
})
