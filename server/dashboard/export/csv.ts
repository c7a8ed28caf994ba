import { type Options, stringify } from 'csv-stringify/sync'
import { Temporal } from 'temporal-polyfill'
import type { ExportFormat } from '../../../contract/dashboard/export-columns.ts'
import type { Cents } from '../../lib/money.ts'
import { spreadsheetText } from './spreadsheet-text.ts'

// CSV as RFC 4180 has it. `csv-stringify` decides about quotes and line ends.

/** An amount in cents is written in major units. A `day` is written as it is; in a string, it is treated as text. */
export type CsvCell = string | number | boolean | Date | { cents: Cents } | { day: string } | null

interface CsvShape {
  bom: boolean
  delimiter: ',' | ';'
  decimal: '.' | ','
  text(given: string): string
}

/**
 * Shape for spreadsheets: a byte order mark lets them read accents, and texts are guarded against being read as
 * something else.
 */
const FOR_PEOPLE = { bom: true, text: spreadsheetText }
const SHAPES: Record<ExportFormat, CsvShape> = {
  comma: { ...FOR_PEOPLE, delimiter: ',', decimal: '.' },
  semicolon: { ...FOR_PEOPLE, delimiter: ';', decimal: ',' },
  plain: { bom: false, text: (given) => given, delimiter: ',', decimal: '.' },
}

/** Writes the first line: the names of the columns. */
export function csvHead(names: readonly string[], format: ExportFormat) {
  const { text, bom, delimiter } = SHAPES[format]
  return stringify([names], { ...RFC_4180, delimiter, bom, cast: { string: text } })
}

/** Writes rows, each with its line end. */
export function csvRows(
  rows: (readonly CsvCell[])[],
  { format, writeTime }: { format: ExportFormat; writeTime: (instant: Date) => string },
) {
  const { text, decimal, delimiter } = SHAPES[format]
  const number = (given: number) => String(given).replace('.', decimal)
  const object = (given: object) => ('day' in given ? String(given.day) : amountText(given, decimal))
  return stringify(rows, {
    ...RFC_4180,
    delimiter,
    cast: { string: text, boolean: String, date: writeTime, number, object },
  })
}

/**
 * Without `quoted_match`, the package quotes a cell only if it has the file's own line end or separator; half of a line
 * end, or the other separator, needs quotes, too.
 */
const RFC_4180 = { record_delimiter: 'windows', quoted_match: /[\r\n,;\t|]/ } satisfies Options

/** Writes an amount. It may begin with a minus sign, since our own number is not a formula. */
function amountText(amount: object, decimal: string): string {
  const { cents } = amount as { cents: Cents }
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}${decimal}${digits.slice(-2)}`
}

const QUARTER_MS = 900_000
const MINUTE_MS = 60_000

/**
 * Returns a function that writes instants as ISO 8601 with the offset of the zone: `2027-03-01T09:30:00-05:00`. Offsets
 * change only at a quarter of an hour, so one look-up, which takes 10 µs, serves all instants of a quarter.
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
