import { Temporal } from 'temporal-polyfill'
import type { Cadence } from '../../catalog/cadence.ts'
import { createBoundedMap } from '../../lib/bounded-map.ts'

declare const kind: unique symbol
/** Calendar day `YYYY-MM-DD`, years 0001 to 9999. Days compare as text. */
export type Day = string & { readonly [kind]: 'day' }

const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/

/** @returns `null` for any other text, and for a day that does not exist: `2027-02-30` */
export function readDay(text: string): Day | null {
  if (!DAY.test(text)) return null
  try {
    return toDay(plain(text as Day))
  } catch {
    return null
  }
}

/** Returns the local day at an instant. */
export function dayOf(instant: Date, zone: string): Day {
  return toDay(Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDate())
}

/**
 * Returns the first instant of a local day. That is not midnight where a clock change skips midnight; for a day that a
 * zone skipped altogether, it is the instant at which the next day begins.
 *
 * @see BIL-1
 */
export function instantOf(day: Day, zone: string): Date {
  const key = `${day} ${zone}`
  const known = instants.get(key)
  if (known !== undefined) return new Date(known)
  const milliseconds = plain(day).toZonedDateTime(zone).epochMilliseconds
  instants.set(key, milliseconds)
  return new Date(milliseconds)
}

/** Setting of a business whose bills are charged at the first instant of their day. */
const FIRST_INSTANT = '00:00'

/**
 * Returns when a local clock shows a time of a day. In the hour that clocks show twice it is the first occurrence; a
 * time that clocks skip is moved later by as much as they were set forward.
 *
 * @param time `HH:MM`; 00:00 is the first instant of the day, even where that is 01:00
 * @see BIL-4
 */
export function timeOn(day: Day, time: string, zone: string): Date {
  if (time === FIRST_INSTANT) return instantOf(day, zone)
  const at = plain(day).toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) })
  return new Date(at.epochMilliseconds)
}

/** Returns the last local day on which that time has been reached. */
export function lastDayAfter(time: string, now: Date, zone: string): Day {
  const today = dayOf(now, zone)
  return timeOn(today, time, zone) <= now ? today : addDays(today, -1)
}

/** Returns the first instant after a local day, even after the last supported day. */
export const endOf = (day: Day, zone: string): Date =>
  new Date(plain(day).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds)

/** Cached because resolving a zone takes 10 µs, and a list of subscriptions has three instants in each row. */
const instants = createBoundedMap<number>()

/** Returns the first local day that begins at the instant or after it. */
export function dayStartingAtOrAfter(instant: Date, zone: string): Day {
  let day = dayOf(instant, zone)
  while (instantOf(day, zone) < instant) day = addDays(day, 1)
  return day
}

export function addDays(day: Day, days: number): Day {
  return toDay(plain(day).add({ days }))
}

/** Returns the number of days between two days; negative if the second day is the earlier one. */
export function daysBetween(from: Day, to: Day): number {
  return plain(from).until(plain(to), { largestUnit: 'day' }).days
}

/**
 * Returns the k-th billing day, counted from the anchor itself. A month that lacks the anchor's day bills on its last
 * day, and the next month bills on the anchor's day again.
 *
 * @param k 0 is the anchor
 * @see BIL-6
 */
export function billingDay(anchor: Day, { interval, count }: Cadence, k: number): Day {
  return toDay(plain(anchor).add({ [`${interval}s`]: count * k }))
}

/** Returns the smallest k whose billing day is the given day or later; 0 for a day before the anchor. */
export function periodIndexAtOrAfter(anchor: Day, cadence: Cadence, day: Day): number {
  if (day <= anchor) return 0
  const k = wholeIntervals(anchor, cadence, day)
  return billingDay(anchor, cadence, k) < day ? k + 1 : k
}

/** Returns the k of the period that contains a day. A billing day is the first day of its own period. */
export function periodIndexContaining(anchor: Day, cadence: Cadence, day: Day): number {
  if (day < anchor) throw new RangeError(`${day} is before the first period, which begins on ${anchor}`)
  const k = wholeIntervals(anchor, cadence, day)
  return billingDay(anchor, cadence, k) <= day ? k : k - 1
}

/**
 * Returns the whole intervals between two days. If the interval counts months, only the months are compared, so the
 * result may be one too many.
 */
function wholeIntervals(anchor: Day, { interval, count }: Cadence, day: Day): number {
  if (interval === 'day') return Math.floor(daysBetween(anchor, day) / count)
  if (interval === 'week') return Math.floor(daysBetween(anchor, day) / (7 * count))
  const months = monthNumber(day) - monthNumber(anchor)
  return Math.floor(months / (interval === 'year' ? 12 * count : count))
}

function monthNumber(day: Day): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
}

function plain(day: Day): Temporal.PlainDate {
  return Temporal.PlainDate.from(day)
}

function toDay(date: Temporal.PlainDate): Day {
  if (date.year < 1 || date.year > 9999) throw new RangeError(`The year ${date.year} is not between 1 and 9999`)
  return date.toString() as Day
}
