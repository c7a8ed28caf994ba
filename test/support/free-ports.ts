import { createServer, type Server } from 'node:net'

// Ports for programs that cannot report which port they chose. They are below the ranges from which Linux, macOS and
// Windows choose ports for `listen(0)` and for connections: nothing takes one between its choice and its use.

const FIRST = 10_000
const BLOCK = 50
/**
 * The only one of these ports that `fetch` and browsers refuse to call (https://fetch.spec.whatwg.org/#port-blocking).
 */
const BLOCKED_BY_FETCH = 10_080
/** Number of blocks: the last port is 32,749; Linux chooses from 32,768 on. */
const BLOCKS = 455

const ports = reservePorts()

/** Returns a port that only this process gets, and only once. */
export async function freePort(): Promise<number> {
  const { value, done } = await ports.next()
  if (done) throw new Error('No port is free')
  return value
}

export async function freePorts(): Promise<[number, number, number]> {
  return [await freePort(), await freePort(), await freePort()]
}

/** A process reserves a block by listening on its first port, until it exits. */
async function* reservePorts(): AsyncGenerator<number, void> {
  for (let tried = 0; tried < BLOCKS; tried++) {
    const first = FIRST + ((process.pid + tried) % BLOCKS) * BLOCK
    const guard = await listenOn(first)
    if (guard === null) continue
    guard.unref()
    for (let port = first + 1; port < first + BLOCK; port++)
      if (port !== BLOCKED_BY_FETCH && (await isFree(port))) yield port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = await listenOn(port)
  if (server !== null) await new Promise((resolve) => server.close(resolve))
  return server !== null
}

/**
 * Listens on a port.
 *
 * @returns `null` if the port is taken
 */
async function listenOn(port: number): Promise<Server | null> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<Server | null>()
  server.once('error', () => resolve(null)).listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  return promise
}
