import type { Static, TSchema } from 'typebox'
import { EXPORT_ROWS_MAX } from '../../contract/dashboard/export.ts'
import type { ExportFormat } from '../../contract/dashboard/export-columns.ts'
import { TOTAL_MAX } from '../../contract/dashboard/list.ts'
import { audited } from '../audit/audited.ts'
import type { Db } from '../db/connection.ts'
import type { Clock } from '../lib/clock.ts'
import type { DashboardCall } from './dashboard-call.ts'
import type { Exported } from './defined-routes.ts'
import { streamCsv } from './export/stream-csv.ts'
import { timeWriterOf } from './time-writer-of.ts'

interface ExportRequest extends Record<string, unknown> {
  format?: ExportFormat
  columns?: string[]
  time_zone?: string
}

/**
 * Responds with everything that the filter of a list matches, as a file. The audit row is committed before the first
 * byte.
 */
export async function exportReply<Body extends TSchema, Row>(
  context: { db: Db; clock: Clock },
  { list, columns, count, read }: Pick<Exported<Body, Row>, 'list' | 'columns' | 'count' | 'read'>,
  call: DashboardCall<Static<Body>>,
) {
  const { format, columns: wanted, time_zone: zone, ...filter } = call.body as ExportRequest
  const { business, actor } = call.member
  const writeTime = timeWriterOf(business, zone)
  const counted = await count(call)
  const names = wanted ?? Object.keys(columns)
  const after = { filter, ...(format && { format }), columns: names, rows: counted > TOTAL_MAX ? null : counted }
  const entry = { businessId: business.id, actor, action: `${list}.export` } as const
  await audited(context, entry, async () => ({ result: null, object: null, after }))
  const day = writeTime(context.clock.now()).slice(0, 10)
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${list}-${day}.csv"`,
    },
    body: streamCsv({
      ...{ columns, names, writeTime, format: format ?? 'comma', rowsMax: EXPORT_ROWS_MAX },
      read: (last: Row | null, limit) => read(call, last, limit),
    }),
  }
}
