import { TOTAL_MAX } from '../../contract/dashboard/list.ts'
import type { Page, PageRequest } from '../db/page.ts'

/**
 * Returns the list envelope of the dashboard.
 *
 * @param counted how many rows match the whole filter, counted up to 10,001
 */
export function dashboardList<Row, Shown>({ rows, hasMore }: Page<Row>, counted: number, show: (row: Row) => Shown) {
  const total = counted > TOTAL_MAX ? null : counted
  return { object: 'list' as const, data: rows.map(show), has_more: hasMore, total }
}

/**
 * Counts the rows that match the whole filter. A first page without a second has them all, so a filter that matches few
 * rows is not run twice.
 *
 * @param count counts the rows, up to 10,001
 */
export const countedWith = async (
  { rows, hasMore }: Page<unknown>,
  { starting_after: after, ending_before: before }: PageRequest,
  count: () => Promise<number>,
): Promise<number> => (hasMore || after !== undefined || before !== undefined ? count() : rows.length)

/** Returns a list that is never long, as one page. */
export const wholeList = <Row, Shown>(rows: readonly Row[], show: (row: Row) => Shown) =>
  dashboardList({ rows: [...rows], hasMore: false }, rows.length, show)
