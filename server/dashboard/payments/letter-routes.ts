import { businessNow } from '../../businesses/business.ts'
import { isEndedCardLink } from '../../checkout/sessions/customer-card-link-queries.ts'
import { resendLetter } from '../../emails/resend-letter.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import type { Route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { paymentReceipt } from './receipt.ts'

/** Returns the routes that show the receipt of a payment and send its letters again. */
export function letterRoutes(
  dashboard: DashboardRoutes,
  services: { makeRateLimiter: MakeRateLimiter; letterLimit: LetterLimit },
): Route[] {
  const { db, clock } = dashboard
  const perMinute = services.makeRateLimiter({ name: 'dashboard letter', points: 5, seconds: 60 })
  return [
    dashboard.read('GET /payments/{id}/receipt', {
      permission: 'payments.read',
      async handle({ member, params, isGone }) {
        const { fileName, content } = await paymentReceipt(db, member.business, params.id ?? '', isGone)
        const headers = {
          'content-type': 'application/pdf',
          'content-disposition': `inline; filename="${fileName}"`,
        }
        // In the types of the API, a file is a string.
        return { headers, body: content as unknown as string }
      },
    }),
    dashboard.write('POST /letters/{id}/resend', {
      permission: 'customers.write',
      action: 'letter.resend',
      limits: [{ limiter: perMinute, key: (_request, { session }) => session.userId }],
      async handle({ member: { business }, params }, tx) {
        const given = params.id ?? ''
        const wanted = { businessId: business.id, id: given, createdAt: businessNow(clock, business) }
        const id = isUuid(given) ? await resendLetter(tx, { ...services, isEndedLink: isEndedCardLink }, wanted) : null
        if (id === null) throw new ApiError('not_found', { message: 'No such letter' })
        return {
          status: 201,
          body: { id, object: 'letter' as const, status: 'pending' as const },
          audit: { object: { type: 'letter', id: given }, after: { letter: id } },
        }
      },
    }),
  ]
}
