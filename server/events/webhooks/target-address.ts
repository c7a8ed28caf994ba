import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { Environment } from '../../access/shared/context.ts'

export interface TargetRules {
  environment: Environment
  /** Origins of this service, which must not receive webhooks. */
  ownOrigins: readonly string[]
}

/** Name that `ipaddr.js` gives to addresses outside all special ranges. */
const PUBLIC = 'unicast'
/** Metadata services at addresses outside the special ranges. 168.63.129.16 is the host of every Azure machine. */
const METADATA = ['168.63.129.16']
/** Addresses outside 2000::/3 are not allocated, such as ::/96, which embeds IPv4 addresses. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Names that resolve only inside a network and so cannot be public. */
const INNER_NAME = /(?:^|\.)(?:localhost|local|localdomain|lan|internal|home\.arpa)$/
const PRODUCTION_PORTS = [443, 8443]
const WEB_PORTS = [80, 443]
const FIRST_UNPRIVILEGED_PORT = 1024

/**
 * Whether webhooks to an address are refused: only public addresses may receive them; in staging, loopback may, too.
 *
 * @param ip as a resolver returns it; anything else is refused
 * @see EVT-10
 */
export function refusedAddress(ip: string, environment: Environment): boolean {
  if (isIP(ip) === 0 || METADATA.includes(ip)) return true
  const address = ipaddr.parse(canonical(ip))
  const range = address.range()
  if (environment === 'staging' && range === 'loopback') return false
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_IPV6)) return true
  return range !== PUBLIC
}

/** Returns the address as WHATWG URL writes it: `ipaddr.js` takes `::127.0.0.1` for IPv4. */
function canonical(ip: string): string {
  const [address = ''] = ip.split('%')
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}

/**
 * Returns why an endpoint may not have a URL; `null` if it may. Every spelling of an address that WHATWG URL knows is
 * checked. A name is checked when connecting, by what it resolves to.
 */
export function checkTargetUrl(text: string, { environment, ownOrigins }: TargetRules): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an absolute https URL'
  if (environment === 'production' && url.protocol !== 'https:') return 'must use https'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password'
  const port = portOf(url)
  if (environment === 'production' && !PRODUCTION_PORTS.includes(port)) return 'must use port 443 or 8443'
  if (port < FIRST_UNPRIVILEGED_PORT && !WEB_PORTS.includes(port)) return 'must use port 80, 443 or one from 1024'
  if (ownOrigins.some((own) => isSameHost(url, new URL(own), environment))) return 'must not be a host of this service'
  if (isIP(hostOf(url)) !== 0 && isOwnListener(hostOf(url), port, { ownOrigins }))
    return 'must not be a host of this service'
  return isPublicHost(hostOf(url), environment) ? null : 'must have a public address'
}

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

/** Returns the host without the brackets of IPv6 and the trailing dot of an absolute name. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/**
 * Whether an address leads to a listener of this service, whatever name resolved to it. In staging, other programs on
 * this machine may receive webhooks, and every listener can be reached by each address of the machine.
 *
 * @see EVT-10
 */
export function isOwnListener(ip: string, port: number, { ownOrigins }: Pick<TargetRules, 'ownOrigins'>): boolean {
  const isOwnPort = ownOrigins.map((own) => new URL(own)).some((own) => isLoopback(own) && portOf(own) === port)
  return isOwnPort && isOfThisMachine(ip)
}

function isOfThisMachine(ip: string): boolean {
  if (ipaddr.parse(canonical(ip)).range() === 'loopback') return true
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  return addresses.some(({ address }) => canonical(address) === canonical(ip))
}

/** In staging, other programs on the same machine may receive webhooks. */
function isSameHost(url: URL, own: URL, environment: Environment): boolean {
  if (environment === 'production') return hostOf(url) === hostOf(own)
  const isSame = hostOf(url) === hostOf(own) || (isLoopback(url) && isLoopback(own))
  return isSame && portOf(url) === portOf(own)
}

function isLoopback(url: URL): boolean {
  const host = hostOf(url)
  if (isIP(host) === 0) return /(?:^|\.)localhost$/.test(host)
  return ipaddr.parse(host).range() === 'loopback'
}

function isPublicHost(host: string, environment: Environment): boolean {
  if (isIP(host) !== 0) return !refusedAddress(host, environment)
  return environment === 'staging' || (host.includes('.') && !INNER_NAME.test(host))
}
