import type { Page } from '../db/page.ts'

/** API-10. */
export function listObject<Row, Shown>({ rows, hasMore }: Page<Row>, show: (row: Row) => Shown) {
  return { object: 'list' as const, data: rows.map(show), has_more: hasMore }
}
