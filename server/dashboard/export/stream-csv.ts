import { Readable } from 'node:stream'
import type { ExportFormat } from '../../../contract/dashboard/export-columns.ts'
import { type CsvCell, csvHead, csvRows } from './csv.ts'

/** Columns that a list can export: the name in the first line, and the cell of a row. */
export type ExportColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>

interface CsvSource<Row> {
  columns: ExportColumns<Row>
  /** Columns to write, in this order. */
  names: readonly string[]
  format: ExportFormat
  writeTime: (instant: Date) => string
  /** Reads the rows that follow `after` in the order of the list; for `null`, from the first row. */
  read(after: Row | null, limit: number): Promise<Row[]>
  rowsMax: number
}

const BLOCK_ROWS = 1_000

/**
 * Streams the file. The next block is read while the previous one is written and sent, and no further block until then,
 * so memory does not grow with the file. No transaction is open meanwhile. If a block cannot be read, the stream
 * breaks, so that nobody takes a part of the file for the whole.
 */
export function streamCsv<Row>(source: CsvSource<Row>): Readable {
  return Readable.from(blocksOf(source), { objectMode: true, highWaterMark: 1 })
}

async function* blocksOf<Row>({ columns, names, read, rowsMax, ...shape }: CsvSource<Row>): AsyncGenerator<string> {
  const cells = names.map((name) => columns[name] ?? (() => null))
  yield csvHead(names, shape.format)
  const cellsOf = (row: Row) => cells.map((cell) => cell(row))
  let left = rowsMax
  let ahead = readAhead(null, left)
  for (let rows = await ahead; rows.length > 0; rows = await ahead) {
    left -= rows.length
    const isLast = rows.length < BLOCK_ROWS || left === 0
    ahead = isLast ? Promise.resolve([]) : readAhead(rows.at(-1) ?? null, left)
    yield csvRows(rows.map(cellsOf), shape)
  }

  /** Starts to read a block. A failure breaks the stream when the block is due, not earlier. */
  function readAhead(after: Row | null, most: number): Promise<Row[]> {
    const block = read(after, Math.min(BLOCK_ROWS, most))
    block.catch(() => {})
    return block
  }
}
