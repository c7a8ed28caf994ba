import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Cadence } from '../../catalog/cadence.ts'
import {
  addDays,
  billingDay,
  type Day,
  dayOf,
  daysBetween,
  endOf,
  instantOf,
  periodIndexAtOrAfter,
  periodIndexContaining,
  readDay,
} from './calendar.ts'

const RUNS = { numRuns: 1_000, seed: 1 }
const DAY_MS = 86_400_000

const CADENCES: Cadence[] = [
  { interval: 'day', count: 1 },
  { interval: 'week', count: 1 },
  { interval: 'week', count: 2 },
  { interval: 'month', count: 1 },
  { interval: 'month', count: 3 },
  { interval: 'month', count: 6 },
  { interval: 'year', count: 1 },
]
const MONTHLY: Cadence = { interval: 'month', count: 1 }

const day = (text: string) => text as Day
/** Days as the `Date` of their midnight in UTC, which has no clock changes: arithmetic independent of the product's. */
const utcDay = (date: Date) => day(date.toISOString().slice(0, 10))
const utcMidnight = (text: Day) => Date.parse(text)

const anyDay = fc
  .integer({ min: utcMidnight(day('2000-01-01')) / DAY_MS, max: utcMidnight(day('2040-12-31')) / DAY_MS })
  .map((number) => utcDay(new Date(number * DAY_MS)))
const anyCadence = fc.constantFrom(...CADENCES)

describe('A day', () => {
  for (const text of ['2024-02-29', '0001-01-01', '9999-12-31', '2027-01-31']) {
    test(`${text} is one`, () => equal(readDay(text), text))
  }

  const none = [
    ...['2027-02-30', '2023-02-29', '2024-13-01', '2024-00-10', '2024-01-00', '0000-01-01', '-00001-01-01'],
    ...['12024-01-01', '+012024-01-01', '2024-1-1', '20240101', '2024-01-01T00:00:00Z', '2024-01-01 ', '2024-W01-1'],
    ...['2024-01-01[u-ca=hebrew]', '', 'today', '2024-01-01\n', '２０２４-01-01'],
  ]
  for (const text of none) test(`${JSON.stringify(text)} is not one`, () => equal(readDay(text), null))

  test('is one exactly when the calendar has it: every text from 2019-00-00 to 2024-13-32', () => {
    let wrong = 0
    for (let year = 2019; year <= 2024; year++) {
      for (let month = 0; month <= 13; month++) {
        for (let date = 0; date <= 32; date++) {
          const text = `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
          const time = new Date(Date.UTC(year, month - 1, date))
          if ((readDay(text) === text) !== (utcDay(time) === text)) wrong++
        }
      }
    }
    equal(wrong, 0)
  })

  test('moves by days, and counts the days to another, also backwards', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -20_000, max: 20_000 }), (from, days) => {
        const to = addDays(from, days)
        equal(to, utcDay(new Date(utcMidnight(from) + days * DAY_MS)))
        equal(daysBetween(from, to), days)
      }),
      RUNS,
    )
  })

  test('ends where the next one begins, also the last one', () => {
    for (const zone of ['UTC', 'America/Toronto', 'America/Santiago', 'Pacific/Apia'])
      for (const text of ['2011-12-29', '2011-12-30', '2027-03-14', '2027-11-07', '2027-09-04'])
        deepEqual(endOf(day(text), zone), instantOf(addDays(day(text), 1), zone), `${text} ${zone}`)
    equal(endOf(day('9999-12-31'), 'UTC').toISOString(), '+010000-01-01T00:00:00.000Z')
  })

  test('does not exist after the year 9999', () => throws(() => addDays(day('9999-12-31'), 1), RangeError))
})

describe('The billing days (BIL-6)', () => {
  const first = (anchor: string, cadence: Cadence, count: number) =>
    Array.from({ length: count }, (_, k) => billingDay(day(anchor), cadence, k))

  test('of 31 January are the last days of shorter months, and the 31st again', () => {
    deepEqual(first('2023-01-31', MONTHLY, 5), ['2023-01-31', '2023-02-28', '2023-03-31', '2023-04-30', '2023-05-31'])
  })

  test('of 29 February, yearly, are 28 February until the next leap year', () => {
    const days = ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']
    deepEqual(first('2024-02-29', { interval: 'year', count: 1 }, 5), days)
  })

  test('of 28 February stay on the 28th', () => {
    deepEqual(first('2023-02-28', MONTHLY, 3), ['2023-02-28', '2023-03-28', '2023-04-28'])
  })

  test('by months: the month is k intervals later, and the day the smaller of the anchor and the month', () => {
    fc.assert(
      fc.property(anyDay, anyCadence, fc.integer({ min: 0, max: 600 }), (anchor, cadence, k) => {
        fc.pre(cadence.interval === 'month' || cadence.interval === 'year')
        const [year = 0, month = 0, date = 0] = anchor.split('-').map(Number)
        const months = k * cadence.count * (cadence.interval === 'year' ? 12 : 1)
        const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
        const expected = new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)))
        equal(billingDay(anchor, cadence, k), utcDay(expected))
      }),
      RUNS,
    )
  })

  test('by days and weeks: the same number of days apart, so the same weekday', () => {
    fc.assert(
      fc.property(anyDay, anyCadence, fc.integer({ min: 0, max: 600 }), (anchor, { interval, count }, k) => {
        fc.pre(interval === 'day' || interval === 'week')
        const apart = (interval === 'week' ? 7 : 1) * count
        const billed = billingDay(anchor, { interval, count }, k)
        equal(billed, utcDay(new Date(utcMidnight(anchor) + k * apart * DAY_MS)))
        if (interval === 'week') equal(new Date(billed).getUTCDay(), new Date(anchor).getUTCDay())
      }),
      RUNS,
    )
  })

  test('strictly increase, from the anchor on', () => {
    fc.assert(
      fc.property(anyDay, anyCadence, fc.integer({ min: 0, max: 600 }), (anchor, cadence, k) => {
        equal(billingDay(anchor, cadence, 0), anchor)
        ok(billingDay(anchor, cadence, k) < billingDay(anchor, cadence, k + 1))
      }),
      RUNS,
    )
  })

  test('of a year are as many as its cadence says', () => {
    const perYear: [Cadence, number][] = [
      [MONTHLY, 12],
      [{ interval: 'month', count: 3 }, 4],
      [{ interval: 'month', count: 6 }, 2],
      [{ interval: 'year', count: 1 }, 1],
    ]
    fc.assert(
      fc.property(
        anyDay,
        fc.constantFrom(...perYear),
        fc.integer({ min: 1, max: 30 }),
        (anchor, [cadence, bills], years) => {
          const year = Number(anchor.slice(0, 4)) + years
          const from = periodIndexAtOrAfter(anchor, cadence, day(`${year}-01-01`))
          equal(periodIndexAtOrAfter(anchor, cadence, day(`${year + 1}-01-01`)) - from, bills)
        },
      ),
      RUNS,
    )
  })
})

describe('The period of a day', () => {
  test('is the one that begins on it or last before it', () => {
    fc.assert(
      fc.property(anyDay, anyCadence, fc.integer({ min: 0, max: 8_000 }), (anchor, cadence, later) => {
        const on = addDays(anchor, later)
        const k = periodIndexContaining(anchor, cadence, on)
        ok(billingDay(anchor, cadence, k) <= on)
        ok(on < billingDay(anchor, cadence, k + 1))
      }),
      RUNS,
    )
  })

  test('at or after a day is the first that has not begun before it', () => {
    fc.assert(
      fc.property(anyDay, anyCadence, fc.integer({ min: -400, max: 8_000 }), (anchor, cadence, later) => {
        const on = addDays(anchor, later)
        const k = periodIndexAtOrAfter(anchor, cadence, on)
        ok(k >= 0)
        ok(on <= billingDay(anchor, cadence, k))
        ok(k === 0 || billingDay(anchor, cadence, k - 1) < on)
      }),
      RUNS,
    )
  })

  test('of a billing day is its own, both ways, around every month end of a leap year', () => {
    for (const cadence of CADENCES) {
      for (let k = 0; k < 30; k++) {
        const on = billingDay(day('2023-08-31'), cadence, k)
        equal(periodIndexContaining(day('2023-08-31'), cadence, on), k)
        equal(periodIndexAtOrAfter(day('2023-08-31'), cadence, on), k)
      }
    }
  })

  test('does not exist before the anchor', () => {
    throws(() => periodIndexContaining(day('2024-02-01'), MONTHLY, day('2024-01-31')), RangeError)
  })
})

// The following tests compare with Intl alone, which knows the zones and has no arithmetic.

const formats = new Map<string, Intl.DateTimeFormat>()

function intlDay(time: number, timeZone: string): string {
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', options)
  formats.set(timeZone, format)
  return format.format(time)
}

/** Returns the first minute whose local day is the given one or, for a day that the zone skipped, a later one. */
function intlStart(on: Day, timeZone: string): number {
  let time = utcMidnight(on) - 15 * 3_600_000
  while (intlDay(time, timeZone) < on) time += 60_000
  return time
}

describe('The first instant of a local day (BIL-1)', () => {
  const rows: [on: string, zone: string, instant: string, why: string][] = [
    ['2024-03-10', 'America/Toronto', '2024-03-10T05:00:00.000Z', 'the clock changes later that day'],
    ['2024-03-11', 'America/Toronto', '2024-03-11T04:00:00.000Z', 'the day after the change'],
    ['2024-11-03', 'America/Toronto', '2024-11-03T04:00:00.000Z', 'a day of 25 hours'],
    ['2024-07-01', 'America/St_Johns', '2024-07-01T02:30:00.000Z', 'half an hour off'],
    ['2024-04-26', 'Africa/Cairo', '2024-04-25T22:00:00.000Z', 'midnight is skipped: the day begins at 01:00'],
    ['2023-11-05', 'America/Havana', '2023-11-05T04:00:00.000Z', 'midnight comes twice: the first counts'],
    ['2011-12-29', 'Pacific/Apia', '2011-12-29T10:00:00.000Z', 'the day before the one that Samoa skipped'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 'Samoa skipped the day: the next begins'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 'the day after the one that Samoa skipped'],
    ['2010-11-07', 'America/St_Johns', '2010-11-07T02:30:00.000Z', 'the clock went back at 00:01'],
  ]
  for (const [on, zone, instant, why] of rows) {
    test(`${on} in ${zone} is ${instant}: ${why}`, () => {
      equal(instantOf(day(on), zone).toISOString(), instant)
      equal(intlStart(day(on), zone), Date.parse(instant))
    })
  }

  test('agrees with Intl, and its local day is that day', () => {
    const zones = ['America/Toronto', 'America/Vancouver', 'America/St_Johns', 'America/Phoenix', 'America/Juneau']
    const others = ['Pacific/Auckland', 'Pacific/Apia', 'Africa/Cairo', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...zones, ...others), (on, zone) => {
        fc.pre(on !== '2011-12-30' || zone !== 'Pacific/Apia')
        const start = instantOf(on, zone)
        equal(start.getTime(), intlStart(on, zone))
        equal(dayOf(start, zone), on)
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  test('agrees with Intl on every day of 2024 in zones that change their clocks at midnight', () => {
    for (const zone of ['Africa/Cairo', 'America/Havana', 'Asia/Beirut', 'America/Asuncion']) {
      for (let number = 0; number < 366; number++) {
        const on = addDays(day('2024-01-01'), number)
        const start = instantOf(on, zone).getTime()
        deepEqual([intlDay(start, zone), intlDay(start - 1, zone)], [on, addDays(on, -1)])
      }
    }
  })
})

describe('The local day of an instant', () => {
  test('agrees with Intl', () => {
    const instant = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) })
    const zone = fc.constantFrom('America/St_Johns', 'Pacific/Auckland', 'Pacific/Apia', 'Africa/Cairo', 'UTC')
    fc.assert(
      fc.property(instant, zone, (time, timeZone) => equal(dayOf(new Date(time), timeZone), intlDay(time, timeZone))),
      RUNS,
    )
  })
})
