import { CardBody, CatchUpBody, RetryBody } from '../../../contract/dashboard/subscriptions-api.ts'
import type { Route } from '../../http/route.ts'
import { releaseCatchUp } from '../../subscriptions/bills/release-catch-up.ts'
import { replaceCard } from '../../subscriptions/lifecycle/replace-card.ts'
import { sendCardLink } from '../../subscriptions/notices/send-card-link.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { requirePreview } from '../preview-hash.ts'
import { findRetried, previewRetry, retryBill } from './retry-bill.ts'
import { changed, whichOf } from './schedule-routes.ts'
import type { SubscriptionServices } from './subscription-routes.ts'

/** What is charged, and to which card. */
export function billRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    ...retryRoutes(dashboard, services),
    dashboard.write('POST /subscriptions/{id}/payment_method', {
      permission: 'subscriptions.write',
      action: 'subscription.change_card',
      body: CardBody,
      handle(call, tx) {
        const { payment_method: cardId } = call.body
        const replaced = replaceCard({ ...services, db: tx }, { ...whichOf(call), cardId })
        return changed(services, tx, replaced, { payment_method: cardId })
      },
    }),
    dashboard.write('POST /subscriptions/{id}/link', {
      permission: 'subscriptions.write',
      action: 'subscription.send_link',
      handle: (call, tx) => changed(services, tx, sendCardLink({ ...services, db: tx }, whichOf(call))),
    }),
    dashboard.write('POST /subscriptions/{id}/catch_up', {
      permission: 'subscriptions.write',
      action: 'subscription.release',
      body: CatchUpBody,
      handle(call, tx) {
        const { missed } = call.body
        return changed(services, tx, releaseCatchUp({ ...services, db: tx }, { ...whichOf(call), missed }), { missed })
      },
    }),
  ]
}

function retryRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    dashboard.preview('POST /subscriptions/{id}/retry/preview', {
      permission: 'subscriptions.retry',
      handle: async (call) => ({ body: await previewRetry(services, whichOf(call)) }),
    }),
    dashboard.once('POST /subscriptions/{id}/retry', {
      permission: 'subscriptions.retry',
      action: 'subscription.retry',
      body: RetryBody,
      asks: ({ params: { id = '' } }) => ({ object: { type: 'subscription', id } }),
      recover: async (call, id) => {
        const body = await findRetried(services.db, whichOf(call).business.id, id)
        return body && { body }
      },
      async handle(call, id) {
        const which = whichOf(call)
        const { preview_hash } = call.body
        if (preview_hash !== undefined) requirePreview(preview_hash, await previewRetry(services, which))
        return { body: await retryBill(services, which, id) }
      },
    }),
  ]
}
