import type { FastifyReply, FastifyRequest } from 'fastify'
import { isMerchantApi } from '../../http/api-family.ts'
import { rateLimitHeaders } from '../../http/rate-limit.ts'
import { ApiError } from '../../lib/errors.ts'
import type { MerchantApi } from './merchant-api.ts'

/**
 * A request to a path or a method that the merchant API does not have counts like any other, and its response says how many are
 * left (ACC-26: every response). What is refused stays what it is: the path comes before credential and rate.
 */
export function unknownPathRate({ secretKey, keyLimits }: Pick<MerchantApi, 'secretKey' | 'keyLimits'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isMerchantApi(request.url)) return
    try {
      const caller = await secretKey.check(request)
      for (const { limiter, key } of keyLimits) {
        const counted = key(request, caller)
        if (counted !== null) reply.headers(rateLimitHeaders(await limiter.consume(counted)))
      }
    } catch (error) {
      // No good key, an address that it is not for, or too many: their counters are told all the same.
      if (error instanceof ApiError) reply.headers(countersOf(error))
      else request.log.warn({ err: error }, 'a request to an unknown path was not counted')
    }
  }
}

function countersOf({ detail }: ApiError): Record<string, string> {
  const told = Object.entries(detail.headers ?? {}).filter(([name]) => name.startsWith('ratelimit-'))
  return Object.fromEntries(told)
}
