import type { Server } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { type ConnectionLimit, limitConnections, TIMEOUTS, type Timeouts } from '../lib/http-connections.ts'
import { serveOneAtATime } from '../lib/pipelined-requests.ts'
import { rememberRequests } from './broken-request.ts'
import { addressForCounting, isLoopback } from './client-address.ts'
import { readForwardedAddresses } from './forwarded-addresses.ts'
import { trustedBy } from './trusted-proxies.ts'

/**
 * Time that an idle connection is kept open. It is longer than proxies usually keep one, so that the side which sends
 * the next request closes first.
 */
export const KEEP_ALIVE_MS = 75_000
/** Extra time beyond what the response announces, so that a client that respects it never meets the close. */
const KEEP_ALIVE_MARGIN_MS = 5_000

/** Reached limits are logged at most this often, so that strangers do not fill the log. */
const FULL_LOGGED_EVERY_MS = 60_000

export interface ConnectionOptions {
  log: FastifyBaseLogger
  trustedProxies: string[]
  timeouts?: Timeouts
  maxConnections?: { inAll: number; perAddress: number }
}

/** Prepares the connections of a listener. Call it before the server listens. */
export function prepareConnections(server: Server, options: ConnectionOptions): void {
  const { trustedProxies, maxConnections, log, timeouts = TIMEOUTS } = options
  const isProxy = trustedBy(trustedProxies)
  server.keepAliveTimeoutBuffer = KEEP_ALIVE_MARGIN_MS
  limitConnections(server, {
    max: maxConnections?.inAll ?? Number.POSITIVE_INFINITY,
    ...(maxConnections && { maxPerAddress: maxConnections.perAddress }),
    // A trusted proxy sends requests of many callers.
    groupOf: (address) => (isLoopback(address) || isProxy(address) ? null : addressForCounting(address)),
    ...timeouts,
    onFull: fullReport(log),
  })
  serveOneAtATime(server)
  rememberRequests(server)
  if (trustedProxies.length > 0) readForwardedAddresses(server)
}

function fullReport(log: FastifyBaseLogger): (variable: ConnectionLimit) => void {
  let loggedAtMs = Number.NEGATIVE_INFINITY
  return (variable) => {
    if (performance.now() - loggedAtMs < FULL_LOGGED_EVERY_MS) return
    loggedAtMs = performance.now()
    log.warn(`${variable} are open: the connection that has waited longest is closed for each new one`)
  }
}
