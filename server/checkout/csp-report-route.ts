import type { FastifyBaseLogger } from 'fastify'
import { addressForCounting } from '../http/client-address.ts'
import type { MakeRateLimiter } from '../http/rate-limit.ts'
import { everybody, type Route, route } from '../http/route.ts'

/**
 * Where browsers tell that something on the payment page was blocked: a sign of tampering (PCI DSS 11.6.1). Only what was
 * blocked is kept, never the page's address: a session token is in that.
 */
export function cspReportRoute({
  log,
  makeRateLimiter,
}: {
  log: FastifyBaseLogger
  makeRateLimiter: MakeRateLimiter
}): Route {
  const limiter = makeRateLimiter({ name: 'csp-report', points: 30, seconds: 60 })
  return route({
    method: 'POST',
    path: '/csp-report',
    access: everybody,
    browsers: 'form',
    acceptsReports: true,
    limits: [{ limiter, key: ({ ip }) => addressForCounting(ip) }],
    handle({ body }) {
      for (const violation of violationsOf(body)) log.warn(violation, 'the payment page blocked something')
      return { status: 204, body: undefined }
    },
  })
}

interface Violation {
  directive: string
  blocked: string
}

/** Of both forms that browsers send: a list of reports, or one in the older envelope. */
function violationsOf(body: unknown): Violation[] {
  const reports = Array.isArray(body)
    ? body.slice(0, 10).map((report) => report?.body)
    : [(body as Older)?.['csp-report']]
  return reports.filter(Boolean).map((report: Record<string, unknown>) => ({
    directive: text(report.effectiveDirective ?? report['effective-directive'] ?? report['violated-directive']),
    blocked: originOf(text(report.blockedURL ?? report['blocked-uri'])),
  }))
}

type Older = { 'csp-report'?: Record<string, unknown> } | null

const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 100) : '')

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url)
