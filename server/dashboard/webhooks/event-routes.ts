import { TOTAL_MAX } from '../../../contract/dashboard/list.ts'
import { EventsQuery } from '../../../contract/dashboard/webhooks-api.ts'
import { EventRedelivery } from '../../../contract/webhook-delivery.ts'
import type { Environment } from '../../access/shared/context.ts'
import { keptSince, noSuchEvent } from '../../events/kept-events.ts'
import { countEvents, findEvent, listEvents } from '../../events/recorded-event-queries.ts'
import { redeliverEvent } from '../../events/webhooks/redeliver.ts'
import { webhookDeliveryObject } from '../../events/webhooks/webhook-delivery.ts'
import { listDeliveries } from '../../events/webhooks/webhook-delivery-queries.ts'
import type { Route } from '../../http/route.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList, wholeList } from '../list-object.ts'
import { countDeliveriesOf, findReceivers } from './delivery-list-queries.ts'
import { eventFilter, type KeptEvents } from './webhook-filters.ts'
import { eventOfPage } from './webhook-objects.ts'

interface EventServices extends KeptEvents {
  environment: Environment
}

/** Returns the routes of events, and of what became of them (EVT-24). */
export function eventRoutes(dashboard: DashboardRoutes, services: EventServices): Route[] {
  return [...readRoutes(dashboard, services), deliveriesRoute(dashboard, services), redeliverRoute(dashboard, services)]
}

function readRoutes(dashboard: DashboardRoutes, { clock, environment, eventDays }: EventServices): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /events', {
      permission: 'events.read',
      query: EventsQuery,
      async handle({ member: { business }, query }) {
        const which = eventFilter(business, query, { clock, eventDays })
        const [page, counted] = await Promise.all([listEvents(db, which, query), countEvents(db, which, TOTAL_MAX + 1)])
        const ids = page.rows.map(({ id }) => id)
        const counts = await countDeliveriesOf(db, business.id, ids)
        return { body: dashboardList(page, counted, (event) => eventOfPage(event, counts, environment)) }
      },
    }),
    dashboard.read('GET /events/{id}', {
      permission: 'events.read',
      async handle({ member: { business }, params: { id = '' } }) {
        const event = await findEvent(db, { businessId: business.id, id, since: keptSince(clock, eventDays) })
        if (!event) throw noSuchEvent()
        return { body: eventOfPage(event, await countDeliveriesOf(db, business.id, [id]), environment) }
      },
    }),
  ]
}

function deliveriesRoute(dashboard: DashboardRoutes, { clock, eventDays }: EventServices): Route {
  const { db } = dashboard
  return dashboard.read('GET /events/{id}/deliveries', {
    permission: 'events.read',
    async handle({ member: { business }, params: { id = '' } }) {
      const which = { businessId: business.id, id, since: keptSince(clock, eventDays) }
      if (!(await findEvent(db, which))) throw noSuchEvent()
      const deliveries = await listDeliveries(db, business.id, id)
      const ids = deliveries.map(({ endpointId }) => endpointId)
      const receivers = await findReceivers(db, business.id, ids)
      const viewOf = (endpointId: string) => {
        const { url = '', status = 'deleted' as const } = receivers.find((one) => one.id === endpointId) ?? {}
        return { url, status }
      }
      const now = clock.now()
      return {
        body: wholeList(deliveries, (delivery) => ({
          ...webhookDeliveryObject(delivery, now),
          view: viewOf(delivery.endpointId),
        })),
      }
    },
  })
}

function redeliverRoute(dashboard: DashboardRoutes, { clock, eventDays }: EventServices): Route {
  return dashboard.write('POST /events/{id}/redeliver', {
    permission: 'events.redeliver',
    action: 'event.redeliver',
    body: EventRedelivery,
    async handle({ member: { business }, params: { id = '' }, body }, tx) {
      const which = { businessId: business.id, id, endpointId: body.webhook_endpoint }
      const deliveries = await redeliverEvent({ db: tx, clock, eventDays }, which)
      const after = { deliveries, ...(body.webhook_endpoint && { webhook_endpoint: body.webhook_endpoint }) }
      return { body: { object: 'redelivery' as const, deliveries }, audit: { object: { type: 'event', id }, after } }
    },
  })
}
