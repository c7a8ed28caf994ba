import type { Socket } from 'node:net'

const BROKEN: Record<string, [status: number, reason: string, code: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'malformed_request'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large', 'body_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'request_timeout'],
}

/** What llhttp refuses has no request object: too large a header, a broken line, a smuggling attempt, a slow sender. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, code] = BROKEN[error.code ?? ''] ?? [400, 'Bad Request', 'malformed_request']
  const body = JSON.stringify({ ok: false, message: 'The request could not be read', code })
  const head = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close']
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head.join('\r\n')}\r\n\r\n${body}`)
}
