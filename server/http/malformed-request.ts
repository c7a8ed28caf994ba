import type { IncomingMessage } from 'node:http'
import { ApiError } from '../lib/errors.ts'

/** Headers that decide who is called and who calls. A proxy might use the first of two, and we the last. */
const ONCE = new Set(['host', 'authorization', 'content-length', 'content-type', 'transfer-encoding', 'origin'])

/** HTTP versions. llhttp also accepts 0.9 and 2.0, which are other protocols. */
const VERSIONS = new Set(['1.0', '1.1'])

/**
 * Refuses requests that Node accepts and a proxy may read differently: duplicate headers, an absolute request target,
 * an overlong URL, and a list of transfer encodings, of which llhttp reads only the last. Also refuses a missing Host,
 * because Node's own response has no envelope. The connection is closed, because nothing that follows on it can be
 * trusted.
 *
 * @throws ApiError `malformed_request`
 */
export function rejectMalformedRequest(request: IncomingMessage, urlBytesMax: number): void {
  const { rawHeaders, url = '', httpVersion, headers } = request
  if (!VERSIONS.has(httpVersion)) throw refusal('The request must be HTTP/1.1')
  if (!url.startsWith('/')) throw refusal('The request target must be a path')
  if (url.length > urlBytesMax) throw refusal('The URL is too long')
  if (httpVersion === '1.1' && headers.host === undefined) throw refusal('The host header is required')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    throw refusal('The transfer-encoding header must be chunked, and is allowed in HTTP/1.1 only')
  }
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!ONCE.has(name)) continue
    if (seen.has(name)) throw refusal(`The ${name} header may be sent only once`)
    seen.add(name)
  }
}

const refusal = (message: string) => new ApiError('malformed_request', { message, headers: { connection: 'close' } })
