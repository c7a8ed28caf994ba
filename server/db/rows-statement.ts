import type { Db } from './connection.ts'
import { type Placeholders, run, type Statement, statement, type Values } from './statement.ts'

// A statement of the money path for several rows of one business at once. It has the same members as the statement for
// one row: where that one has the parameter `p.version`, this one has a column of the row that the member reads.

export interface RowsStatement extends Statement {
  /** Columns that each row must have, in addition to `businessId`. */
  readonly columns: readonly string[]
}

/**
 * @param write writes the members after `given`, which has a column of text for each parameter, and what they return. A
 * member that names a parameter reads a row of `given` under the alias `source`. `p.businessId` applies to all rows.
 */
export function rowsStatement(name: string, write: (p: Placeholders) => string): RowsStatement {
  const columns: string[] = []
  const row = new Proxy<Record<string, string>>(
    {},
    {
      get(_target, column: string) {
        if (column === 'businessId') return '$1'
        if (!columns.includes(column)) columns.push(column)
        return `source."${column}"`
      },
    },
  )
  const members = write(row)
  const made = statement(name, (p) => {
    // Parameters are numbered in the order in which they are named.
    const arrays = [p.businessId, ...columns.map((column) => p[column])].slice(1)
    return `with given as (
      select * from unnest(${arrays.map((array) => `${array}::text[]`).join(', ')})
        as given(${columns.map((column) => `"${column}"`).join(', ')})
    ), ${members}`
  })
  return { ...made, columns }
}

/** @param rows of one business */
export function runRows<Row extends object>(db: Db, statement: RowsStatement, rows: readonly Values[]): Promise<Row[]> {
  const values: Record<string, unknown> = { businessId: rows[0]?.businessId }
  for (const column of statement.columns) values[column] = rows.map((row) => textOf(statement, column, row[column]))
  return run<Row>(db, statement, values)
}

function textOf({ name }: RowsStatement, column: string, value: unknown): string | null {
  if (value === undefined) throw new Error(`The statement ${name} was given no ${column}`)
  if (value === null) return null
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return String(value)
}
