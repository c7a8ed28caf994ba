import type { Attempt } from './delivery.ts'

type Response = NonNullable<Attempt['response']>

/** In characters: enough for the message of an error. */
const BODY_MAX = 1_024
const HIDDEN = '[hidden]'

/**
 * What is kept of a response. That of a success says nothing more than its status, and the events of a busy merchant
 * would fill the disk with it.
 *
 * @param secrets what the request had in confidence, in case the receiver repeats it
 * @see EVT-111
 */
export function keptResponse({ status, headers, body, retryAfter }: Response, secrets: readonly string[]): Response {
  if (status >= 200 && status < 300) return { status, headers: {}, body: '', retryAfter }
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
  const shownHeaders = Object.entries(headers).map(([name, value]) => [name, hide(value)] as const)
  const shown = hide(body)
  const kept = shown.length > BODY_MAX ? `${shown.slice(0, BODY_MAX).toWellFormed()}…` : shown
  return { status, headers: Object.fromEntries(shownHeaders), body: kept, retryAfter }
}
