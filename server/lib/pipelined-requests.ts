import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Maximum number of waiting requests. Hardly any client sends a request before it has the previous response, and none
 * so many.
 */
const WAITING_MAX = 250

type Pair = [IncomingMessage, ServerResponse]

/**
 * Handles the requests of a connection one at a time, alternating with other connections; otherwise, all that a caller
 * writes at once would be started at once. Call it after the server has its handler. A connection on which too many
 * requests wait is closed.
 *
 * @see FLT-97
 */
export function serveOneAtATime(server: Server): void {
  const handlers = server.listeners('request') as ((...pair: Pair) => void)[]
  const waitingOf = new WeakMap<Socket, Pair[]>()
  const handle = (...[request, response]: Pair) => {
    response.once('close', () => setImmediate(next, request.socket))
    for (const handler of handlers) handler.call(server, request, response)
  }
  const next = (socket: Socket) => {
    const pair = socket.destroyed ? undefined : waitingOf.get(socket)?.shift()
    if (pair) handle(...pair)
    else waitingOf.delete(socket)
  }
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    const waiting = waitingOf.get(socket)
    if (!waiting) {
      waitingOf.set(socket, [])
      handle(request, response)
    } else if (waiting.length < WAITING_MAX) waiting.push([request, response])
    else socket.destroy()
  })
}
