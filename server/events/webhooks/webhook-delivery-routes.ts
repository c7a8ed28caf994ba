import { EventRedelivery } from '../../../contract/webhook-delivery.ts'
import type { MerchantApi } from '../../access/keys/merchant-api.ts'
import { type Route, route } from '../../http/route.ts'
import { keptSince, noSuchEvent } from '../kept-events.ts'
import { findEvent } from '../recorded-event-queries.ts'
import { redeliverEvent } from './redeliver.ts'
import { webhookDeliveryObject } from './webhook-delivery.ts'
import { WEBHOOK_DELIVERY_DOCUMENTS as documents } from './webhook-delivery-openapi.ts'
import { listDeliveries } from './webhook-delivery-queries.ts'

/** Routes that show what became of an event at each endpoint. */
export function webhookDeliveryRoutes(
  { db, clock, shared }: MerchantApi,
  { eventDays }: { eventDays: number },
): Route[] {
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/events/{id}/deliveries',
      scope: 'events:read',
      document: documents.list,
      async handle({ caller: { business }, params: { id = '' } }) {
        const which = { businessId: business.id, id, since: keptSince(clock, eventDays) }
        if (!(await findEvent(db, which))) throw noSuchEvent()
        const deliveries = await listDeliveries(db, business.id, id)
        const now = clock.now()
        const data = deliveries.map((delivery) => webhookDeliveryObject(delivery, now))
        return { body: { object: 'list', data, has_more: false } }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/events/{id}/redeliver',
      scope: 'events:write',
      body: EventRedelivery,
      document: documents.redeliver,
      async handle({ caller: { business }, params: { id = '' }, body }) {
        const which = { businessId: business.id, id, endpointId: body.webhook_endpoint }
        const deliveries = await redeliverEvent({ db, clock, eventDays }, which)
        return { body: { object: 'redelivery', deliveries } }
      },
    }),
  ]
}
