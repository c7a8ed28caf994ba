import type { Db } from '../db/connection.ts'
import { isDatabaseAway } from '../db/database-errors.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { type Keyring, limiterKey } from '../lib/keyring.ts'
import { memoryRateLimiters } from './memory-rate-limit.ts'
import { freeAt, type MakeRateLimiter, type RateLimit, type RateLimiter, stateOf, tooMany } from './rate-limit.ts'
import { findCountedRequests, requestCounter } from './rate-limit-queries.ts'

interface Services {
  db: Db
  keyring: Keyring
  /** Real time; a business's test clock does not move rate limits. */
  clock?: Clock
}

/**
 * Makes limiters whose counters all processes share through the database. Callers over their limit are remembered in
 * memory and cost no query. While the database is unavailable, counters of this process take over.
 */
export function databaseRateLimiters(services: Services): MakeRateLimiter {
  return (limit) => {
    const { clock = systemClock } = services
    const shared = sharedLimiter(limit, { ...services, clock })
    const ownLimiter = memoryRateLimiters(clock)(limit)
    const keyOf = (key: string) => limiterKey(services.keyring, limit.name, key)
    return {
      refuseOver: (key) => shared.refuseOver(keyOf(key)),
      consume: (key) =>
        unlessDatabaseAway(
          () => shared.consume(keyOf(key)),
          () => ownLimiter.consume(keyOf(key)),
        ),
      look: (key) =>
        unlessDatabaseAway(
          () => shared.look(keyOf(key)),
          () => ownLimiter.look(keyOf(key)),
        ),
    }
  }
}

function sharedLimiter(limit: RateLimit, { db, clock }: Required<Services>): RateLimiter {
  const count = requestCounter(db, { points: limit.points, window: limit.seconds * 1000 })
  /**
   * Counted instants of callers who are over their limit; such a caller is not admitted until the oldest one expires.
   */
  const over = createBoundedMap<number[]>()
  const countedOver = (key: string, now: number): number[] | null => {
    const counted = over.get(key)
    if (!counted) return null
    if ((freeAt(limit, counted) ?? 0) > now) return counted
    over.delete(key)
    return null
  }
  const refuseOver = (key: string, now: number) => {
    const counted = countedOver(key, now)
    if (counted) throw tooMany(stateOf(limit, counted, now))
  }
  return {
    refuseOver: (key) => refuseOver(key, clock.now().getTime()),
    async consume(key) {
      const now = clock.now().getTime()
      refuseOver(key, now)
      const { admitted, counted } = await count(key, now)
      if ((freeAt(limit, counted) ?? 0) > now) over.set(key, counted)
      if (!admitted) throw tooMany(stateOf(limit, counted, now))
      return stateOf(limit, counted, now)
    },
    async look(key) {
      const now = clock.now().getTime()
      return stateOf(limit, countedOver(key, now) ?? (await findCountedRequests(db, key)), now)
    },
  }
}

async function unlessDatabaseAway<Value>(count: () => Promise<Value>, otherwise: () => Promise<Value>): Promise<Value> {
  try {
    return await count()
  } catch (error) {
    if (!isDatabaseAway(error)) throw error
    return otherwise()
  }
}
