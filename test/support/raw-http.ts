import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The bytes received on a raw socket. */
export interface RawResponse {
  /** Status of the first response; 0 if there was none. */
  status: number
  headers: Record<string, string>
  /** The body of the first response. */
  body: string
  /** The number of responses. */
  responses: number
  /** Whether the server closed the connection. */
  closed: boolean
  milliseconds: number
  text: string
}

export interface RawOptions {
  /** Maximum wait in milliseconds. A complete response ends it earlier, unless it announces a close. */
  waitMs?: number
  /** Text written repeatedly at this interval until the server closes. */
  drip?: { piece: string; everyMs: number }
  /** The number of responses to wait for; 1 by default. */
  responses?: number
  /** Whether to read nothing. */
  deaf?: boolean
}

/** Writes raw bytes, which no HTTP client would send, and reads the responses. */
export async function exchange(url: string, bytes: string | Buffer, options: RawOptions = {}): Promise<RawResponse> {
  const { waitMs = 3_000, drip, deaf = false, responses = 1 } = options
  const from = performance.now()
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  let closed = false
  socket.on('error', () => {}).on('close', () => (closed = true))
  if (!deaf) socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(bytes)
  const dripping = drip && setInterval(() => socket.writable && socket.write(drip.piece), drip.everyMs)
  const text = () => Buffer.concat(chunks).toString('latin1')
  const hasBody = !bytes.toString().startsWith('HEAD')
  while (!closed && performance.now() - from < waitMs && !isDone(text(), hasBody, responses)) await sleep(5)
  if (!closed && saysClose(text())) await closeOf(socket, waitMs)
  clearInterval(dripping)
  socket.destroy()
  return { ...readResponse(text()), closed, milliseconds: performance.now() - from, text: text() }
}

function closeOf(socket: Socket, waitMs: number): Promise<unknown> {
  const close = new Promise((resolve) => socket.once('close', resolve))
  return Promise.race([close, sleep(waitMs, undefined, { ref: false })])
}

function isDone(text: string, hasBody: boolean, wanted: number): boolean {
  const { headers, body, status, responses } = readResponse(text)
  if (responses < wanted) return false
  if (!hasBody) return status > 0
  return (
    status >= 200 && (status === 204 || body.length >= Number(headers['content-length'] ?? Number.POSITIVE_INFINITY))
  )
}

const saysClose = (text: string) => /^connection: close\r$/im.test(text)

function readResponse(text: string) {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  const length = Number(headers['content-length'] ?? Number.NaN)
  const body = rest.join('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0),
    headers,
    body: Number.isNaN(length) ? body : body.slice(0, length),
    responses: text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0,
  }
}
