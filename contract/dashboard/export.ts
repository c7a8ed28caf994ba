import Type, { type TProperties } from 'typebox'
import { Line, OneOf } from '../formats.ts'
import { EXPORT_FORMATS } from './export-columns.ts'

// What a list exports as CSV (DSH-8). It is a POST, because it writes an entry of the audit log; the response is the
// file.

/** An export ends there. */
export const EXPORT_ROWS_MAX = 1_000_000

/**
 * @param filters those of the list, so that an export has exactly what the list shows
 * @param columns all that the list can export, in their usual order
 */
export const ExportBody = <Filters extends TProperties, const Columns extends readonly string[]>(
  filters: Filters,
  columns: Columns,
) =>
  Type.Object({
    ...filters,
    /** `comma` unless given. */
    format: Type.Optional(OneOf(EXPORT_FORMATS)),
    columns: Type.Optional(Type.Array(OneOf(columns), { minItems: 1, maxItems: columns.length, uniqueItems: true })),
    time_zone: Type.Optional(
      Type.Unsafe<string>({ ...Line(64), description: 'An IANA name; the zone of the business unless given.' }),
    ),
  })
