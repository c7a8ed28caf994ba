import type { Db } from '../db/connection.ts'
import type { Letter, LetterLimit } from '../events/letter-limit.ts'
import { type RateLimit, rateLimitHeaders, stateOf } from '../http/rate-limit.ts'
import { requestCounter } from '../http/rate-limit-queries.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { type Keyring, limiterKey } from '../lib/keyring.ts'

const LETTERS: RateLimit = { name: 'letters', points: 5, seconds: 3_600 }

/** @param clock real time; a test clock does not move it */
export function letterLimit({ keyring, clock = systemClock }: { keyring: Keyring; clock?: Clock }): LetterLimit {
  const { points, seconds } = LETTERS
  const count = async (tx: Db, { businessId, recipient }: Letter) => {
    const now = clock.now().getTime()
    const key = limiterKey(keyring, LETTERS.name, `${businessId ?? 'nobody'} ${recipient.trim().toLowerCase()}`)
    const { admitted, counted } = await requestCounter(tx, { points, window: seconds * 1000 })(key, now)
    return { admitted, state: stateOf(LETTERS, counted, now) }
  }
  return {
    async require(tx, letter) {
      const { admitted, state } = await count(tx, letter)
      if (admitted) return
      const { limit, resetSeconds } = state
      throw new ApiError('rate_limited', {
        message: `This address gets at most ${limit} letters an hour. Try again in ${resetSeconds} seconds.`,
        headers: { 'retry-after': String(resetSeconds), ...rateLimitHeaders(state) },
        extra: { retry_after: resetSeconds },
      })
    },
    admits: async (tx, letter) => (await count(tx, letter)).admitted,
  }
}
