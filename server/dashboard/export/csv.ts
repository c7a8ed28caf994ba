import { type Options, stringify } from 'csv-stringify/sync'
import { Temporal } from 'temporal-polyfill'
import type { Cents } from '../../lib/money.ts'

// CSV as RFC 4180 has it, for spreadsheets too: a byte order mark, so that they read accents, and no cell that they
// take for a formula (DSH-8). `csv-stringify` decides about quotes and line ends.

/** An amount in cents is written in major units with a decimal point. */
export type CsvCell = string | number | boolean | Date | { cents: Cents } | null

/** The first line: the names of the columns, behind the byte order mark. */
export const csvHead = (names: readonly string[]) =>
  stringify([names], { ...RFC_4180, bom: true, cast: { string: withoutFormula } })

/** Rows, each with its line end. */
export const csvRows = (rows: (readonly CsvCell[])[], writeTime: (instant: Date) => string) =>
  stringify(rows, {
    ...RFC_4180,
    cast: { string: withoutFormula, boolean: String, date: writeTime, object: amountText },
  })

/** The package quotes a cell for the line end of the file; a cell may also have half of one. */
const RFC_4180 = { record_delimiter: 'windows', quoted_match: /[\r\n]/ } satisfies Options

/**
 * What a spreadsheet takes for the beginning of a formula, as OWASP lists it. The guard of the package knows neither
 * line feed nor NUL.
 */
const FORMULA = /^[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/

const withoutFormula = (text: string) => (FORMULA.test(text) ? `'${text}` : text)

/** May begin with a minus: a number of ours is not a formula. */
function amountText(amount: object): string {
  const { cents } = amount as { cents: Cents }
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const QUARTER_MS = 900_000
const MINUTE_MS = 60_000

/**
 * Writes instants as ISO 8601 with the offset of the zone: `2027-03-01T09:30:00-05:00`. Offsets change at a quarter of
 * an hour, so one look-up serves all instants of a quarter; each takes 10 µs.
 */
export function timeWriter(zone: string): (instant: Date) => string {
  const offsets = new Map<number, number>()
  return (instant) => {
    const ms = instant.getTime()
    const quarter = Math.floor(ms / QUARTER_MS)
    const minutes = offsets.get(quarter) ?? offsetMinutes(ms, zone)
    offsets.set(quarter, minutes)
    return `${new Date(ms + minutes * MINUTE_MS).toISOString().slice(0, 19)}${offsetText(minutes)}`
  }
}

const offsetMinutes = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 60_000_000_000

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
