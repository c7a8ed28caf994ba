import { EventEnvelope } from '../../../contract/event.ts'
import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { EndpointRedeliveryResult, REDELIVERIES_PER_HOUR } from '../../../contract/webhook-delivery.ts'
import {
  DeletedWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
} from '../../../contract/webhook-endpoint.ts'
import type { RouteDocument } from '../../http/route.ts'

const group = 'Webhook endpoints'

const EXAMPLE: WebhookEndpoint = {
  id: EXAMPLE_IDS.webhookEndpoint,
  object: 'webhook_endpoint',
  url: 'https://shop.example/webhooks',
  basic_auth: false,
  description: 'Orders',
  enabled_events: ['payment.succeeded', 'payment.failed'],
  ordered: false,
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
  created: 1763740800,
}
const { url, description, enabled_events } = EXAMPLE
const WITH_SECRET: WebhookEndpointWithSecret = {
  ...EXAMPLE,
  secret: 'whsec_RVhBTVBMRTBFWEFNUExFMEVYQU1QTEUwRVhBTVBMRTA=',
}

const one = (text: string, body = WebhookEndpoint, example: WebhookEndpoint = EXAMPLE) => ({
  200: { description: text, body, example },
})

/** OpenAPI documents of the routes of webhook endpoints. */
export const WEBHOOK_ENDPOINT_DOCUMENTS = {
  create: {
    name: 'createWebhookEndpoint',
    group,
    summary: 'Create a webhook endpoint',
    description: `Events that are recorded from now on are delivered to it. The response shows the secret that signs them
(Standard Webhooks); no other response does, so store it. In production the URL must be HTTPS on port 443 or 8443 of a public
address. A business has at most 10 endpoints; a further one gets 409.`,
    responses: {
      201: { description: 'The endpoint, with its secret.', body: WebhookEndpointWithSecret, example: WITH_SECRET },
    },
    refusals: ['conflict', 'validation_failed'],
    example: { url, description, enabled_events },
  },
  list: {
    name: 'listWebhookEndpoints',
    group,
    summary: 'List webhook endpoints',
    description: 'Newest first, without their secrets.',
    responses: {
      200: {
        description: 'A page of endpoints.',
        body: WebhookEndpointList,
        example: { object: 'list', data: [EXAMPLE], has_more: false },
      },
    },
  },
  retrieve: {
    name: 'retrieveWebhookEndpoint',
    group,
    summary: 'Retrieve a webhook endpoint',
    description: 'Its secret is shown when it is created or rotated, and never again.',
    responses: one('The endpoint.'),
  },
  update: {
    name: 'updateWebhookEndpoint',
    group,
    summary: 'Update a webhook endpoint',
    description: `Absent fields stay. A new URL also receives what waits already; \`enabled_events\` and \`ordered\` hold for events
that are recorded from now on. \`status: disabled\` cancels what waits; no event is recorded for a disabled endpoint.
\`status: enabled\` begins with the next event: redeliver what was missed.`,
    responses: one('The endpoint as it is now.', WebhookEndpoint, { ...EXAMPLE, enabled_events: ['*'] }),
    refusals: ['validation_failed'],
    example: { enabled_events: ['*'] },
  },
  remove: {
    name: 'deleteWebhookEndpoint',
    group,
    summary: 'Delete a webhook endpoint',
    description: 'What waits for it is canceled. Deleting it once more changes nothing.',
    responses: {
      200: {
        description: 'The endpoint no longer exists.',
        body: DeletedWebhookEndpoint,
        example: { id: EXAMPLE_IDS.webhookEndpoint, object: 'webhook_endpoint', deleted: true },
      },
    },
  },
  rotate: {
    name: 'rotateWebhookEndpointSecret',
    group,
    summary: 'Rotate the secret',
    description: `Shows a new secret, once. For 24 hours each delivery has two signatures, one by each secret, so both verify it.
Of several rotations within 24 hours, only the last two secrets sign.`,
    responses: one('The endpoint, with its new secret.', WebhookEndpointWithSecret, WITH_SECRET),
  },
  test: {
    name: 'testWebhookEndpoint',
    group,
    summary: 'Send a ping',
    description: `Records an event of the type \`ping\` and delivers it to this endpoint only, whichever types it receives. Its
deliveries show how the endpoint responded. It counts as a redelivery. A disabled endpoint gets 409.`,
    responses: {
      200: {
        description: 'The event.',
        body: EventEnvelope,
        example: {
          id: EXAMPLE_IDS.event,
          object: 'event',
          type: 'ping',
          api_version: 'v1.0',
          created: 1763740920,
          livemode: false,
          business_id: EXAMPLE_IDS.business,
          sequence: 1,
          data: { object: EXAMPLE },
        },
      },
    },
    refusals: ['conflict'],
  },
  redeliver: {
    name: 'redeliverToWebhookEndpoint',
    group,
    summary: 'Deliver missed events again',
    description: `Delivers every event since an instant to which one of the statuses applies, each with the \`webhook-id\` that it
had. Pending deliveries stay as they are. While \`has_more\` is true, send the request again with \`starting_after\`: one request
looks at 50,000 events at most, and an endpoint has at most ${REDELIVERIES_PER_HOUR} redeliveries and tests in an hour. When those
are used up, \`retry_after\` says how long to wait; a request that may redeliver nothing gets 429. A disabled endpoint gets 409.`,
    responses: {
      200: {
        description: 'How many are due again.',
        body: EndpointRedeliveryResult,
        example: {
          object: 'redelivery',
          deliveries: 12,
          has_more: false,
          last_event: EXAMPLE_IDS.event,
          remaining: 9_988,
          retry_after: null,
        },
      },
    },
    refusals: ['conflict', 'validation_failed'],
    example: { since: 1763740800 },
  },
} satisfies Record<string, RouteDocument>
