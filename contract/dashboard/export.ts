import Type, { type TProperties } from 'typebox'
import { Line, OneOf } from '../formats.ts'
import { EXPORT_FORMATS } from './export-columns.ts'

// Exports of lists as CSV (DSH-8). An export is a POST, because it writes an entry of the audit log; the response is
// the file.

/** Maximum number of rows in an export. */
export const EXPORT_ROWS_MAX = 1_000_000

/**
 * Returns the schema of the body of an export.
 *
 * @param filters the filters of the list, so that an export has exactly what the list shows
 * @param columns all columns that the list can export, in their usual order
 */
export const ExportBody = <Filters extends TProperties, const Columns extends readonly string[]>(
  filters: Filters,
  columns: Columns,
) =>
  Type.Object({
    ...filters,
    /** `comma` by default. */
    format: Type.Optional(OneOf(EXPORT_FORMATS)),
    columns: Type.Optional(Type.Array(OneOf(columns), { minItems: 1, maxItems: columns.length, uniqueItems: true })),
    time_zone: Type.Optional(
      Type.Unsafe<string>({ ...Line(64), description: 'An IANA name; the zone of the business unless given.' }),
    ),
  })
