import type { Socket } from 'node:net'
import pg from 'pg'
import { type Frame, frame, frameReader, readText } from './pg-frames.ts'

/** A connection of a pooler to PostgreSQL, which is assigned to one client at a time. */
export interface ServerConnection {
  readonly isClosed: boolean
  /** Whether it is in a transaction or has outstanding responses. */
  isBusy(): boolean
  /** @param onIdle called when the transaction has ended and all responses have been sent */
  lend(client: Socket, onIdle: () => void): void
  /** @param statements the client's prepared statements, by the client's names */
  pass(message: Frame, statements: Map<string, Statement>): void
  end(): void
}

/** A statement that a client has prepared: the body of its Parse message without the name. */
export interface Statement {
  name: string
  definition: Buffer
}

/**
 * The request of a response. A response to the pooler's own request is dropped; one to a skipped request is generated.
 */
interface Owed {
  kind: string
  statement?: string
  isSwallowed?: true
  madeUp?: Buffer
}

const KINDS: Record<string, string> = {
  P: 'parse',
  B: 'bind',
  D: 'describe',
  E: 'execute',
  C: 'close',
  S: 'sync',
  Q: 'query',
}
const ENDS: Record<string, string> = {
  1: 'parse',
  2: 'bind',
  3: 'close',
  T: 'describe',
  n: 'describe',
  C: 'execute',
  I: 'execute',
  s: 'execute',
  Z: 'sync',
}

const STATEMENT = 'S'.charCodeAt(0)

/** Names of statements: a text has the same name on every server connection, as in PgBouncer. */
const names = new Map<string, string>()

function nameOf(definition: Buffer): string {
  const key = definition.toString('latin1')
  const name = names.get(key) ?? `pooler_${names.size}`
  names.set(key, name)
  return name
}

export async function pooledServer(url: string, onClose: () => void): Promise<ServerConnection> {
  const stream = await signIn(url)
  const read = frameReader({ startsUntyped: false })
  const prepared = new Set<string>()
  let owed: Owed[] = []
  let isInTransaction = false
  let isClosed = false
  let client: Socket | null = null
  let onIdle = () => {}

  const send = (type: string, ...parts: (string | Buffer)[]) => stream.write(frame(type, ...parts))
  const makeUp = () => {
    for (let next = owed[0]; next?.madeUp; next = owed[0]) {
      client?.write(next.madeUp)
      owed.shift()
    }
  }
  function receive({ type, body }: Frame): void {
    const [head] = owed
    const isEnd = head?.kind === 'query' ? type === 'Z' : head !== undefined && ENDS[type] === head.kind
    if (type === 'E') forgetUntilSync()
    if (!(isEnd && head?.isSwallowed)) client?.write(frame(type, body))
    if (isEnd) owed.shift()
    makeUp()
    if (type !== 'Z') return
    isInTransaction = body.toString('latin1') !== 'I'
    if (!isInTransaction && owed.length === 0) free()
  }
  /** Drops outstanding requests: after an error PostgreSQL sends nothing before the next Sync. */
  function forgetUntilSync(): void {
    if (owed[0]?.kind === 'query') return
    const sync = owed.findIndex(({ kind }) => kind === 'sync')
    for (const { kind, statement, madeUp } of owed.splice(0, sync === -1 ? owed.length : sync)) {
      if (kind === 'parse' && statement && !madeUp) prepared.delete(statement)
    }
  }
  function free(): void {
    client = null
    onIdle()
  }
  function prepare({ name, definition }: Statement, how: Pick<Owed, 'isSwallowed'>): void {
    prepared.add(name)
    send('P', `${name}\0`, definition)
    owed.push({ kind: 'parse', statement: name, ...how })
  }
  /** Returns this connection's name of the client's statement `own`, and prepares it first if necessary. */
  function use(own: string, statements: Map<string, Statement>): string {
    const statement = statements.get(own)
    if (!statement) return own
    if (!prepared.has(statement.name)) prepare(statement, { isSwallowed: true })
    return statement.name
  }
  function pass({ type, body }: Frame, statements: Map<string, Statement>): void {
    const kind = KINDS[type]
    const isOfStatement = body[0] === STATEMENT
    if (type === 'P' && body[0] !== 0) {
      define(body, statements)
      return
    }
    if (type === 'C' && isOfStatement && statements.delete(readText(body, 1).text)) {
      respond(frame('3'), 'close')
      return
    }
    if (type === 'B') {
      const portal = readText(body)
      const own = readText(body, portal.next)
      const name = use(own.text, statements)
      send('B', `${portal.text}\0${name}\0`, body.subarray(own.next))
    } else if (type === 'D' && isOfStatement) {
      send('D', `S${use(readText(body, 1).text, statements)}\0`)
    } else {
      send(type, body)
    }
    if (kind) owed.push({ kind })
  }
  function define(body: Buffer, statements: Map<string, Statement>): void {
    const { text: own, next } = readText(body)
    const definition = Buffer.from(body.subarray(next))
    const statement = { name: nameOf(definition), definition }
    statements.set(own, statement)
    if (prepared.has(statement.name)) respond(frame('1'), 'parse')
    else prepare(statement, {})
  }
  function respond(madeUp: Buffer, kind: string): void {
    owed.push({ kind, madeUp })
    makeUp()
  }

  stream.on('data', (chunk) => {
    for (const message of read(chunk)) receive(message)
  })
  stream.on('error', () => {})
  stream.on('close', () => {
    isClosed = true
    owed = []
    client?.destroy()
    onClose()
  })
  return {
    get isClosed() {
      return isClosed
    },
    isBusy: () => isInTransaction || owed.length > 0,
    lend(to, whenIdle) {
      client = to
      onIdle = whenIdle
    },
    pass,
    end() {
      isClosed = true
      stream.destroy()
    },
  }
}

/** Signs in: the driver authenticates; then the proxy takes over its socket. */
async function signIn(url: string): Promise<Socket> {
  const driver = new pg.Client({ connectionString: url, application_name: 'test pooler' })
  await driver.connect()
  const { stream } = (driver as unknown as { connection: { stream: Socket } }).connection
  stream.removeAllListeners()
  return stream
}
