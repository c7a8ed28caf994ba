import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, type ErrorCode } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { familyOfPath, type PathFamily } from './family.ts'

/** Time to read the response; after it the connection is closed even if the sender never stops. */
const LINGER_MS = 1_000

interface Breakage {
  status: number
  /** The reason phrase of the status line. */
  reason: string
  code: ErrorCode
  message: string
}

const UNREADABLE: Breakage = {
  status: 400,
  reason: 'Bad Request',
  code: 'malformed_request',
  message: 'The request is not valid HTTP/1.1',
}

const BREAKAGES: Record<string, Breakage> = {
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

/** What Node reports; `rawPacket` is the piece that llhttp could not read. */
type ClientError = Error & { code?: string; rawPacket?: unknown }

/** Last request of each connection whose headers were read. */
const lastRequests = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()

/** Remembers the last request of each connection. Call it before the server listens. */
export function rememberRequests(server: Server): void {
  // Node's own response to an unknown expectation is a 417 without a body; RFC 9110 allows ignoring it.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('request', (request, response) => lastRequests.set(request.socket, { request, response }))
}

/**
 * Responds to requests that llhttp refuses and that therefore never become request objects: oversized headers, a broken
 * line, a smuggling attempt, a slow sender.
 *
 * Each request gets one response. A body that breaks after its response was sent gets no second one. If the connection
 * breaks after a complete request, that request's response goes first, because a proxy would take the refusal for it.
 *
 * @param families decide the envelope, where the path is known
 */
export function brokenRequestHandler(families: readonly PathFamily[]): (error: ClientError, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const { request, response } = lastRequests.get(socket) ?? {}
    const isBehind = request?.complete === true
    const refuse = () => respond(error, socket, { families, request: isBehind ? undefined : request })
    if (response && !isBehind && response.headersSent) endSoon(socket)
    else if (response && isBehind && !response.writableFinished) response.once('close', refuse)
    else refuse()
  }
}

interface Place {
  families: readonly PathFamily[]
  /** `undefined` when the headers could not be read. */
  request: IncomingMessage | undefined
}

function respond(error: ClientError, socket: Socket, { families, request }: Place): void {
  if (!socket.writable) return
  const { status, reason, code, message } = BREAKAGES[error.code ?? ''] ?? UNREADABLE
  const id = newId()
  const url = request?.url ?? targetOf(error)
  const family = familyOfPath(families, url)
  const envelope = family.envelope(new ApiError(code, { message }), { id, url, headers: request?.headers ?? {} })
  const body = typeof envelope.body === 'string' ? envelope.body : JSON.stringify(envelope.body)
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...family.headers,
    ...envelope.headers,
    'Content-Length': Buffer.byteLength(body),
    'Request-Id': id,
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  }
  const head = [`HTTP/1.1 ${status} ${reason}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  endSoon(socket, `${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Returns the request target if the unreadable piece begins with a request line; otherwise an empty text. */
function targetOf({ rawPacket }: ClientError): string {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  const [, target = ''] = /^[A-Z]+ (\/[\x21-\x7e]*)/.exec(text) ?? []
  return target
}

function endSoon(socket: Socket, text = ''): void {
  socket.end(text)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
