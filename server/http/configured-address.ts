import type { FastifyReply, FastifyRequest } from 'fastify'

// The scripts, policies and cookies of a page belong to one origin, the configured one. Under another name the page
// would be blank, or paying on it would fail (OPS-124).

/** Address that a page belongs to. */
export interface Home {
  origin: string
  /** Variable with which an operator changes it. */
  variable: string
}

/** @returns `null` for a path that may be served under any name */
export type HomeOf = (path: string) => Home | null

/** Parameter of the redirected request. It shows at the second request that a proxy replaces the name. */
const MARK = 'opened_at'
const LEARNED_MAX = 100
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Redirects whoever opens a page under another name, port or scheme to the configured address. API calls, probes and
 * files are served under any name.
 *
 * @returns whether the response was sent
 */
export function leadHome(homeOf: HomeOf = () => null): (request: FastifyRequest, reply: FastifyReply) => boolean {
  /** Names that a proxy sends for pages opened at the right address. */
  const learned = new Set<string>()
  return (request, reply) => {
    if (!opensPage(request)) return false
    const home = homeOf(request.url.split('?')[0] ?? '')
    const here = home && addressOf(request, home)
    if (!home || !here || here.origin === new URL(home.origin).origin || learned.has(here.origin)) return false
    if (markOf(request.url) === here.origin) {
      if (learned.size < LEARNED_MAX) learned.add(here.origin)
      return false
    }
    const there = new URL(home.origin + request.url)
    reply.header('cache-control', 'no-store').header('vary', 'accept, host')
    if (!canReach(here, there)) {
      sayWhere(reply, home, here, there)
      return true
    }
    there.searchParams.set(MARK, here.origin)
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.code(302).header('location', there.href).send(`This page is at ${there.origin}\n`)
    return true
  }
}

/** Whether a browser opens a page, including in a frame. */
function opensPage({ method, headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest']
  const isDocument = destination === undefined || destination === 'document' || destination === 'iframe'
  return (method === 'GET' || method === 'HEAD') && isDocument && /\btext\/html\b/i.test(headers.accept ?? '')
}

/**
 * Returns the address as the browser has it. The listeners have no TLS, so only a trusted proxy knows the scheme; if
 * none states it, the configured one is assumed.
 */
function addressOf(request: FastifyRequest, home: Home): URL | null {
  const { host, protocol, headers, ips } = request
  const isSaid = ips !== undefined && headers['x-forwarded-proto'] !== undefined
  const address = `${isSaid ? `${protocol}:` : new URL(home.origin).protocol}//${host}`
  return host && URL.canParse(address) ? new URL(address) : null
}

const markOf = (url: string): string | null => new URLSearchParams(url.split('?')[1] ?? '').get(MARK)

const isLoopback = (hostname: string) => LOOPBACK.test(hostname)

/**
 * Whether the browser reaches the configured address. `localhost` is another place for whoever opened the page from
 * another machine, or through a mapped port.
 */
function canReach(here: URL, there: URL): boolean {
  return !isLoopback(there.hostname) || (isLoopback(here.hostname) && here.port === there.port)
}

function sayWhere(reply: FastifyReply, { origin, variable }: Home, here: URL, there: URL): void {
  const [link, own] = [there.href, here.origin].map(escaped)
  reply.code(421).header('content-type', 'text/html; charset=utf-8').header('content-security-policy', POLICY)
  reply.send(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Another address</title>
<p>This page is at <a href="${link}">${escaped(origin)}</a>. To open it here, set ${variable} to the address that the browser shows (${own}) and start the service again.</p>
`)
}

const POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
