import type { Route } from '../../http/route.ts'
import { isUnsigned } from '../../subscriptions/contract.ts'
import { readCurrentSubscription } from '../../subscriptions/lifecycle/change-subscription.ts'
import { sendCardLink } from '../../subscriptions/notices/send-card-link.ts'
import { conflict, type Subscription } from '../../subscriptions/subscription.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { changed, whichOf } from './schedule-routes.ts'
import type { SubscriptionServices } from './subscription-routes.ts'

/** The link where the customer enters a card: to be handed over, or sent. */
export function linkRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    dashboard.write('POST /subscriptions/{id}/show_link', {
      permission: 'subscriptions.write',
      action: 'subscription.show_link',
      async prepare(call) {
        const loaded = await readCurrentSubscription(services, whichOf(call))
        // The page of the link begins with the contract, and whoever opens it can sign.
        if (isUnsigned(loaded)) await dashboard.requirePermission(call.member, 'contracts.write')
        const url = linkOf(services, loaded.subscription)
        if (url === null)
          throw conflict(`The subscription is ${loaded.subscription.status}. It needs no card any more.`)
        return url
      },
      handle: async (call, _tx, url: string) => ({
        body: { object: 'link' as const, url },
        audit: { object: { type: 'subscription', id: whichOf(call).id } },
      }),
    }),
    dashboard.writeOnce('POST /subscriptions/{id}/link', {
      permission: 'subscriptions.write',
      action: 'subscription.send_link',
      handle: (call, tx) => changed(services, tx, sendCardLink({ ...services, db: tx }, whichOf(call))),
    }),
  ]
}

/** @returns `null` when nothing is charged any more */
function linkOf({ subscriptionLink, cardLink }: SubscriptionServices, one: Subscription): string | null {
  if (one.status === 'pending_payment_method') return subscriptionLink(one)
  return one.status === 'active' || one.status === 'paused' ? cardLink(one) : null
}
