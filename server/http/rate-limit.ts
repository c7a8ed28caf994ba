import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from '../lib/errors.ts'

export interface RateLimit {
  /** Names its counters in the database. */
  name: string
  points: number
  seconds: number
}

export interface RateLimitState {
  limit: number
  remaining: number
  resetSeconds: number
}

export interface RateLimiter {
  /** @throws ApiError `rate_limited` with `Retry-After` and the headers below */
  consume(key: string): Promise<RateLimitState>
  /** The same without counting. */
  look(key: string): Promise<RateLimitState>
}

export type MakeRateLimiter = (limit: RateLimit) => RateLimiter

/**
 * Limiters whose counters are shared by all processes through the database. Callers already over their limit are kept in
 * memory and cost no query. When the database is away a counter of this process stands in.
 */
export function databaseRateLimiters(pool: pg.Pool): MakeRateLimiter {
  return ({ name, points, seconds }) => {
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: seconds,
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
    })
    return {
      async consume(key) {
        try {
          return stateOf(await limiter.consume(key.slice(0, 200)), points)
        } catch (reason) {
          if (!(reason instanceof RateLimiterRes)) throw reason
          throw tooMany(stateOf(reason, points))
        }
      },
      async look(key) {
        const counted = await limiter.get(key.slice(0, 200))
        return counted ? stateOf(counted, points) : untouched(points, seconds)
      },
    }
  }
}

/** `RIALTO_RATE_LIMITS=off`, staging only: for load tests from one address. */
export const noRateLimiters: MakeRateLimiter = ({ points, seconds }) => ({
  consume: async () => untouched(points, seconds),
  look: async () => untouched(points, seconds),
})

const untouched = (limit: number, resetSeconds: number): RateLimitState => ({ limit, remaining: limit, resetSeconds })

function stateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, limit: number): RateLimitState {
  return { limit, remaining: Math.max(0, remainingPoints), resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) }
}

/** What every answer of a limited path says of its counter (contract 1). */
export function rateLimitHeaders({ limit, remaining, resetSeconds }: RateLimitState): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  }
}

function tooMany(state: RateLimitState): ApiError {
  const { limit, resetSeconds } = state
  return new ApiError('rate_limited', {
    message: `Too many requests: ${limit} are allowed. Try again in ${resetSeconds} seconds.`,
    headers: { 'retry-after': String(resetSeconds), ...rateLimitHeaders(state) },
    extra: { retry_after: resetSeconds },
  })
}
