import { isRefusedStatement } from './database-errors.ts'

/** One step for several owners, written by one statement. */
export interface GroupedWrite<Row, Result> {
  /**
   * Writes rows in one transaction, without waiting for another's lock.
   *
   * @returns the results in the order of the rows; `undefined` for a row of which nothing was written
   */
  together(rows: readonly Row[]): Promise<(Result | undefined)[]>
  /** Writes one row, and waits for its lock. */
  alone(row: Row): Promise<Result>
}

interface Waiting<Row, Result> {
  row: Row
  resolve(result: Result | Promise<Result>): void
  reject(error: unknown): void
}

/** Maximum number of rows in a group; the commit takes a few milliseconds. */
const ROWS_MAX = 64

/**
 * Groups commits: rows that arrive while a group is being written form the next group. A row that a group cannot write
 * is written alone, and so is each row of a group that PostgreSQL refuses, so no row fails because of another. If it is
 * unknown whether a group was committed, each of its rows gets that error.
 */
export function groupedWrites<Row, Result>({
  together,
  alone,
}: GroupedWrite<Row, Result>): (row: Row) => Promise<Result> {
  const waiting: Waiting<Row, Result>[] = []
  let isWriting = false

  async function writeGroups(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, ROWS_MAX)
      const results = await together(group.map(({ row }) => row)).catch((error: unknown) => {
        if (isRefusedStatement(error)) return []
        for (const { reject } of group) reject(error)
        return null
      })
      if (results === null) continue
      for (const [index, { row, resolve }] of group.entries()) resolve(results[index] ?? Promise.try(alone, row))
    }
    isWriting = false
  }

  return (row) =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject })
      if (isWriting) return
      isWriting = true
      // Rows that come in the same turn of the event loop belong to this group.
      setImmediate(() => void writeGroups())
    })
}
