import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isIPv6 } from 'node:net'
import buildConnector from 'undici/lib/core/connect.js'
// Only half of undici, to halve its load time: the rest is its fetch, caches and WebSocket.
import Agent from 'undici/lib/dispatcher/agent.js'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import { isOwnListener, refusedAddress, type TargetRules } from '../webhooks/target-address.ts'

/** Returns all addresses of a host. */
export type ResolveName = (host: string) => Promise<string[]>

/** Thrown if none of the addresses of a host may receive webhooks. */
export class RefusedTarget extends Error {
  override readonly name = 'RefusedTarget'
}

const LOCALHOST = /(?:^|\.)localhost\.?$/
const QUERY_MS = 2_000
const QUERY_TRIES = 2
/** Shorter than the timeout of most servers, so that this side closes an idle socket first. */
const IDLE_SOCKET_MS = 4_000

interface AgentOptions {
  rules: TargetRules
  connectTimeoutMs: number
  resolveName?: ResolveName | undefined
}

/**
 * Returns an agent that connects to checked addresses only: the addresses of a host are checked when connecting, and
 * the connection goes to a checked address. Hosts that are IP addresses are not looked up, so the URL must have been
 * checked too.
 *
 * @see EVT-10
 */
export function targetAgent({ rules, connectTimeoutMs, resolveName = dnsNames() }: AgentOptions): Agent {
  // One connector for each origin, because a connector resumes its earlier TLS sessions.
  const connectors = createBoundedMap<ReturnType<typeof buildConnector>>()
  const connectorOf = ({ protocol, hostname, port }: { protocol: string; hostname: string; port: string }) => {
    const origin = `${protocol}//${hostname}:${port}`
    const lookup = checkedLookup(resolveName, rules, Number(port || (protocol === 'https:' ? 443 : 80)))
    const connector = connectors.get(origin) ?? buildConnector({ timeout: connectTimeoutMs, lookup, allowH2: false })
    connectors.set(origin, connector)
    return connector
  }
  return new Agent({
    connect: (options, callback) => connectorOf(options)(options, callback),
    // The attempt's own deadline is the only one.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_SOCKET_MS,
    keepAliveMaxTimeout: IDLE_SOCKET_MS,
    // One request per socket at a time, so that no request waits behind a slow response.
    pipelining: 1,
    allowH2: false,
  })
}

function checkedLookup(resolveName: ResolveName, rules: TargetRules, port: number): LookupFunction {
  const isRefused = (address: string) =>
    refusedAddress(address, rules.environment) || isOwnListener(address, port, rules)
  return (host, { all }, callback) => {
    const found = resolveName(host).then((addresses) => {
      const allowed = addresses.filter((address) => !isRefused(address))
      const [first] = allowed.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
      if (!first) throw new RefusedTarget(`${host} has no address that may receive webhooks`)
      return { first, allowed: allowed.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })) }
    })
    found.then(
      ({ first, allowed }) => (all ? callback(null, allowed) : callback(null, first.address, first.family)),
      (error: Error) => callback(error, ''),
    )
  }
}

/** Looks up names without the threads of the process: a few names with unresponsive DNS would occupy them all. */
function dnsNames(): ResolveName {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: QUERY_TRIES })
  return async (host) => {
    if (LOCALHOST.test(host)) return ['127.0.0.1', '::1']
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const [failed] = found.filter((one) => one.status === 'rejected')
    if (addresses.length === 0 && failed) throw failed.reason
    return addresses
  }
}
