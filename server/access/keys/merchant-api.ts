import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../audit/actor.ts'
import type { Db } from '../../db/connection.ts'
import type { Page } from '../../db/page.ts'
import { type Family, MERCHANT_API } from '../../http/family.ts'
import { rateLimitHeaders } from '../../http/rate-limit.ts'
import type { Access, Call, Limit } from '../../http/route.ts'
import type { OnUnknownPath } from '../../http/server.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import type { KeyCaller } from './api-key.ts'

/** What every route of the merchant API is built from. */
export interface MerchantApi {
  db: Db
  clock: Clock
  /** Members that all routes share. */
  shared: {
    family: Family
    access: Access<KeyCaller>
    /** Limit of 60 calls a minute for each key (ACC-25). */
    limits: Limit<KeyCaller>[]
  }
}

export function createMerchantApi(
  { db, clock }: { db: Db; clock: Clock },
  { access, limit }: { access: Access<KeyCaller>; limit: Limit<KeyCaller> },
): MerchantApi {
  return { db, clock, shared: { family: MERCHANT_API, access, limits: [limit] } }
}

/** Returns the caller, for the audit log. */
export function actorOfKey({ caller, ip, userAgent, requestId }: Call<unknown, unknown, KeyCaller>): Actor {
  return {
    kind: 'key',
    id: caller.keyId,
    name: caller.keyName,
    ip,
    userAgent: userAgent?.slice(0, 300) ?? null,
    requestId,
  }
}

/** Returns the list envelope of the merchant API. */
export function listObject<Row, Shown>({ rows, hasMore }: Page<Row>, show: (row: Row) => Shown) {
  return { object: 'list' as const, data: rows.map(show), has_more: hasMore }
}

/**
 * Counts a request to a path or method that the merchant API does not have, because every response states the caller's
 * rate limit. The response stays 404 or 405 whatever the key is: the path is checked before the credential.
 */
export function countUnknownPath({ shared: { access, limits } }: Pick<MerchantApi, 'shared'>): OnUnknownPath {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      const caller = await access.check(request)
      for (const { limiter, key } of limits) {
        const counted = key(request, caller)
        if (counted !== null) reply.headers(rateLimitHeaders(await limiter.consume(counted)))
      }
    } catch (error) {
      // The key is invalid, used from another address, or over its limit; the response still states the limit.
      if (error instanceof ApiError) reply.headers(rateLimitHeadersOf(error))
      else request.log.warn({ err: error }, 'request to an unknown path not counted')
    }
  }
}

function rateLimitHeadersOf({ detail }: ApiError): Record<string, string> {
  return Object.fromEntries(Object.entries(detail.headers ?? {}).filter(([name]) => name.startsWith('ratelimit-')))
}
