import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const RETRY_MS = 50

/** A port on 127.0.0.1 that can be closed for a while and is then reopened. */
export class Listener {
  readonly #server: Server
  #reopenTimer: NodeJS.Timeout | undefined
  port = 0

  constructor(server: Server) {
    this.#server = server
  }

  async listen(port: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#server.once('error', reject).listen({ port, host: '127.0.0.1', backlog: 1024 }, resolve)
    await promise
    this.#server.off('error', reject)
    this.port = (this.#server.address() as AddressInfo).port
  }

  /** Resets open connections and refuses new ones. */
  closeFor(ms: number): void {
    this.#server.close()
    this.#server.closeAllConnections()
    clearTimeout(this.#reopenTimer)
    this.#reopenTimer = setTimeout(() => this.listen(this.port).catch(() => this.closeFor(RETRY_MS)), ms)
  }

  async close(): Promise<void> {
    clearTimeout(this.#reopenTimer)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    this.#server.closeAllConnections()
    await promise
  }
}
