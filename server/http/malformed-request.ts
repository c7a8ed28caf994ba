import type { IncomingMessage } from 'node:http'
import { ApiError } from '../lib/errors.ts'

/** Headers that decide who is asked and who asks: two of them could be read differently by a proxy and by us. */
const ONCE = new Set(['host', 'authorization', 'content-length', 'content-type', 'transfer-encoding', 'origin'])

/** llhttp also takes 0.9 and 2.0, which are other protocols. */
const VERSIONS = new Set(['1.0', '1.1'])

/**
 * Refuses what Node lets through and a proxy may read otherwise: doubled headers, an absolute request target, an
 * over-long URL; a list of transfer encodings, of which llhttp reads the last alone; and a missing Host, which Node would
 * response itself, without our envelope. What follows on such a connection is not to be believed, so it is closed.
 *
 * @throws ApiError `malformed_request`
 */
export function rejectMalformedRequest(request: IncomingMessage, urlBytesMax: number): void {
  const { rawHeaders, url = '', httpVersion, headers } = request
  if (!VERSIONS.has(httpVersion)) throw refusal('The request must be HTTP/1.1')
  if (!url.startsWith('/')) throw refusal('The request target must be a path')
  if (url.length > urlBytesMax) throw refusal('The URL is too long')
  if (httpVersion === '1.1' && headers.host === undefined) throw refusal('The header host is required')
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    throw refusal('The header transfer-encoding may only be chunked, in HTTP/1.1')
  }
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!ONCE.has(name)) continue
    if (seen.has(name)) throw refusal(`The header ${name} may be sent once`)
    seen.add(name)
  }
}

const refusal = (message: string) => new ApiError('malformed_request', { message, headers: { connection: 'close' } })
