import { TOTAL_MAX } from '../../../contract/dashboard/list.ts'
import { DeliveriesQuery, DeliveriesRedelivery } from '../../../contract/dashboard/webhooks-api.ts'
import { EndpointRedelivery } from '../../../contract/webhook-delivery.ts'
import type { Environment } from '../../access/shared/context.ts'
import { eventObject } from '../../events/event-object.ts'
import { keptSince } from '../../events/kept-events.ts'
import { redeliverEvent, redeliverSince } from '../../events/webhooks/redeliver.ts'
import { readBudgets, requireBudget } from '../../events/webhooks/redelivery-budget.ts'
import { pingEndpoint } from '../../events/webhooks/test-endpoint.ts'
import { noSuchEndpoint, requireEnabled } from '../../events/webhooks/webhook-endpoint.ts'
import { findEndpoint, lockEndpoint } from '../../events/webhooks/webhook-endpoint-queries.ts'
import type { Route } from '../../http/route.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { dashboardList } from '../list-object.ts'
import { countEndpointDeliveries, listEndpointDeliveries } from './delivery-list-queries.ts'
import { countMissed } from './missed-queries.ts'
import { deliveryFilter, type KeptEvents } from './webhook-filters.ts'
import { deliveryRow } from './webhook-objects.ts'

interface DeliveryServices extends KeptEvents {
  environment: Environment
}

const objectOf = (id: string) => ({ type: 'webhook_endpoint', id })

/**
 * Returns the routes for what was delivered to an endpoint, for a test of it, and for what it missed (EVT-21, EVT-23).
 */
export function deliveryRoutes(dashboard: DashboardRoutes, services: DeliveryServices): Route[] {
  return [
    listRoute(dashboard, services),
    testRoute(dashboard, services),
    ...redeliverRoutes(dashboard, services),
    redeliverChosenRoute(dashboard, services),
  ]
}

function listRoute(dashboard: DashboardRoutes, { clock, eventDays }: DeliveryServices): Route {
  const { db } = dashboard
  return dashboard.read('GET /webhook_endpoints/{id}/deliveries', {
    permission: 'webhooks.read',
    query: DeliveriesQuery,
    async handle({ member: { business }, params: { id = '' }, query }) {
      if (!(await findEndpoint(db, business.id, id))) throw noSuchEndpoint('id')
      const which = deliveryFilter(business, { ...query, endpointId: id }, { clock, eventDays })
      const [page, counted] = await Promise.all([
        listEndpointDeliveries(db, which, query),
        countEndpointDeliveries(db, which),
      ])
      return { body: dashboardList(page, counted, (row) => deliveryRow(row, clock.now())) }
    },
  })
}

function testRoute(dashboard: DashboardRoutes, { clock, environment }: DeliveryServices): Route {
  return dashboard.write('POST /webhook_endpoints/{id}/test', {
    permission: 'webhooks.write',
    action: 'webhook_endpoint.test',
    async handle({ member: { business }, params: { id = '' } }, tx) {
      const event = await pingEndpoint({ db: tx, clock }, { business, id })
      return { body: eventObject(event, { environment, subscriptionLink: null }), audit: { object: objectOf(id) } }
    },
  })
}

function redeliverRoutes(dashboard: DashboardRoutes, { clock, eventDays }: DeliveryServices): Route[] {
  const { db } = dashboard
  return [
    dashboard.preview('POST /webhook_endpoints/{id}/redeliver/preview', {
      permission: 'events.redeliver',
      body: EndpointRedelivery,
      async handle({ member: { business }, params: { id = '' }, body }) {
        if (!(await findEndpoint(db, business.id, id))) throw noSuchEndpoint('id')
        const since = new Date(Math.max(body.since * 1_000, keptSince(clock, eventDays).getTime()))
        const count = await countMissed(db, {
          businessId: business.id,
          endpointId: id,
          since,
          statuses: body.status,
        })
        const [budget] = await readBudgets(db, { businessId: business.id, endpointIds: [id], at: clock.now() })
        const deliveries = count > TOTAL_MAX ? null : count
        const { left: remaining = 0, retryAfter: retry_after = null } = budget ?? {}
        return { body: { object: 'redelivery_preview' as const, deliveries, remaining, retry_after } }
      },
    }),
    dashboard.write('POST /webhook_endpoints/{id}/redeliver', {
      permission: 'events.redeliver',
      action: 'webhook_endpoint.redeliver',
      body: EndpointRedelivery,
      async handle({ member: { business }, params: { id = '' }, body }, tx) {
        const given = { businessId: business.id, id, input: body }
        const result = await redeliverSince({ db: tx, clock, eventDays }, given)
        const after = { since: body.since, status: body.status, deliveries: result.deliveries }
        return { body: result, audit: { object: objectOf(id), after } }
      },
    }),
  ]
}

/** Returns the route that repeats several chosen deliveries of an endpoint, each on its own (DSH-37). */
function redeliverChosenRoute(dashboard: DashboardRoutes, { clock, eventDays }: DeliveryServices): Route {
  return dashboard.bulk('POST /webhook_endpoints/{id}/deliveries/redeliver', {
    permission: 'events.redeliver',
    action: 'event.redeliver',
    body: DeliveriesRedelivery,
    type: 'event',
    items: ({ events }) => events.map((id) => ({ id })),
    async check({ member: { business }, params: { id = '' }, body: { events } }, tx) {
      const endpoint = await lockEndpoint(tx, business.id, id)
      if (!endpoint) throw noSuchEndpoint('id')
      requireEnabled(endpoint)
      // A call above the budget is refused as a whole: the person then chooses fewer, or waits.
      const wanted = events.length
      await requireBudget(tx, { businessId: business.id, endpointIds: [id], at: clock.now(), wanted })
    },
    async change({ member: { business }, params: { id: endpointId = '' } }, { id }, tx) {
      const deliveries = await redeliverEvent({ db: tx, clock, eventDays }, { businessId: business.id, id, endpointId })
      return { done: { id }, after: { deliveries, webhook_endpoint: endpointId } }
    },
  })
}
