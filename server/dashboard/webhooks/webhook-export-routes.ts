import type { DELIVERY_COLUMNS, EVENT_COLUMNS } from '../../../contract/dashboard/export-columns.ts'
import { TOTAL_MAX } from '../../../contract/dashboard/list.ts'
import { DeliveriesExport, type EventOfPage, EventsExport } from '../../../contract/dashboard/webhooks-api.ts'
import type { Environment } from '../../access/shared/context.ts'
import { countEvents, listEvents } from '../../events/recorded-event-queries.ts'
import { noSuchEndpoint } from '../../events/webhooks/webhook-endpoint.ts'
import { findEndpoint } from '../../events/webhooks/webhook-endpoint-queries.ts'
import type { Route } from '../../http/route.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import type { CsvCell } from '../export/csv.ts'
import {
  countDeliveriesOf,
  countEndpointDeliveries,
  type ListedDelivery,
  listEndpointDeliveries,
} from './delivery-list-queries.ts'
import { deliveryFilter, eventFilter, type KeptEvents } from './webhook-filters.ts'
import { eventOfPage } from './webhook-objects.ts'

/** Returns the routes that export the lists of events and of an endpoint's deliveries. */
export function webhookExports(
  dashboard: DashboardRoutes,
  services: KeptEvents & { environment: Environment },
): Route[] {
  return [eventExport(dashboard, services), deliveryExport(dashboard, services)]
}

function eventExport(dashboard: DashboardRoutes, services: KeptEvents & { environment: Environment }): Route {
  const { db } = dashboard
  return dashboard.export('POST /events/export', {
    permission: 'events.read',
    list: 'events',
    body: EventsExport,
    columns: EVENT_CELLS,
    count: ({ member: { business }, body }) => countEvents(db, eventFilter(business, body, services), TOTAL_MAX + 1),
    async read({ member: { business }, body }, after: EventOfPage | null, limit) {
      const page = { limit, ...(after && { starting_after: after.id }) }
      const { rows } = await listEvents(db, eventFilter(business, body, services), page)
      const ids = rows.map(({ id }) => id)
      const counts = await countDeliveriesOf(db, business.id, ids)
      return rows.map((event) => eventOfPage(event, counts, services.environment))
    },
  })
}

function deliveryExport(dashboard: DashboardRoutes, services: KeptEvents): Route {
  const { db } = dashboard
  return dashboard.export('POST /webhook_endpoints/{id}/deliveries/export', {
    permission: 'webhooks.read',
    list: 'webhook_deliveries',
    body: DeliveriesExport,
    columns: DELIVERY_CELLS,
    async count({ member: { business }, params: { id: endpointId = '' }, body }) {
      if (!(await findEndpoint(db, business.id, endpointId))) throw noSuchEndpoint('id')
      return countEndpointDeliveries(db, deliveryFilter(business, { ...body, endpointId }, services))
    },
    async read({ member: { business }, params: { id: endpointId = '' }, body }, after: ListedDelivery | null, limit) {
      const which = deliveryFilter(business, { ...body, endpointId }, services)
      const page = { limit, ...(after && { starting_after: after.eventId }) }
      return (await listEndpointDeliveries(db, which, page)).rows
    },
  })
}

const EVENT_CELLS: Record<(typeof EVENT_COLUMNS)[number], (event: EventOfPage) => CsvCell> = {
  id: ({ id }) => id,
  created: ({ created }) => new Date(created * 1000),
  type: ({ type }) => type,
  object_type: ({ data }) => textOf(data.object.object),
  object_id: ({ data }) => textOf(data.object.id),
  sequence: ({ sequence }) => sequence,
  deliveries_succeeded: ({ view }) => view.deliveries.succeeded,
  deliveries_failed: ({ view }) => view.deliveries.failed,
  deliveries_pending: ({ view }) => view.deliveries.pending,
  deliveries_canceled: ({ view }) => view.deliveries.canceled,
}

const textOf = (member: unknown) => (member == null ? null : String(member))

const DELIVERY_CELLS: Record<(typeof DELIVERY_COLUMNS)[number], (delivery: ListedDelivery) => CsvCell> = {
  event: ({ eventId }) => eventId,
  type: ({ type }) => type,
  created: ({ createdAt }) => createdAt,
  status: ({ status }) => status,
  attempts: ({ attemptCount }) => attemptCount,
  last_attempt: ({ lastAttemptAt }) => lastAttemptAt,
  next_attempt: ({ status, dueAt }) => (status === 'pending' ? dueAt : null),
  response_status: ({ responseStatus }) => responseStatus,
  duration_ms: ({ durationMs }) => durationMs,
  error: ({ error }) => error,
}
