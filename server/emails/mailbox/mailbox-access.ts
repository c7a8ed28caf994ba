import { BlockList, isIPv6 } from 'node:net'

export interface MailboxCaller {
  /** IP address of the caller, after trusted proxies. */
  ip: string
  /** The `Host` header. */
  host: string | undefined
  /** Whether a proxy has named another caller or host. */
  isForwarded: boolean
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
const isLoopbackName = (hostname: string) => LOOPBACK_NAMES.includes(hostname)

/**
 * Whether a caller is on this machine. The mailbox has no sign-in, and letters name people.
 *
 * @see LTR-15
 */
export function mayReadMailbox(
  { ip, host = '', isForwarded }: MailboxCaller,
  { dashboardUrl, knowsProxies }: { dashboardUrl: string; knowsProxies: boolean },
): boolean {
  const own = new URL(dashboardUrl)
  if (!knowsProxies && (isForwarded || !isLoopbackName(own.hostname))) return false
  if (!isLoopback(ip)) return false
  return host.toLowerCase() === own.host || isLoopbackName(host.toLowerCase().replace(/:\d+$/, ''))
}

function isLoopback(ip: string): boolean {
  try {
    return LOOPBACK.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
  } catch {
    return false
  }
}
