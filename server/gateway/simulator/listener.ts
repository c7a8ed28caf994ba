import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const TRY_AGAIN_MS = 50

/** A port of 127.0.0.1 that can be closed for a while and comes back under the same number. */
export class Listener {
  readonly #server: Server
  #comeBack: NodeJS.Timeout | undefined
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

  /** Connections that are open are cut, new ones are refused. */
  closeFor(ms: number): void {
    this.#server.close()
    this.#server.closeAllConnections()
    clearTimeout(this.#comeBack)
    this.#comeBack = setTimeout(() => this.listen(this.port).catch(() => this.closeFor(TRY_AGAIN_MS)), ms)
  }

  async close(): Promise<void> {
    clearTimeout(this.#comeBack)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    this.#server.closeAllConnections()
    await promise
  }
}
