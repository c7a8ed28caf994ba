import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import {
  REDELIVERIES_PER_HOUR,
  Redelivery,
  type WebhookDelivery,
  WebhookDeliveryList,
} from '../../../contract/webhook-delivery.ts'
import type { RouteDocument } from '../../http/route.ts'
import { WEBHOOK_HEADERS } from './webhook-headers.ts'

const group = 'Events'

const DELIVERY_EXAMPLE: WebhookDelivery = {
  object: 'webhook_delivery',
  event: EXAMPLE_IDS.event,
  webhook_endpoint: EXAMPLE_IDS.webhookEndpoint,
  status: 'pending',
  next_attempt_at: 1763740926,
  attempt_count: 1,
  attempts: [
    {
      number: 1,
      attempted_at: 1763740921,
      url: 'https://shop.example/webhooks',
      request_headers: {
        ...WEBHOOK_HEADERS,
        'webhook-id': EXAMPLE_IDS.event,
        'webhook-timestamp': '1763740921',
      },
      response_status: 500,
      response_headers: { 'content-type': 'text/plain' },
      response_body: 'Out of order',
      duration_ms: 84,
      error: null,
    },
  ],
}

/** OpenAPI documents of the routes of deliveries. */
export const WEBHOOK_DELIVERY_DOCUMENTS = {
  list: {
    name: 'listEventDeliveries',
    group,
    summary: 'List the deliveries of an event',
    description: 'One for each endpoint that received the event, or is to receive it, with the newest attempts.',
    responses: {
      200: {
        description: 'All deliveries of the event.',
        body: WebhookDeliveryList,
        example: { object: 'list', data: [DELIVERY_EXAMPLE], has_more: false },
      },
    },
  },
  redeliver: {
    name: 'redeliverEvent',
    group,
    summary: 'Deliver an event again',
    description: `Delivers the event once more, with the same \`webhook-id\`, and begins the schedule of retries anew. Without
\`webhook_endpoint\` it goes to every enabled endpoint that receives its type; a \`ping\` goes to its own endpoint. A disabled
endpoint gets 409. An endpoint has at most ${REDELIVERIES_PER_HOUR} redeliveries and tests in an hour; beyond that it is 429, and the
event goes to no endpoint.`,
    responses: {
      200: {
        description: 'How many deliveries are due again.',
        body: Redelivery,
        example: { object: 'redelivery', deliveries: 1 },
      },
    },
    refusals: ['conflict', 'validation_failed'],
    example: { webhook_endpoint: EXAMPLE_IDS.webhookEndpoint },
  },
} satisfies Record<string, RouteDocument>
