import type { Attempt } from './delivery.ts'
import { hiderOf } from './hide-secrets.ts'
import { keptHeaders } from './response-headers.ts'

type Response = NonNullable<Attempt['response']>

/** Response as received, with the headers as undici returns them. */
export interface ReceivedResponse extends Omit<Response, 'headers'> {
  headers: Readonly<Record<string, unknown>>
}

/** Length limit in characters; enough for an error message. */
const BODY_MAX = 1_024

/**
 * Returns the part of a response that is stored. That of a successful one would add nothing to its status, and the
 * events of a busy merchant would fill the disk with it.
 *
 * @param secrets confidential parts of the request, in case the receiver echoes them
 * @see EVT-111
 */
export function keptResponse(response: ReceivedResponse, secrets: readonly string[]): Response {
  const { status, headers, body, retryAfter } = response
  if (status >= 200 && status < 300) return { status, headers: {}, body: '', retryAfter }
  const hide = hiderOf(secrets)
  const shown = hide(body)
  const kept = shown.length > BODY_MAX ? `${shown.slice(0, BODY_MAX).toWellFormed()}…` : shown
  return { status, headers: keptHeaders(headers, hide), body: kept, retryAfter }
}
