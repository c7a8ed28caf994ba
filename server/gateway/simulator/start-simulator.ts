import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { limitConnections, TIMEOUTS } from '../../lib/http-connections.ts'
import { serveOneAtATime } from '../../lib/pipelined-requests.ts'
import { newSecret, type SimulatorAccess } from './access.ts'
import type { LedgerRowView } from './ledger-row.ts'
import { Listener } from './listener.ts'
import { type RowFilter, selectRows, serve } from './serve.ts'
import { openSimulator, type SimulatorOptions } from './simulator.ts'

/** Longer than any client keeps an idle socket, so that no socket is closed while a request is being sent on it. */
const KEEP_ALIVE_MS = 120_000
const MAX_CONNECTIONS = 1_000

export interface StartOptions extends SimulatorOptions {
  /** Port; any free one if 0 or absent. */
  port?: number
  /** Secret that callers must send; a new one if absent. */
  secret?: string
  /** Another simulator on the same port: serves requests for its own paths, and returns `false` for any other. */
  beside?: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Called when the ledger cannot be written. The caller must end the simulator. */
  onFatal?: (error: unknown) => void
}

export interface RunningSimulator extends SimulatorAccess {
  port: number
  rows(filter?: RowFilter): LedgerRowView[]
  /** Calls `run` while the port is closed: an outage that lasts exactly as long as the step of a test. */
  whileAway<Result>(run: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/**
 * Starts the simulator on a port of 127.0.0.1.
 *
 * @throws `EADDRINUSE` if the port is taken
 */
export async function startSimulator(options: StartOptions = {}): Promise<RunningSimulator> {
  const { secret = newSecret() } = options
  const simulator = await openSimulator(options)
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: TIMEOUTS.headersMs,
    requestTimeout: TIMEOUTS.requestMs,
  })
  const listener = new Listener(server)
  server.on('request', (request, response) => {
    if (options.beside?.(request, response)) return
    serve({ simulator, listener, secret }, request, response).catch(async () => {
      // The row may not be on the disk, so no response may be sent. `durable()` rejects if the ledger has failed.
      request.socket.destroy()
      await simulator.ledger.durable().catch((error) => options.onFatal?.(error))
    })
  })
  limitConnections(server, { max: MAX_CONNECTIONS, ...TIMEOUTS })
  serveOneAtATime(server)
  await listener.listen(options.port ?? 0).catch(async (error) => {
    await simulator.close()
    throw error
  })
  return {
    url: `http://127.0.0.1:${listener.port}`,
    secret,
    port: listener.port,
    rows: (filter = {}) => selectRows(simulator, filter),
    async whileAway(run) {
      const { port } = listener
      await listener.close()
      // Lets clients in this process notice that their idle connections have ended, so that they do not reuse them.
      for (let turn = 0; turn < 3; turn++) await setImmediate()
      try {
        return await run()
      } finally {
        await listener.listen(port)
      }
    },
    async close() {
      await listener.close()
      await simulator.close()
    },
  }
}
