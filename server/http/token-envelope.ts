import type { ApiError, ErrorCode } from '../lib/errors.ts'

/** Codes of RFC 6749 5.2, and for what it leaves open those of its 4.1.2.1. Every other refusal is an `invalid_request`. */
const ERRORS: Partial<Record<ErrorCode, string>> = {
  invalid_client: 'invalid_client',
  invalid_grant: 'invalid_grant',
  unsupported_grant_type: 'unsupported_grant_type',
  rate_limited: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  internal_error: 'server_error',
}

/** What RFC 6749 adds to a refusal of the token paths. A more precise `error` that was thrown stays. */
export function tokenMembers({ code, detail }: ApiError): Record<string, unknown> {
  const error = detail.extra?.error ?? ERRORS[code] ?? 'invalid_request'
  return { error, error_description: described(detail.message) }
}

/** The older header that RFC 6749 5.1 wants, and the challenge that a 401 must have. */
export function tokenHeaders({ status }: ApiError): Record<string, string> {
  return { pragma: 'no-cache', ...(status === 401 && { 'www-authenticate': 'Basic realm="rialto"' }) }
}

/** Printable ASCII without quotes and backslashes, and nothing else, may stand in it. */
function described(message: string): string {
  return message.replaceAll(/["’]/g, "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, ' ')
}
