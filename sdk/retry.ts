import { ConnectionError, RateLimitError, RialtoError } from './errors.ts'

// Our own lines and not p-retry: when to try again depends on the request and on the response, how long to wait on
// Retry-After, and p-retry 9 wants Node 22.

const FIRST_WAIT_MS = 500
const WAIT_MS_MAX = 8_000
/** The API counts by the minute; whoever says longer than that is not waited for. */
const RETRY_AFTER_SECONDS_MAX = 60
/** The request may have been carried out, or may not: only one that can be repeated goes again. */
const PASSING_STATUSES = [408, 502, 503, 504]

/**
 * How long to wait before the request is sent again.
 *
 * @param repeatable carrying it out twice is the same as once
 * @param retriesMade from 0
 * @returns milliseconds, or `null` when it must not be sent again
 */
export function waitBeforeRetryMs(error: unknown, repeatable: boolean, retriesMade: number): number | null {
  if (!(error instanceof RialtoError) || !maySendAgain(error, repeatable)) return null
  const { retryAfter } = error
  if (retryAfter === null) return backoffMs(retriesMade)
  return retryAfter > RETRY_AFTER_SECONDS_MAX ? null : retryAfter * 1000 + jitterMs(FIRST_WAIT_MS)
}

function maySendAgain(error: RialtoError, repeatable: boolean): boolean {
  // Refused before anything was carried out.
  if (error instanceof RateLimitError) return true
  return repeatable && (error instanceof ConnectionError || PASSING_STATUSES.includes(error.status ?? 0))
}

/** Doubles each time; the random half keeps many clients from coming back at once. */
function backoffMs(retriesMade: number): number {
  const fullMs = Math.min(FIRST_WAIT_MS * 2 ** retriesMade, WAIT_MS_MAX)
  return fullMs / 2 + jitterMs(fullMs / 2)
}

const jitterMs = (mostMs: number) => Math.random() * mostMs

/** @throws what the signal was aborted with, as soon as it is */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
