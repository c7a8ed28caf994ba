import type { Server } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { type ConnectionLimit, limitConnections, TIMEOUTS, type Timeouts } from '../lib/http-connections.ts'
import { serveOneAtATime } from '../lib/pipelined-requests.ts'
import { rememberRequests } from './broken-request.ts'
import { addressForCounting, isLoopback } from './client-address.ts'
import { readForwardedAddresses } from './forwarded-addresses.ts'
import { trustedBy } from './trusted-proxies.ts'

/** Longer than proxies in front usually keep an idle connection: the side that sends the next request closes first. */
export const KEEP_ALIVE_MS = 75_000
/** Beyond the time that the response announces, so that a client that keeps to it never meets the end. */
const KEEP_ALIVE_MARGIN_MS = 5_000

/** Reached limits are logged this often at most, so that strangers do not fill the log. */
const FULL_LOGGED_EVERY_MS = 60_000

export interface ConnectionOptions {
  log: FastifyBaseLogger
  trustedProxies: string[]
  timeouts?: Timeouts
  maxConnections?: { inAll: number; perAddress: number }
}

/** What a listener does with its connections before requests come to its routes. Call it before the server listens. */
export function prepareConnections(server: Server, options: ConnectionOptions): void {
  const { trustedProxies, maxConnections, log, timeouts = TIMEOUTS } = options
  const isProxy = trustedBy(trustedProxies)
  server.keepAliveTimeoutBuffer = KEEP_ALIVE_MARGIN_MS
  limitConnections(server, {
    max: maxConnections?.inAll ?? Number.POSITIVE_INFINITY,
    ...(maxConnections && { maxPerAddress: maxConnections.perAddress }),
    // A trusted proxy speaks for many callers.
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
