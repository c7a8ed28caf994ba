import { Readable } from 'node:stream'
import { type CsvCell, csvHead, csvRows } from './csv.ts'

/** The columns that a list can export: the names in the first line, and the cell of a row. */
export type ExportColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>

interface CsvSource<Row> {
  columns: ExportColumns<Row>
  /** The columns that are written, in this order. */
  names: readonly string[]
  writeTime: (instant: Date) => string
  /** The rows after one, in the order of the list; from the first for `null`. */
  read(after: Row | null, limit: number): Promise<Row[]>
  rowsMax: number
}

const BLOCK_ROWS = 1_000

/**
 * The file as a stream. The next block is read when the receiver has taken the one before it, so memory does not grow
 * with the file; no transaction is open meanwhile. The stream breaks when a block cannot be read, so that a part of a
 * file is not taken for the whole.
 */
export function streamCsv<Row>(source: CsvSource<Row>): Readable {
  return Readable.from(blocksOf(source), { objectMode: true, highWaterMark: 1 })
}

async function* blocksOf<Row>({ columns, names, writeTime, read, rowsMax }: CsvSource<Row>): AsyncGenerator<string> {
  const cells = names.map((name) => columns[name] ?? (() => null))
  yield csvHead(names)
  let last: Row | null = null
  for (let written = 0; written < rowsMax; ) {
    const limit = Math.min(BLOCK_ROWS, rowsMax - written)
    const rows: Row[] = await read(last, limit)
    const cellsOf = (row: Row) => cells.map((cell) => cell(row))
    if (rows.length > 0) yield csvRows(rows.map(cellsOf), writeTime)
    if (rows.length < limit) return
    written += rows.length
    last = rows.at(-1) ?? null
  }
}
