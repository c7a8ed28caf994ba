import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { lastClose, nextClose } from './daily-close.ts'

// REF-17: the daily close, in the zone of the business.

const CASES: [what: string, time: string, zone: string, now: string, close: string][] = [
  ['at the minute', '23:00', 'America/Toronto', '2026-11-23T04:00:00Z', '2026-11-23T04:00:00.000Z'],
  ['a moment before', '23:00', 'America/Toronto', '2026-11-23T03:59:59Z', '2026-11-22T04:00:00.000Z'],
  ['by another zone', '23:00', 'America/Los_Angeles', '2026-11-23T04:00:00Z', '2026-11-22T07:00:00.000Z'],
  ['at midnight', '00:00', 'America/Toronto', '2026-11-22T12:00:00Z', '2026-11-22T05:00:00.000Z'],
  ['in summer time', '23:00', 'America/Toronto', '2026-07-02T12:00:00Z', '2026-07-02T03:00:00.000Z'],
  [
    'at a time that the change to summer time skips',
    '02:30',
    'America/Toronto',
    '2026-03-08T12:00:00Z',
    '2026-03-08T07:30:00.000Z',
  ],
  [
    'at a time that comes twice: the first',
    '01:30',
    'America/Toronto',
    '2026-11-01T12:00:00Z',
    '2026-11-01T05:30:00.000Z',
  ],
]

for (const [what, time, zone, now, close] of CASES) {
  test(`the last close ${what}`, () => equal(lastClose(time, zone, new Date(now)).toISOString(), close))
}

const NEXT: typeof CASES = [
  ['at the minute', '23:00', 'America/Toronto', '2026-11-23T04:00:00Z', '2026-11-24T04:00:00.000Z'],
  ['a moment before', '23:00', 'America/Toronto', '2026-11-23T03:59:59Z', '2026-11-23T04:00:00.000Z'],
  ['over a change of the clocks', '23:00', 'America/Toronto', '2026-11-01T04:00:00Z', '2026-11-02T04:00:00.000Z'],
  ['after the time that is skipped', '02:30', 'America/Toronto', '2026-03-08T12:00:00Z', '2026-03-09T06:30:00.000Z'],
]

for (const [what, time, zone, now, close] of NEXT) {
  test(`the next close ${what}`, () => equal(nextClose(time, zone, new Date(now)).toISOString(), close))
}
