import type { IncomingMessage, ServerResponse } from 'node:http'

const BODY_BYTES_MAX = 65_536

/** Reads the body; `null` if it is too long, or if the client disconnected. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request) {
      size += chunk.length
      // Read to the end anyway: a client that is still sending may not read an early response.
      if (size <= BODY_BYTES_MAX) chunks.push(chunk)
    }
    return size > BODY_BYTES_MAX ? null : Buffer.concat(chunks).toString()
  } catch {
    return null
  }
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}
