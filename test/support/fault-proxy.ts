import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy that injects faults. */
export interface FaultProxy extends AsyncDisposable {
  port: number
  /** Delays each chunk in both directions. */
  delay(milliseconds: number): void
  /** From now on forwards nothing and closes nothing, like a cut cable. */
  blackhole(): void
  /** Forwards again. Data held back is lost with its connection. */
  heal(): void
  /** Resets every connection. */
  resetAll(): void
  /** Resets every connection, and each new one for a time, like a server that is killed and restarted. */
  restart(milliseconds: number): void
  /** Forwards the next chunk of the client that contains these bytes, then drops the response and the connection. */
  cutAfter(bytes: string): void
  /** How often `cutAfter` has dropped a connection. */
  cuts(): number
}

const POSTGRES_PORT = 5432

interface Link {
  client: Socket
  server: Socket
  /** Whether the server's responses are dropped. */
  isDeaf: boolean
}

/**
 * Resets a socket. A socket that is already ending is only closed: on Node 24 a process that resets one never exits (it
 * waits for the shutdown).
 */
function reset(socket: Socket): void {
  if (socket.readableEnded || socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

/** Created for each connection; sees the server's messages. */
type Watch = () => (chunk: Buffer) => void

async function openFaultProxy(
  target: { host: string; port: number },
  watch: Watch = () => () => {},
): Promise<FaultProxy> {
  const links = new Set<Link>()
  let delayMs = 0
  let isCut = false
  let awayUntil = 0
  let pattern: Buffer | null = null
  let cuts = 0

  const listener = createServer((client) => {
    if (performance.now() < awayUntil) return reset(client)
    const link: Link = { client, server: connect(target), isDeaf: false }
    links.add(link)
    const see = watch()
    const end = () => {
      links.delete(link)
      client.destroy()
      link.server.destroy()
    }
    for (const socket of [client, link.server]) socket.on('error', end).on('close', end)
    client.on('data', (chunk) => {
      if (pattern && chunk.includes(pattern)) {
        pattern = null
        link.isDeaf = true
      }
      pass(chunk, link.server)
    })
    link.server.on('data', (chunk) => {
      see(chunk)
      if (!link.isDeaf) return pass(chunk, client)
      // The server has answered, so it has done it.
      cuts += 1
      reset(client)
    })
  })
  const pass = (chunk: Buffer, to: Socket) => {
    if (isCut) return
    if (delayMs === 0) to.write(chunk)
    else setTimeout(() => to.write(chunk), delayMs)
  }
  const resetAll = () => {
    for (const { client } of links) reset(client)
  }

  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as { port: number }).port,
    delay(milliseconds) {
      delayMs = milliseconds
    },
    blackhole() {
      isCut = true
    },
    heal() {
      isCut = false
      resetAll()
    },
    resetAll,
    restart(milliseconds) {
      awayUntil = performance.now() + milliseconds
      resetAll()
    },
    cutAfter(bytes) {
      pattern = Buffer.from(bytes)
    },
    cuts: () => cuts,
    async [Symbol.asyncDispose]() {
      resetAll()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** Opens a proxy in front of the server of the tests' databases, and returns how to go through it. */
export async function openDatabaseProxy(watch?: Watch): Promise<FaultProxy & { route(databaseUrl: string): string }> {
  const server = new URL(process.env.RIALTO_TEST_DATABASE_URL ?? '')
  const proxy = await openFaultProxy({ host: server.hostname, port: Number(server.port || POSTGRES_PORT) }, watch)
  return {
    ...proxy,
    route(databaseUrl) {
      const url = new URL(databaseUrl)
      url.hostname = '127.0.0.1'
      url.port = String(proxy.port)
      // The parameter may name a Unix socket.
      url.search = ''
      return url.href
    },
  }
}
