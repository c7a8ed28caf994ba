import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { addressForCounting } from '../../http/client-address.ts'
import { PUBLIC_PATHS } from '../../http/family.ts'
import { REPORT_MEDIA } from '../../http/media-types.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import { type Access, type Route, route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Links } from '../sessions/session-view.ts'
import { violationsOf } from './csp-violation.ts'

/**
 * Receives the browsers' reports of blocked content on the payment page, a sign of tampering (PCI DSS 11.6.1). Only
 * origins and known keywords are logged, never text chosen by the sender, and never the page's URL, which contains a
 * session token.
 */
export function cspReportRoute({
  log,
  makeRateLimiter,
  links,
}: {
  log: FastifyBaseLogger
  makeRateLimiter: MakeRateLimiter
  links: Links
}): Route {
  const limiter = makeRateLimiter({ name: 'csp-report', points: 30, seconds: 60 })
  return route({
    method: 'POST',
    path: '/csp-report',
    family: PUBLIC_PATHS,
    access: reportingBrowser(links.dashboardUrl),
    browsers: 'form',
    acceptsReports: true,
    limits: [{ limiter, key: ({ ip }) => addressForCounting(ip) }],
    handle({ body }) {
      for (const violation of violationsOf(body)) log.warn(violation, 'the payment page blocked something')
      return { status: 204, body: undefined }
    },
  })
}

/** Admits browsers: they send a report with the origin of its page and a media type for reports. */
function reportingBrowser(formOrigin: string): Access<null> {
  return {
    name: 'public',
    check({ headers }: FastifyRequest) {
      if (headers.origin !== formOrigin) {
        throw new ApiError('origin_not_allowed', {
          message: 'Only the payment form may send reports',
        })
      }
      if (!REPORT_MEDIA.test(headers['content-type'] ?? '')) {
        throw new ApiError('unsupported_media_type', {
          message: 'The content type must be application/reports+json or application/csp-report',
        })
      }
      return null
    },
  }
}
