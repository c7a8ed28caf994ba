import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addDays, type Day, dayOf, instantOf, lastDayAfter, timeOn } from './calendar.ts'

const RUNS = { numRuns: 1_000, seed: 1 }
const DAY_MS = 86_400_000

const day = (text: string) => text as Day
const anyDay = fc
  .integer({ min: Date.UTC(2000, 0, 1) / DAY_MS, max: Date.UTC(2040, 11, 31) / DAY_MS })
  .map((number) => day(new Date(number * DAY_MS).toISOString().slice(0, 10)))

describe('A time of a day (BIL-4)', () => {
  const TIMES: [zone: string, day: string, time: string, instant: string, why: string][] = [
    ['America/New_York', '2026-03-08', '00:00', '2026-03-08T05:00:00Z', 'the first instant, before the clocks change'],
    [
      'America/New_York',
      '2026-03-08',
      '01:59',
      '2026-03-08T06:59:00Z',
      'the last minute before the hour that is skipped',
    ],
    ['America/New_York', '2026-03-08', '03:00', '2026-03-08T07:00:00Z', 'the first minute after it'],
    ['America/New_York', '2026-03-08', '06:00', '2026-03-08T10:00:00Z', 'five hours after midnight'],
    ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30:00Z', 'shown twice: the first'],
    ['America/New_York', '2026-11-01', '06:00', '2026-11-01T11:00:00Z', 'seven hours after midnight'],
    ['America/New_York', '2026-11-01', '23:59', '2026-11-02T04:59:00Z', 'the last minute'],
    ['America/St_Johns', '2026-03-08', '06:00', '2026-03-08T08:30:00Z', 'half an hour from the others'],
    ['Europe/London', '2026-03-29', '01:30', '2026-03-29T01:30:00Z', 'skipped there: an hour later by the clock'],
    ['Europe/Helsinki', '2026-03-29', '03:15', '2026-03-29T01:15:00Z', 'skipped there: an hour later by the clock'],
    ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45:00Z', 'half an hour shown twice: the first'],
    ['America/Havana', '2026-03-08', '00:00', '2026-03-08T05:00:00Z', 'midnight skipped: the first instant, 01:00'],
    ['America/Havana', '2026-03-08', '00:30', '2026-03-08T05:30:00Z', 'midnight skipped: half an hour after it'],
    ['America/Havana', '2026-11-01', '00:30', '2026-11-01T04:30:00Z', 'midnight shown twice: the first'],
  ]
  for (const [zone, on, time, instant, why] of TIMES) {
    test(`${time} of ${on} in ${zone}: ${why}`, () => {
      deepEqual(timeOn(day(on), time, zone), new Date(instant))
    })
  }

  test('is on that day, and never before its first instant', () => {
    const anyTime = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .filter(([hour]) => hour !== 2)
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
    const zones = fc.constantFrom('America/Toronto', 'America/Havana', 'Pacific/Auckland', 'Asia/Beirut', 'UTC')
    fc.assert(
      fc.property(anyDay, anyTime, zones, (on, time, zone) => {
        const at = timeOn(on, time, zone)
        equal(dayOf(at, zone), on)
        ok(at >= instantOf(on, zone))
        equal(lastDayAfter(time, at, zone), on)
        equal(lastDayAfter(time, new Date(at.getTime() - 1), zone), addDays(on, -1))
      }),
      RUNS,
    )
  })
})
