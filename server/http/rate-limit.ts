import { ApiError } from '../lib/errors.ts'

/** A limit of `points` requests in any `seconds`. */
export interface RateLimit {
  /** Name of its counters in the database. */
  name: string
  points: number
  seconds: number
}

export interface RateLimitState {
  limit: number
  remaining: number
  /** Seconds until the oldest counted request expires and one more request is allowed. */
  resetSeconds: number
}

export interface RateLimiter {
  /** @throws ApiError `rate_limited` with `Retry-After` and the headers below; a refused request is not counted */
  consume(key: string): Promise<RateLimitState>
  /** Returns the current state, and counts nothing. */
  look(key: string): Promise<RateLimitState>
  /**
   * Refuses a caller whom this process already knows to be over the limit, without a query.
   *
   * @throws ApiError like `consume`
   */
  refuseOver(key: string): void
}

export type MakeRateLimiter = (limit: RateLimit) => RateLimiter

/** Admits everything, for `RIALTO_RATE_LIMITS=off`, which staging allows for load tests from one address. */
export const noRateLimiters: MakeRateLimiter = (limit) => ({
  consume: async () => stateOf(limit, [], 0),
  look: async () => stateOf(limit, [], 0),
  refuseOver: () => {},
})

/**
 * @param counted when requests were admitted, in milliseconds, oldest first
 * @param now in milliseconds
 */
export function stateOf({ points, seconds }: RateLimit, counted: readonly number[], now: number): RateLimitState {
  const window = seconds * 1000
  const live = counted.filter((instant) => instant > now - window)
  const [oldest] = live
  return {
    limit: points,
    remaining: Math.max(0, points - live.length),
    // Another process may have counted the request a moment later.
    resetSeconds: oldest === undefined ? seconds : Math.min(seconds, secondsUntil(oldest + window, now)),
  }
}

/** Returns when the next request is admitted, in milliseconds; `null` if one is admitted now. */
export function freeAt({ points, seconds }: RateLimit, counted: readonly number[]): number | null {
  const first = counted.at(-points)
  return counted.length < points || first === undefined ? null : first + seconds * 1000
}

/** Returns whole seconds, rounded up, so that a caller who waits this long is admitted. */
const secondsUntil = (instant: number, now: number): number => Math.max(1, Math.ceil((instant - now) / 1000))

/** Returns the limit that will refuse first. */
export function tighter(one: RateLimitState | null, other: RateLimitState): RateLimitState {
  if (one === null || other.remaining < one.remaining) return other
  return other.remaining === one.remaining && other.resetSeconds > one.resetSeconds ? other : one
}

/** Returns the headers of a response on a limited path. */
export function rateLimitHeaders({ limit, remaining, resetSeconds }: RateLimitState): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  }
}

export function tooMany(state: RateLimitState): ApiError {
  const { limit, resetSeconds } = state
  return new ApiError('rate_limited', {
    message: `Too many requests: ${limit} are allowed. Try again in ${resetSeconds} seconds.`,
    headers: { 'retry-after': String(resetSeconds), ...rateLimitHeaders(state) },
    extra: { retry_after: resetSeconds },
  })
}
