import type { Attempt } from './delivery.ts'
import { hiderOf } from './hide-secrets.ts'
import { keptHeaders } from './response-headers.ts'

type Response = NonNullable<Attempt['response']>

/** As it came, with the headers as undici has them. */
export interface ReceivedResponse extends Omit<Response, 'headers'> {
  headers: Readonly<Record<string, unknown>>
}

/** In characters: enough for the message of an error. */
const BODY_MAX = 1_024

/**
 * What is kept of a response. That of a success says nothing more than its status, and the events of a busy merchant
 * would fill the disk with it.
 *
 * @param secrets what the request had in confidence, in case the receiver repeats it
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
