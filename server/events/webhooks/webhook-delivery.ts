import type { WebhookDelivery } from '../../../contract/webhook-delivery.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { WEBHOOK_HEADERS } from './webhook-headers.ts'

/** Delivery of an event to an endpoint. Times are real time. */
export interface DeliveryOfEvent {
  eventId: string
  endpointId: string
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  attemptCount: number
  /**
   * Time of the next attempt, or the end of the lease while one is in progress; `null` if the delivery is not pending,
   * or if its first attempt is due.
   */
  dueAt: Date | null
  /** Newest first. */
  attempts: Attempt[]
}

interface Attempt {
  number: number
  url: string
  attemptedAtMs: number
  durationMs: number
  responseStatus: number | null
  responseHeaders: Record<string, string> | null
  responseBody: string | null
  error: string | null
}

export function webhookDeliveryObject(delivery: DeliveryOfEvent, now: Date): WebhookDelivery {
  const { eventId, endpointId, status, attemptCount, dueAt, attempts } = delivery
  return {
    object: 'webhook_delivery',
    event: eventId,
    webhook_endpoint: endpointId,
    status,
    next_attempt_at: status === 'pending' ? epochSeconds(dueAt ?? now) : null,
    attempt_count: attemptCount,
    attempts: attempts.map((attempt) => attemptObject(eventId, attempt)),
  }
}

function attemptObject(eventId: string, attempt: Attempt): WebhookDelivery['attempts'][number] {
  const { number, url, attemptedAtMs, durationMs, responseStatus, responseHeaders, responseBody, error } = attempt
  const attemptedAt = Math.floor(attemptedAtMs / 1000)
  return {
    number,
    attempted_at: attemptedAt,
    url,
    request_headers: { ...WEBHOOK_HEADERS, 'webhook-id': eventId, 'webhook-timestamp': String(attemptedAt) },
    response_status: responseStatus,
    response_headers: responseHeaders && sortedByName(responseHeaders),
    response_body: responseBody,
    duration_ms: durationMs,
    error,
  }
}

const sortedByName = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1)))
