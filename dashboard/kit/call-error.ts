/** A call that was refused, or whose outcome is not known. */
export class CallError extends Error {
  /** 0: no response came. */
  readonly status: number
  readonly code: string
  /** By field, in the language of the page where that is known. */
  errors: Record<string, string>
  readonly requestId: string | null
  /** In seconds. */
  readonly retryAfter: number | null
  /** Every member of the refusal, `preview` and `current` of a conflict among them. */
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

  /** Whether the call may have done its work: no response came, or one that says nothing of it. */
  get isUnresolved(): boolean {
    return this.status === 0 || this.code === 'gateway_timeout' || (this.status >= 500 && SAYS_NOTHING.has(this.code))
  }
}

/** `unknown`: of a proxy before the service. */
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
