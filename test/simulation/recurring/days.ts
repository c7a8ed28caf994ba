// Calendar days as whole numbers since 1970-01-01, and their instants by Intl: for the oracle, which must not share the
// engine's calendar.

/** Days since 1970-01-01. */
export type DayNumber = number

const DAY_MS = 86_400_000

export interface Cadence {
  unit: 'day' | 'week' | 'month' | 'year'
  count: number
}

/** Returns the day number in the proleptic Gregorian calendar, counted in eras of 400 years. */
export function dayNumber(year: number, month: number, day: number): DayNumber {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

export function civil(number: DayNumber): { year: number; month: number; day: number } {
  const shifted = number + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

const two = (value: number) => String(value).padStart(2, '0')

export function textOf(number: DayNumber): string {
  const { year, month, day } = civil(number)
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

export function dayFrom(text: string): DayNumber {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return dayNumber(year, month, day)
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Returns day k of a schedule, from its anchor. */
export function scheduledDay(anchor: DayNumber, { unit, count }: Cadence, k: number): DayNumber {
  if (unit === 'day') return anchor + k * count
  if (unit === 'week') return anchor + 7 * k * count
  const { year, month, day } = civil(anchor)
  const months = month - 1 + k * count * (unit === 'year' ? 12 : 1)
  const toYear = year + Math.floor(months / 12)
  const toMonth = (((months % 12) + 12) % 12) + 1
  return dayNumber(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth)))
}

/** Returns the smallest k whose day is the given one or later. */
export function firstAtOrAfter(anchor: DayNumber, cadence: Cadence, day: DayNumber): number {
  let k = 0
  while (scheduledDay(anchor, cadence, k) < day) k += 1
  return k
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const formats = new Map<string, Intl.DateTimeFormat>()
const found = new Map<string, number>()

export function localDay(ms: number, zone: string): DayNumber {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(zone, format)
  }
  return dayFrom(format.format(ms))
}

/** Returns the first instant of a local day, in milliseconds, by bisection. */
export function startOf(day: DayNumber, zone: string): number {
  const key = `${zone} ${day}`
  const known = found.get(key)
  if (known !== undefined) return known
  let before = day * DAY_MS - DAY_MS
  let after = day * DAY_MS + DAY_MS
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (localDay(middle, zone) >= day) after = middle
    else before = middle
  }
  found.set(key, after)
  return after
}

/** Returns the first instant at which a local clock shows that time of day, or a later one if it skips it. */
export function timeOf(day: DayNumber, time: string, zone: string): number {
  const key = `${zone} ${day} ${time}`
  const known = found.get(key)
  if (known !== undefined) return known
  const from = startOf(day, zone)
  let at = from
  while (localTime(at, zone) < time && at < from + DAY_MS + 2 * HOUR_MS) at += MINUTE_MS
  found.set(key, at)
  return at
}

const times = new Map<string, Intl.DateTimeFormat>()

function localTime(ms: number, zone: string): string {
  let format = times.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    times.set(zone, format)
  }
  return format.format(ms)
}
