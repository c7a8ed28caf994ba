import {
  CardBody,
  CardPreviewBody,
  CatchUpBody,
  CatchUpPreviewBody,
  RetryBody,
} from '../../../contract/dashboard/subscriptions-api.ts'
import type { Route } from '../../http/route.ts'
import { releaseCatchUp } from '../../subscriptions/bills/release-catch-up.ts'
import { replaceCard } from '../../subscriptions/lifecycle/replace-card.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { requirePreview } from '../preview-hash.ts'
import { previewCardChange } from './card-change.ts'
import { previewCatchUp } from './catch-up.ts'
import { findRetried, previewRetry, retryBill } from './retry-bill.ts'
import { changed, whichOf } from './schedule-routes.ts'
import type { SubscriptionServices } from './subscription-routes.ts'

/** Returns the routes for what is charged, and to which card. */
export function billRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    ...retryRoutes(dashboard, services),
    ...catchUpRoutes(dashboard, services),
    ...cardRoutes(dashboard, services),
  ]
}

function cardRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    dashboard.preview('POST /subscriptions/{id}/payment_method/preview', {
      permission: 'subscriptions.write',
      body: CardPreviewBody,
      async handle(call) {
        return { body: await previewCardChange(services, { ...whichOf(call), cardId: call.body.payment_method }) }
      },
    }),
    dashboard.writeOnce('POST /subscriptions/{id}/payment_method', {
      permission: 'subscriptions.write',
      action: 'subscription.change_card',
      body: CardBody,
      async handle(call, tx) {
        const within = { ...services, db: tx }
        const { payment_method: cardId, preview_hash } = call.body
        const change = { ...whichOf(call), cardId }
        if (preview_hash !== undefined) requirePreview(preview_hash, await previewCardChange(within, change))
        return changed(services, tx, replaceCard(within, change), { payment_method: cardId })
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
      asks: ({ params: { id = '' } }, operation) => ({ object: { type: 'subscription', id }, after: { operation } }),
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

function catchUpRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    dashboard.preview('POST /subscriptions/{id}/catch_up/preview', {
      permission: 'subscriptions.write',
      body: CatchUpPreviewBody,
      handle: async (call) => ({ body: await previewCatchUp(services, { ...whichOf(call), ...call.body }) }),
    }),
    dashboard.writeOnce('POST /subscriptions/{id}/catch_up', {
      permission: 'subscriptions.write',
      action: 'subscription.release',
      body: CatchUpBody,
      async handle(call, tx) {
        const within = { ...services, db: tx }
        const { missed, preview_hash } = call.body
        const decision = { ...whichOf(call), missed }
        if (preview_hash !== undefined) requirePreview(preview_hash, await previewCatchUp(within, decision))
        return changed(services, tx, releaseCatchUp(within, decision), { missed })
      },
    }),
  ]
}
