import { addressForCounting } from '../../http/client-address.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import type { Access, Limit } from '../../http/route.ts'
import { isUuid } from '../../lib/ids.ts'
import { noSuchSession } from '../sessions/load-session.ts'
import type { SessionTokens } from '../sessions/session-token.ts'

interface Services {
  makeRateLimiter: MakeRateLimiter
  merchants: { knows(businessId: string): Promise<boolean> }
  sessionTokens: Pick<SessionTokens, 'open'>
}

/** Requests per minute for each path. A page that waits for a bank asks every three seconds. */
const PER_TOKEN = 20
const PER_ADDRESS = { init: 30, authenticate: 120 }
const PER_BUSINESS = { init: 300, authenticate: 3_000 }

/** Access and rate limits of one path. */
export interface ThreeDsDoor {
  access: Access<null>
  limits: Limit<null>[]
  /**
   * Checks and counts the token, after the body is read: the token is in the body.
   *
   * @throws ApiError `not_found`, as for an unknown business; `rate_limited`
   */
  admit(place: { businessId: string; token: string }): Promise<void>
}

/** @see TDS-1 */
export function threeDsDoor(services: Services, path: 'init' | 'authenticate'): ThreeDsDoor {
  const { makeRateLimiter, merchants, sessionTokens } = services
  const perMinute = (name: string, points: number) =>
    makeRateLimiter({ name: `ddd-${path}-${name}`, points, seconds: 60 })
  const ofToken = perMinute('token', PER_TOKEN)
  const ofBusiness = perMinute('business', PER_BUSINESS[path])
  return {
    access: {
      name: 'public',
      async check({ params }) {
        const { business_id: id } = params as { business_id?: string }
        if (!isUuid(id) || !(await merchants.knows(id))) throw noSuchSession()
        return null
      },
    },
    limits: [{ limiter: perMinute('ip', PER_ADDRESS[path]), key: ({ ip }) => addressForCounting(ip) }],
    async admit({ businessId, token }) {
      if (sessionTokens.open(token)?.businessId !== businessId) throw noSuchSession()
      await ofToken.consume(token)
      await ofBusiness.consume(businessId)
    },
  }
}
