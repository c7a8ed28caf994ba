import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Metrics } from '../http/metrics.ts'
import type { RateLimiter } from '../http/rate-limit.ts'
import type { Services } from './services.ts'

/** Options that all listeners share. */
export interface Listener {
  log: FastifyBaseLogger
  trustedProxies: string[]
  formOrigin: string
  maxConnections: { inAll: number; perAddress: number }
  keepAliveMs: number
  onResponse: Metrics['observeRequest']
}

export function listenerOf(
  { trustedProxies, dashboardUrl, maxConnections, maxConnectionsPerAddress, keepAliveSeconds }: Config,
  services: Services,
  metrics: Metrics,
) {
  const { log } = services
  return {
    log,
    trustedProxies,
    formOrigin: dashboardUrl,
    maxConnections: { inAll: maxConnections, perAddress: maxConnectionsPerAddress },
    keepAliveMs: keepAliveSeconds * 1_000,
    onResponse: metrics.observeRequest,
  } satisfies Listener
}

/** Limits the requests of one IP address to unknown paths, on one listener. */
export const anonymousLimiter = ({ makeOwnRateLimiter }: Services): RateLimiter =>
  makeOwnRateLimiter({ name: 'anonymous', points: 1_200, seconds: 60 })
