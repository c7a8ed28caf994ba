import { type Business, businessNow } from '../../businesses/business.ts'
import { newCustomerCardLink } from '../../checkout/sessions/customer-card-link.ts'
import { insertCustomerCardLinks } from '../../checkout/sessions/customer-card-link-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Route } from '../../http/route.ts'
import { isUnsigned } from '../../subscriptions/contract.ts'
import { readCurrentSubscription } from '../../subscriptions/lifecycle/change-subscription.ts'
import { sendCardLink } from '../../subscriptions/notices/send-card-link.ts'
import { conflict, type Subscription } from '../../subscriptions/subscription.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { changed, whichOf } from './schedule-routes.ts'
import type { SubscriptionServices } from './subscription-routes.ts'

/** Returns the routes that show or send the link where the customer enters a card. */
export function linkRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    dashboard.write('POST /subscriptions/{id}/show_link', {
      permission: 'subscriptions.write',
      action: 'subscription.show_link',
      async prepare(call) {
        const loaded = await readCurrentSubscription(services, whichOf(call))
        // The page of the link begins with the contract, so whoever opens it can sign.
        if (isUnsigned(loaded)) await dashboard.requirePermission(call.member, 'contracts.write')
        const { status } = loaded.subscription
        if (status === 'completed' || status === 'canceled')
          throw conflict(`The subscription is ${status}. It needs no card any more.`)
        return loaded.subscription
      },
      handle: async (call, tx, subscription: Subscription) => ({
        body: { object: 'link' as const, url: await makeLink(services, tx, { ...whichOf(call), subscription }) },
        audit: { object: { type: 'subscription', id: subscription.id } },
      }),
    }),
    dashboard.writeOnce('POST /subscriptions/{id}/link', {
      permission: 'subscriptions.write',
      action: 'subscription.send_link',
      handle: (call, tx) => changed(services, tx, sendCardLink({ ...services, db: tx }, whichOf(call))),
    }),
  ]
}

/**
 * Returns a link where the customer enters a card. The link for the first card belongs to the subscription; one for
 * another card is made for this call, for 30 days.
 */
async function makeLink(
  { subscriptionLink, customerCardLink, clock }: SubscriptionServices,
  tx: Tx,
  { business, subscription }: { business: Business; subscription: Subscription },
): Promise<string> {
  if (subscription.status === 'pending_payment_method') return subscriptionLink(subscription)
  const { businessId, id: subscriptionId, customerId } = subscription
  const link = newCustomerCardLink({ businessId, customerId, subscriptionId }, businessNow(clock, business))
  await insertCustomerCardLinks(tx, [link])
  return customerCardLink(link)
}
