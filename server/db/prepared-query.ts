import pg from 'pg'

// The driver's own query sends its text and asks for its columns at each execution. Our statements always have the same
// columns, so a connection asks for them once.

interface Column {
  name: string
  read(text: string): unknown
}

/** Members of the driver's connection that its types leave out. */
interface Connection {
  stream: { cork(): void; uncork(): void }
  /** Parsed statements by name. The driver adds a statement when the server has parsed it. */
  parsedStatements: Record<string, string | undefined>
  parse(statement: { name: string; text: string }): void
  bind(config: { statement: string; values: unknown[] }): void
  describe(portal: { type: 'P' }): void
  execute(): void
  sync(): void
}

/** Converts a value to what the protocol takes: text, bytes or null. */
export const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/** Columns for each connection, by the name of the statement. */
const columnsOfConnections = new WeakMap<Connection, Map<string, Column[]>>()

function columnsOf(connection: Connection): Map<string, Column[]> {
  const known = columnsOfConnections.get(connection) ?? new Map<string, Column[]>()
  columnsOfConnections.set(connection, known)
  return known
}

/** One execution of a named statement, which the driver runs like a query of its own. */
export class PreparedQuery<Row extends object> {
  /** The driver reads both fields to note that the statement is parsed. */
  readonly name: string
  readonly text: string
  /** The driver replaces it by one that also ends its timer. */
  callback: (error: Error | null, rows: Row[]) => void
  readonly #values: unknown[]
  readonly #client: pg.ClientBase
  readonly #rows: Row[] = []
  #known = new Map<string, Column[]>()
  #columns: readonly Column[] = []
  #unread: Error | null = null

  /** @param values as `prepareValue` returns them */
  constructor(
    client: pg.ClientBase,
    { name, text, values }: { name: string; text: string; values: unknown[] },
    callback: (error: Error | null, rows: Row[]) => void,
  ) {
    this.name = name
    this.text = text
    this.#values = values
    this.#client = client
    this.callback = callback
  }

  submit(of: pg.Connection): void {
    const connection = of as unknown as Connection
    this.#known = columnsOf(connection)
    const columns = this.#known.get(this.name)
    connection.stream.cork()
    if (connection.parsedStatements[this.name] === undefined) connection.parse(this)
    connection.bind({ statement: this.name, values: this.#values })
    if (columns) this.#columns = columns
    else connection.describe({ type: 'P' })
    connection.execute()
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.#client.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    }))
    this.#columns = columns
    this.#known.set(this.name, columns)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    try {
      for (const [index, { name, read }] of this.#columns.entries()) {
        const text = fields[index]
        row[name] = text == null ? null : read(text)
      }
      this.#rows.push(row as Row)
    } catch (error) {
      this.#unread = error as Error
    }
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.callback(error, [])
  }

  handleReadyForQuery(): void {
    this.callback(this.#unread, this.#rows)
  }
}
