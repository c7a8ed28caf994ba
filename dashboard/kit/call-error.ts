/** A call that was refused, or whose outcome is unknown. */
export class CallError extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: string
  /** Messages by field, in the language of the page if a translation exists. */
  errors: Record<string, string>
  readonly requestId: string | null
  /** Seconds to wait; `null` if the response did not say. */
  readonly retryAfter: number | null
  /** All members of the refusal, including `preview` and `current` of a conflict. */
  readonly extra: Record<string, unknown>

  constructor(status: number, error: Record<string, unknown>, retryAfter: number | null = null) {
    super(typeof error.message === 'string' ? error.message : `The call was refused with status ${status}`)
    this.name = 'CallError'
    this.status = status
    this.code = typeof error.code === 'string' ? error.code : 'unknown'
    this.errors = fieldErrors(error)
    this.requestId = typeof error.request_id === 'string' ? error.request_id : null
    this.retryAfter = retryAfter
    this.extra = error
  }

  /** Whether the call may have had an effect: there was no response, or one that does not tell. */
  get isUnresolved(): boolean {
    return this.status === 0 || this.code === 'gateway_timeout' || (this.status >= 500 && SAYS_NOTHING.has(this.code))
  }
}

/** Codes that do not tell whether the call had an effect. `unknown` means a response of a proxy. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['unknown', 'internal_error'])

function fieldErrors({ errors, param, message }: Record<string, unknown>): Record<string, string> {
  const named = typeof param === 'string' ? { [param]: String(message) } : {}
  const list = typeof errors === 'object' && errors !== null ? errors : {}
  const texts = Object.entries(list).map(([field, text]) => [
    field,
    Array.isArray(text) ? text.join('; ') : String(text),
  ])
  return { ...named, ...Object.fromEntries(texts) }
}
