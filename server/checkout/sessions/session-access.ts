import type { FastifyRequest } from 'fastify'
import { addressForCounting } from '../../http/client-address.ts'
import type { MakeRateLimiter, RateLimiter } from '../../http/rate-limit.ts'
import type { Access, Limit } from '../../http/route.ts'
import type { SessionTokens } from './session-token.ts'

interface Services {
  makeRateLimiter: MakeRateLimiter
  /** Counts in this process, for what a session's limits bound already. */
  makeOwnRateLimiter: MakeRateLimiter
  sessionTokens: SessionTokens
}

/** Whoever holds a token; whether it opens a session is asked before they are counted. */
export interface TokenHolder {
  isKnown: boolean
}

/** How the paths that a session's token opens are guarded, in both listeners. */
export interface SessionDoor {
  access: Access<TokenHolder>
  perAddress: RateLimiter
  /** 60 a minute for a session and address, over all that shows the session. */
  reads: Limit<TokenHolder>[]
  /** 30 a minute for an address, then 10 for a session. */
  pays: Limit<TokenHolder>[]
}

/** Made-up tokens are counted for the address that sends them, and have no counters of their own. */
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
