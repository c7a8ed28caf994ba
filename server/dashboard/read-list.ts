import { boundedRead } from '../db/bounded-read.ts'
import type { Db } from '../db/connection.ts'
import type { Page, PageRequest } from '../db/page.ts'
import { countedWith } from './list-object.ts'

interface ListParts<Filter, Row> {
  /** Returns the filter; what has to be looked up for it is read here. */
  filter(reading: Db): Promise<Filter> | Filter
  /** Selects the ids of the page, in its order. */
  select(reading: Db, filter: Filter): Promise<Page<string>>
  /** Counts the rows that match, up to 10,001. */
  count(reading: Db, filter: Filter): Promise<number>
  /** Reads what is shown of the ids, in the order of the page. */
  rows(ids: readonly string[]): Promise<Row[]>
}

export interface ReadList<Filter, Row> {
  filter: Filter
  page: Page<Row>
  /** How many rows match the whole filter, counted up to 10,001. */
  counted: number
}

/**
 * Reads a list whose filter may match one row or a million. Its ids are selected and counted by statements that are
 * planned for the values of the filter. Its rows are read by their ids during the count, by a statement that is planned
 * once: a row joins many tables, and planning that takes longer than reading a page (measured).
 *
 * @throws ApiError `unavailable` when it takes longer than two seconds
 */
export async function readList<Filter, Row>(
  db: Db,
  request: PageRequest,
  parts: ListParts<Filter, Row>,
): Promise<ReadList<Filter, Row>> {
  const { rows, hasMore, ...read } = await boundedRead(db, async (reading) => {
    const filter = await parts.filter(reading)
    const ids = await parts.select(reading, filter)
    // Awaited after this connection is free again: reads that wait for each other's connection would use up the pool.
    const rows = parts.rows(ids.rows)
    rows.catch(() => {})
    return { filter, rows, hasMore: ids.hasMore, counted: await counted(reading, filter, ids) }
  })
  return { ...read, page: { rows: await rows, hasMore } }

  function counted(reading: Db, filter: Filter, ids: Page<string>): Promise<number> {
    return countedWith(ids, request, () => parts.count(reading, filter))
  }
}
