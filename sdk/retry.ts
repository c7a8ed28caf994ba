import { ConnectionError, RateLimitError, RialtoError } from './errors.ts'

// We do not use p-retry: whether to retry depends on request and response, the wait on Retry-After, and p-retry 9
// requires Node 22.

const FIRST_WAIT_MS = 500
const WAIT_MS_MAX = 8_000
/** Longest Retry-After that is waited for; the API's rate limits are per minute. */
const RETRY_AFTER_SECONDS_MAX = 60
/** Statuses after which it is unknown whether the request was processed, so only a repeatable one is retried. */
const TEMPORARY_STATUSES = [408, 502, 503, 504]

/**
 * Returns how long to wait before a retry.
 *
 * @param repeatable whether processing the request twice has the same effect as once
 * @param retriesMade from 0
 * @returns milliseconds; `null` if the request must not be sent again
 */
export function waitBeforeRetryMs(error: unknown, repeatable: boolean, retriesMade: number): number | null {
  if (!(error instanceof RialtoError) || !maySendAgain(error, repeatable)) return null
  const { retryAfter } = error
  if (retryAfter === null) return backoffMs(retriesMade)
  return retryAfter > RETRY_AFTER_SECONDS_MAX ? null : retryAfter * 1000 + jitterMs(FIRST_WAIT_MS)
}

function maySendAgain(error: RialtoError, repeatable: boolean): boolean {
  // The request was refused before it had any effect.
  if (error instanceof RateLimitError) return true
  return repeatable && (error instanceof ConnectionError || TEMPORARY_STATUSES.includes(error.status ?? 0))
}

/** Returns the backoff, which doubles each time; half of it is random, so that many clients do not retry at once. */
function backoffMs(retriesMade: number): number {
  const fullMs = Math.min(FIRST_WAIT_MS * 2 ** retriesMade, WAIT_MS_MAX)
  return fullMs / 2 + jitterMs(fullMs / 2)
}

const jitterMs = (maxMs: number) => Math.random() * maxMs

/**
 * Waits.
 *
 * @throws the signal's abort reason, as soon as it is aborted
 */
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
