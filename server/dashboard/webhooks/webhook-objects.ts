import type { DeliveryRow, EndpointOfPage, EventOfPage } from '../../../contract/dashboard/webhooks-api.ts'
import type { Environment } from '../../access/shared/context.ts'
import { eventObject, type RecordedEvent } from '../../events/event-object.ts'
import { type WebhookEndpoint, webhookEndpointObject } from '../../events/webhooks/webhook-endpoint.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { versionOf } from '../version.ts'
import type { DeliveryCounts, ListedDelivery } from './delivery-list-queries.ts'
import type { EndpointView } from './endpoint-view-queries.ts'

const orNull = (instant: Date | null | undefined) => (instant ? epochSeconds(instant) : null)

/** @param view absent for an endpoint that was just created */
export function endpointOfPage(endpoint: WebhookEndpoint, view?: EndpointView): EndpointOfPage {
  const object = webhookEndpointObject(endpoint)
  const { url, description, enabled_events, ordered, status } = object
  // Encrypted, so that the version changes with it and yet reveals nothing of it.
  const basicAuth = endpoint.basicAuth?.toString('base64') ?? null
  return {
    ...object,
    version: versionOf({ url, basicAuth, description, enabled_events, ordered, status }),
    view: {
      attempts: view?.attempts ?? 0,
      successes: view?.successes ?? 0,
      p95_ms: view?.p95Ms ?? null,
      last_attempt_at: orNull(view?.lastAttemptAt),
      last_response_status: view?.lastResponseStatus ?? null,
      both_secrets_until: orNull(view?.bothSecretsUntil),
    },
  }
}

export const deliveryRow = (row: ListedDelivery, now: Date): DeliveryRow => ({
  id: row.eventId,
  object: 'webhook_delivery',
  event: row.eventId,
  type: row.type,
  created: epochSeconds(row.createdAt),
  status: row.status,
  attempt_count: row.attemptCount,
  next_attempt_at: row.status === 'pending' ? epochSeconds(row.dueAt ?? now) : null,
  last_attempt_at: orNull(row.lastAttemptAt),
  response_status: row.responseStatus,
  duration_ms: row.durationMs,
  error: row.error,
})

const NOWHERE: DeliveryCounts = { pending: 0, succeeded: 0, failed: 0, canceled: 0 }

/** Returns an event without links: a person who reads events must not be able to act for the customer (DSH-110). */
export const eventOfPage = (
  event: RecordedEvent,
  counts: ReadonlyMap<string, DeliveryCounts>,
  environment: Environment,
): EventOfPage => ({
  ...eventObject(event, { environment, subscriptionLink: null }),
  view: { deliveries: counts.get(event.id) ?? NOWHERE },
})
