import Type, { type Static } from 'typebox'
import { EVENT_TYPES, EventEnvelope } from '../event.ts'
import { Day, EpochSeconds, Line, Nullable, OneOf, Uuid } from '../formats.ts'
import {
  type EndpointRedelivery,
  type EndpointRedeliveryResult,
  type EventRedelivery,
  type Redelivery,
  WEBHOOK_DELIVERY_STATUSES,
  WebhookDelivery,
} from '../webhook-delivery.ts'
import {
  type DeletedWebhookEndpoint,
  WebhookEndpoint,
  type WebhookEndpointCreate,
  WebhookEndpointUpdate,
} from '../webhook-endpoint.ts'
import { BULK_MAX, type BulkResult } from './bulk.ts'
import { ExportBody } from './export.ts'
import { DELIVERY_COLUMNS, EVENT_COLUMNS } from './export-columns.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'

// The calls of the pages about webhook endpoints and events.

/** An endpoint as the merchant API shows it, with what a page shows in addition. */
const EndpointOfPage = Type.Object({
  ...WebhookEndpoint.properties,
  version: Type.String(),
  view: Type.Object({
    /** Attempts on events of the last 24 hours. */
    attempts: Type.Integer(),
    /** How many of them got 2xx. */
    successes: Type.Integer(),
    /** Milliseconds within which 95 % of them ended; `null` without an attempt. */
    p95_ms: Nullable(Type.Integer()),
    last_attempt_at: Nullable(EpochSeconds()),
    last_response_status: Nullable(Type.Integer()),
    /** Time until which two secrets sign. */
    both_secrets_until: Nullable(EpochSeconds()),
  }),
})
export type EndpointOfPage = Static<typeof EndpointOfPage>
const EndpointList = DashboardList(EndpointOfPage)

/** `secret` is shown once; it is `null` if the same call is repeated. */
export type EndpointWithSecret = EndpointOfPage & { secret: string | null }

export const EndpointUpdate = Type.Object({ version: Line(64), ...WebhookEndpointUpdate.properties })

/** A delivery in the list of its endpoint, with its newest attempt. */
const DeliveryRow = Type.Object({
  /** Id of the event: an endpoint has one delivery per event. */
  id: Uuid(),
  object: Type.Literal('webhook_delivery'),
  event: Uuid(),
  type: OneOf(EVENT_TYPES),
  created: EpochSeconds(),
  status: OneOf(WEBHOOK_DELIVERY_STATUSES),
  attempt_count: Type.Integer(),
  next_attempt_at: Nullable(EpochSeconds()),
  last_attempt_at: Nullable(EpochSeconds()),
  response_status: Nullable(Type.Integer()),
  duration_ms: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
})
export type DeliveryRow = Static<typeof DeliveryRow>
const DeliveryRows = DashboardList(DeliveryRow)

const EventType = () => OneOf(EVENT_TYPES)

const DELIVERY_FILTERS = {
  type: Type.Optional(EventType()),
  status: Type.Optional(OneOf(WEBHOOK_DELIVERY_STATUSES)),
  from: Type.Optional(Day()),
  to: Type.Optional(Day()),
}

/** `starting_after` and `ending_before` are ids of events. */
export const DeliveriesQuery = Type.Object({ ...DASHBOARD_PAGE, ...DELIVERY_FILTERS })
const DeliveryFilters = Type.Object(DELIVERY_FILTERS)
export type DeliveryFilters = Static<typeof DeliveryFilters>
export const DeliveriesExport = ExportBody(DELIVERY_FILTERS, DELIVERY_COLUMNS)

const DeliveryCounts = Type.Object({
  pending: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  canceled: Type.Integer(),
})

/** An event as the merchant API shows it, with its deliveries. */
const EventOfPage = Type.Object({
  ...EventEnvelope.properties,
  view: Type.Object({ deliveries: DeliveryCounts }),
})
export type EventOfPage = Static<typeof EventOfPage>
const EventOfPageList = DashboardList(EventOfPage)

const EVENT_FILTERS = {
  type: Type.Optional(EventType()),
  object: Type.Optional(Uuid()),
  from: Type.Optional(Day()),
  to: Type.Optional(Day()),
}

export const EventsQuery = Type.Object({ ...DASHBOARD_PAGE, ...EVENT_FILTERS })
const EventFilters = Type.Object(EVENT_FILTERS)
export type EventFilters = Static<typeof EventFilters>
export const EventsExport = ExportBody(EVENT_FILTERS, EVENT_COLUMNS)

/** A delivery with its newest attempts, and the endpoint that it went to. */
const DeliveryOfEvent = Type.Object({
  ...WebhookDelivery.properties,
  view: Type.Object({ url: Type.String(), status: OneOf(['enabled', 'disabled', 'deleted']) }),
})
export type DeliveryOfEvent = Static<typeof DeliveryOfEvent>
const DeliveriesOfEvent = DashboardList(DeliveryOfEvent)

/** What a redelivery would do. */
export interface RedeliveryPreview {
  object: 'redelivery_preview'
  /** How many deliveries it would make due; `null` for more than 10,000. */
  deliveries: number | null
  /** How many redeliveries the endpoint may have now. */
  remaining: number
  /** Seconds until another redelivery is possible; `null` while some remain. */
  retry_after: number | null
}

/** Deliveries of an endpoint, by their events. */
export const DeliveriesRedelivery = Type.Object({
  events: Type.Array(Uuid(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }),
})

export interface WebhooksApi {
  'GET /webhook_endpoints': { response: Static<typeof EndpointList> }
  'POST /webhook_endpoints': { body: Static<typeof WebhookEndpointCreate>; response: EndpointWithSecret }
  'GET /webhook_endpoints/{id}': { response: EndpointOfPage }
  'PATCH /webhook_endpoints/{id}': { body: Static<typeof EndpointUpdate>; response: EndpointOfPage }
  'DELETE /webhook_endpoints/{id}': { response: Static<typeof DeletedWebhookEndpoint> }
  'POST /webhook_endpoints/{id}/rotate_secret': { response: EndpointWithSecret }
  'POST /webhook_endpoints/{id}/test': { response: Static<typeof EventEnvelope> }
  'POST /webhook_endpoints/{id}/redeliver/preview': { body: EndpointRedelivery; response: RedeliveryPreview }
  'POST /webhook_endpoints/{id}/redeliver': { body: EndpointRedelivery; response: EndpointRedeliveryResult }
  'GET /webhook_endpoints/{id}/deliveries': {
    query: Partial<Static<typeof DeliveriesQuery>>
    response: Static<typeof DeliveryRows>
  }
  'POST /webhook_endpoints/{id}/deliveries/export': { body: Static<typeof DeliveriesExport>; response: string }
  'POST /webhook_endpoints/{id}/deliveries/redeliver': {
    body: Static<typeof DeliveriesRedelivery>
    response: BulkResult<{ id: string }>
  }
  'GET /events': { query: Partial<Static<typeof EventsQuery>>; response: Static<typeof EventOfPageList> }
  'POST /events/export': { body: Static<typeof EventsExport>; response: string }
  'GET /events/{id}': { response: EventOfPage }
  'GET /events/{id}/deliveries': { response: Static<typeof DeliveriesOfEvent> }
  'POST /events/{id}/redeliver': { body: Static<typeof EventRedelivery>; response: Static<typeof Redelivery> }
}
