import { createBoundedMap } from '../lib/bounded-map.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { freeAt, type MakeRateLimiter, type RateLimit, type RateLimiter, stateOf, tooMany } from './rate-limit.ts'

/**
 * Limiters that count in this process only and cost no query: for cheap responses, and while the database is away.
 *
 * @param clock real time; a business's test clock does not move rate limits
 */
export function memoryRateLimiters(clock: Pick<Clock, 'monotonicMs'> = systemClock): MakeRateLimiter {
  return (limit) => memoryRateLimiter(limit, clock)
}

function memoryRateLimiter(limit: RateLimit, clock: Pick<Clock, 'monotonicMs'>): RateLimiter {
  const callers = createBoundedMap<number[]>()
  const refuse = (counted: number[], now: number) => {
    if ((freeAt(limit, counted) ?? now) > now) throw tooMany(stateOf(limit, counted, now))
  }
  return {
    refuseOver: (key) => refuse(callers.get(key) ?? [], clock.monotonicMs()),
    async consume(key) {
      const now = clock.monotonicMs()
      const counted = callers.get(key) ?? []
      refuse(counted, now)
      const after = [...counted, now].slice(-limit.points)
      callers.set(key, after)
      return stateOf(limit, after, now)
    },
    async look(key) {
      return stateOf(limit, callers.get(key) ?? [], clock.monotonicMs())
    },
  }
}
