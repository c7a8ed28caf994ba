import type { EventEnvelope } from '../../contract/event.ts'
import { EventEnvelope as EventSchema } from '../../contract/event.ts'
import { EventList } from '../../contract/event-list.ts'
import { EXAMPLE_IDS } from '../../contract/example-ids.ts'
import type { RouteDocument } from '../http/route.ts'

const group = 'Events'

const EVENT_EXAMPLE: EventEnvelope = {
  id: EXAMPLE_IDS.event,
  object: 'event',
  type: 'product.updated',
  api_version: 'v1.0',
  created: 1763740920,
  livemode: false,
  business_id: EXAMPLE_IDS.business,
  sequence: 2,
  data: {
    object: {
      id: EXAMPLE_IDS.product,
      object: 'product',
      name: 'Gold plan',
      description: 'Everything, for a whole team.',
      active: false,
      metadata: { tier: 'gold' },
      created: 1763740800,
    },
    previous_attributes: { active: true },
  },
}

/** OpenAPI documents of the event routes. */
export const EVENT_DOCUMENTS = {
  list: {
    name: 'listEvents',
    group,
    summary: 'List events',
    description:
      'Newest first. Events are kept for 30 days, or longer where the operator says so. `type` and `object` filter them.',
    responses: {
      200: {
        description: 'A page of events.',
        body: EventList,
        example: { object: 'list', data: [EVENT_EXAMPLE], has_more: false },
      },
    },
  },
  retrieve: {
    name: 'retrieveEvent',
    group,
    summary: 'Retrieve an event',
    description: 'Exactly as webhooks deliver it.',
    responses: { 200: { description: 'The event.', body: EventSchema, example: EVENT_EXAMPLE } },
  },
} satisfies Record<string, RouteDocument>
