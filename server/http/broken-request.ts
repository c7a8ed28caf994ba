import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { newId } from '../lib/ids.ts'

/** So that the response is read; after it even a sender that goes on for ever is cut off. */
const LINGER_MS = 1_000

interface Refusal {
  status: number
  reason: string
  code: string
  message: string
}

const UNREADABLE: Refusal = {
  status: 400,
  reason: 'Bad Request',
  code: 'malformed_request',
  message: 'The request is not valid HTTP/1.1',
}

const BROKEN: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    code: 'malformed_request',
    message: 'The URL and headers are larger than allowed here',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    reason: 'Payload Too Large',
    code: 'body_too_large',
    message: 'The body is larger than allowed here',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    code: 'request_timeout',
    message: 'The request did not arrive in time',
  },
}

/** The last request of each connection that was read as far as its body. */
const lastRequests = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()

/** To be called before the server listens. */
export function rememberRequests(server: Server): void {
  server.on('request', (request, response) => lastRequests.set(request.socket, { request, response }))
}

/**
 * What llhttp refuses has no request object: too large a header, a broken line, a smuggling attempt, a slow sender. A request
 * gets one response: a body that breaks after its response gets none, and what breaks behind a request waits for that one's
 * response, or a proxy would take the refusal for it.
 */
export function rejectBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { request, response } = lastRequests.get(socket) ?? {}
  const isBehind = request?.complete === true
  if (response && !isBehind && response.headersSent) endSoon(socket)
  else if (response && isBehind && !response.writableFinished) response.once('close', () => refuse(error, socket))
  else refuse(error, socket)
}

function refuse(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) return
  const { status, reason, code, message } = BROKEN[error.code ?? ''] ?? UNREADABLE
  const requestId = newId()
  const body = JSON.stringify({ ok: false, message, code, request_id: requestId })
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  endSoon(socket, `${head.join('\r\n')}\r\n\r\n${body}`)
}

function endSoon(socket: Socket, text = ''): void {
  socket.end(text)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
