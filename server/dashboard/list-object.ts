import { TOTAL_MAX } from '../../contract/dashboard/list.ts'
import type { Page } from '../db/page.ts'

/**
 * The list envelope of the dashboard.
 *
 * @param counted how many match the whole filter, counted up to 10,001
 */
export function dashboardList<Row, Shown>({ rows, hasMore }: Page<Row>, counted: number, show: (row: Row) => Shown) {
  const total = counted > TOTAL_MAX ? null : counted
  return { object: 'list' as const, data: rows.map(show), has_more: hasMore, total }
}

/** A list that is never long, as one page. */
export const wholeList = <Row, Shown>(rows: readonly Row[], show: (row: Row) => Shown) =>
  dashboardList({ rows: [...rows], hasMore: false }, rows.length, show)
