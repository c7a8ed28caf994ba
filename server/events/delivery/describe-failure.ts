import { RefusedTarget } from './target-agent.ts'

const BY_CODE: Record<string, string> = {
  ENOTFOUND: 'The host name does not exist',
  ENODATA: 'The host name has no address',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before a response came',
  EPIPE: 'The connection was closed before a response came',
  UND_ERR_SOCKET: 'The connection was closed before a response came',
  UND_ERR_CONNECT_TIMEOUT: 'No connection in time',
  ETIMEDOUT: 'No connection in time',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the response are too long',
}
/** Error codes of Node and OpenSSL. The rest of an error may quote what was received. */
const CODE = /^[A-Z][A-Z0-9_]{0,60}$/

/** Tells the merchant why no response came. */
export function describeFailure(error: Error & { code?: unknown }): string {
  if (error instanceof RefusedTarget) return 'The host has no public address'
  if (error.name === 'HTTPParserError') return 'The response is not valid HTTP'
  const { code } = firstWithCode(error)
  if (typeof code !== 'string' || !CODE.test(code)) return 'The request failed'
  return BY_CODE[code] ?? `The connection failed: ${code}`
}

/** Returns the first error with a code: a host with several addresses fails with one error for each. */
function firstWithCode(error: Error & { code?: unknown }): { code?: unknown } {
  if (error instanceof AggregateError) return error.errors[0] ?? error
  return error
}
