import type { FastifyRequest } from 'fastify'
import { addressForCounting } from '../../http/client-address.ts'
import type { MakeRateLimiter, RateLimiter } from '../../http/rate-limit.ts'
import type { Access, Limit } from '../../http/route.ts'
import type { SessionTokens } from './session-token.ts'

interface Services {
  makeRateLimiter: MakeRateLimiter
  /** Makes limiters that count in this process only, for requests that the limits of a session already bound. */
  makeOwnRateLimiter: MakeRateLimiter
  sessionTokens: SessionTokens
}

/** Caller of a public session path. Only a valid token has its own counters. */
export interface TokenHolder {
  isKnown: boolean
}

/** Access and rate limits of the paths that a session token opens, in both listeners. */
export interface SessionDoor {
  access: Access<TokenHolder>
  perAddress: RateLimiter
  /** 60 requests a minute per session and address, over all paths that show the session. */
  reads: Limit<TokenHolder>[]
  /** 30 requests a minute per address, then 10 per session. */
  pays: Limit<TokenHolder>[]
}

/** Makes access and limits. Invalid tokens are counted by address, so that they do not create their own counters. */
export function sessionDoor({ makeRateLimiter, makeOwnRateLimiter, sessionTokens }: Services): SessionDoor {
  const perMinute = (name: string, points: number, keyOf: (request: FastifyRequest) => string): Limit<TokenHolder> => ({
    limiter: makeRateLimiter({ name, points, seconds: 60 }),
    key: (request, { isKnown }) => (isKnown === (name !== UNKNOWN) ? keyOf(request) : null),
  })
  const unknown = perMinute(UNKNOWN, 30, addressOf)
  return {
    perAddress: makeOwnRateLimiter({ name: 'session-ip', points: 300, seconds: 60 }),
    access: { name: 'public', check: async (request) => ({ isKnown: sessionTokens.open(tokenOf(request)) !== null }) },
    reads: [unknown, perMinute('form', 60, (request) => `${tokenOf(request)} ${addressOf(request)}`)],
    pays: [unknown, perMinute('pay-ip', 30, addressOf), perMinute('pay-token', 10, tokenOf)],
  }
}

const UNKNOWN = 'unknown-token'
const tokenOf = (request: FastifyRequest) => (request.params as { token?: string }).token ?? ''
const addressOf = (request: FastifyRequest) => addressForCounting(request.ip)
