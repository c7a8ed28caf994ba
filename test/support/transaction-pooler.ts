import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { errorFrame, type Frame, frame, frameReader, isTlsRequest, readStartParameters, readText } from './pg-frames.ts'
import { pooledServer, type ServerConnection, type Statement } from './pooled-server.ts'

/**
 * A connection pooler in transaction mode, as strict as PgBouncer 1.21 and newer: statements that need a session are
 * refused.
 */
export interface TransactionPooler extends AsyncDisposable {
  /** Returns the URL of the same database through the pooler. */
  route(databaseUrl: string): string
  /** Requests of clients that would need a session. */
  violations: readonly string[]
  close(): Promise<void>
}

interface DatabasePool {
  idle: ServerConnection[]
  count: number
  waiting: ((server: Promise<ServerConnection>) => void)[]
}

const SIMPLE_PARAMETERS = ['user', 'database', 'client_encoding', 'application_name']
const WELCOME = Buffer.concat([
  frame('R', Buffer.alloc(4)),
  frame('S', 'client_encoding\0UTF8\0'),
  frame('K', Buffer.alloc(8)),
  frame('Z', 'I'),
])

// State that outlives a transaction. PgBouncer lets most of it pass and hands it to the next client; here nobody
// overlooks it.
const SESSION_STATE = [
  /(?:^|;)\s*(?:un)?listen\b/i,
  /(?:^|;)\s*(?:re)?set\s+(?!local\b|transaction\b|constraints\b)/i,
  /\bset_config\([^)]*,\s*false\s*\)/i,
  /\bpg_(?:try_)?advisory_(?:un)?lock/i,
  /(?:^|;)\s*(?:prepare|deallocate|discard|load)\b/i,
  /\bcreate\s+(?:(?:local|global)\s+)?temp(?:orary)?\b/i,
  /\bwith\s+hold\b/i,
]

export async function startTransactionPooler(options: {
  /** URL with the user and password with which the pooler signs in. */
  serverUrl: string
  /** Maximum number of connections to each database. */
  connectionsMax?: number
}): Promise<TransactionPooler> {
  const { serverUrl, connectionsMax = 3 } = options
  const pools = new Map<string, DatabasePool>()
  const clients = new Set<Socket>()
  const violations: string[] = []

  const poolOf = (database: string) => {
    const pool = pools.get(database) ?? { idle: [], count: 0, waiting: [] }
    pools.set(database, pool)
    return pool
  }
  async function open(database: string, pool: DatabasePool): Promise<ServerConnection> {
    pool.count += 1
    try {
      return await pooledServer(urlOf(serverUrl, database), () => {
        pool.count -= 1
        pool.idle = pool.idle.filter((server) => !server.isClosed)
        if (pool.waiting.length > 0) pool.waiting.shift()?.(open(database, pool))
      })
    } catch (error) {
      pool.count -= 1
      pool.waiting.shift()?.(Promise.reject(error))
      throw error
    }
  }
  const take = (database: string): Promise<ServerConnection> => {
    const pool = poolOf(database)
    // The connection that was idle longest, so that clients change connections as often as possible.
    const server = pool.idle.shift()
    if (server) return Promise.resolve(server)
    if (pool.count < connectionsMax) return open(database, pool)
    return new Promise((resolve) => pool.waiting.push(resolve))
  }
  const giveBack = (database: string, server: ServerConnection) => {
    if (server.isClosed) return
    const pool = poolOf(database)
    const next = pool.waiting.shift()
    if (next) next(Promise.resolve(server))
    else pool.idle.push(server)
  }

  function serve(socket: Socket): void {
    const read = frameReader({ startsUntyped: true })
    const inbox: Frame[] = []
    const statements = new Map<string, Statement>()
    let database: string | null = null
    let server: ServerConnection | null = null
    let isTaking = false

    const refuse = (code: string, message: string) => {
      socket.end(errorFrame('FATAL', code, message))
    }
    const failed = (error: Error & { code?: string }) => refuse(error.code ?? '08006', error.message)
    const detach = () => {
      if (server && database !== null) giveBack(database, server)
      server = null
    }

    async function start(body: Buffer): Promise<void> {
      if (isTlsRequest(body)) {
        socket.write('N')
        return
      }
      const parameters = readStartParameters(body)
      const unknown = [...parameters.keys()].find((name) => !SIMPLE_PARAMETERS.includes(name))
      if (unknown) {
        violations.push(`start-up parameter ${unknown}=${parameters.get(unknown)}`)
        return refuse('08P01', `unsupported startup parameter: ${unknown}`)
      }
      const wanted = parameters.get('database') ?? ''
      // Like PgBouncer: the first client of a database waits for a server connection, and gets an error if there is
      // none.
      giveBack(wanted, await take(wanted))
      database = wanted
      socket.write(WELCOME)
      pump()
    }
    function pump(): void {
      if (database === null || inbox.length === 0) return
      if (!server) takeServer(database)
      else for (const message of inbox.splice(0)) pass(message, server)
    }
    function takeServer(name: string): void {
      if (isTaking) return
      isTaking = true
      take(name).then((taken) => {
        isTaking = false
        if (socket.destroyed) return giveBack(name, taken)
        server = taken
        taken.lend(socket, detach)
        pump()
      }, failed)
    }
    function pass(message: Frame, to: ServerConnection): void {
      const text = message.type === 'Q' ? readText(message.body).text : parsedText(message)
      if (text !== null && needsSession(text)) {
        violations.push(text.slice(0, 200))
        refuse('0A000', `The pooler refuses what needs a session: ${text.slice(0, 80)}`)
      } else {
        to.pass(message, statements)
      }
    }

    clients.add(socket)
    socket.setNoDelay()
    socket.on('data', (chunk) => {
      for (const message of read(chunk)) {
        if (message.type === '') start(message.body).catch(failed)
        else if (message.type === 'X') socket.end()
        else inbox.push(message)
      }
      pump()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clients.delete(socket)
      // The connection is in use by a transaction: no other client may have it.
      if (server?.isBusy()) server.end()
      detach()
    })
  }

  const listener = createServer(serve)
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  const close = async () => {
    for (const socket of clients) socket.destroy()
    for (const { idle } of pools.values()) for (const server of [...idle]) server.end()
    await new Promise((resolve) => listener.close(resolve))
  }
  return {
    route: (databaseUrl) => {
      const url = new URL(databaseUrl)
      url.hostname = '127.0.0.1'
      url.port = String(port)
      url.search = ''
      return url.href
    },
    violations,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns the text without comments and quoted parts, whose words do not request anything. */
const statementsOf = (text: string) =>
  text.replace(/--.*$|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/gm, ' ')

const needsSession = (text: string) => SESSION_STATE.some((pattern) => pattern.test(statementsOf(text)))

const parsedText = ({ type, body }: Frame) => (type === 'P' ? readText(body, readText(body).next).text : null)

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = database
  return url.href
}
