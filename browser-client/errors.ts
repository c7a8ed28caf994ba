import type { ErrorCode } from './types.ts'

interface Detail {
  message?: string
  httpStatus?: number
  sessionId?: string
  /** Messages of the API by field. */
  errors?: Record<string, string[]>
  cause?: unknown
}

const RETRYABLE = /_error|timeout|limited|verify/

/** An error of the library. `retryable` means that the same call may succeed later. README.md explains the codes. */
export class ServiceCheckoutError extends Error {
  declare readonly code: ErrorCode
  declare readonly retryable: boolean
  declare readonly httpStatus?: number
  declare readonly sessionId?: string
  declare readonly errors?: Record<string, string[]>

  constructor(code: ErrorCode, detail: Detail = {}) {
    super(code)
    Object.assign(this, detail, { name: 'ServiceCheckoutError', code, retryable: RETRYABLE.test(code) })
  }
}

/**
 * Creates the error for invalid options or data.
 *
 * @internal
 * @param name the option, or the field of the session, that is missing or wrong
 */
export function invalid(name: string): ServiceCheckoutError {
  return new ServiceCheckoutError('invalid_options', { message: `Check ${name}` })
}
