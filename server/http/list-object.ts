import type { Page } from '../db/page.ts'

/** Spec, «list envelope». */
export function listObject<Row, Shown>({ rows, hasMore }: Page<Row>, show: (row: Row) => Shown) {
  return { object: 'list' as const, data: rows.map(show), has_more: hasMore }
}
