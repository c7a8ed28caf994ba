import { EventEnvelope } from '../../../contract/event.ts'
import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { MERCHANT_API_VERSION } from '../family.ts'
import type { SchemaPrinter } from './schemas.ts'

export const WEBHOOK_GROUP = 'Events'

const EXAMPLE = {
  id: EXAMPLE_IDS.event,
  object: 'event',
  type: 'product.updated',
  api_version: MERCHANT_API_VERSION,
  created: 1_759_233_791,
  livemode: false,
  business_id: EXAMPLE_IDS.business,
  sequence: 2,
  data: {
    object: {
      id: EXAMPLE_IDS.product,
      object: 'product',
      name: 'Gold',
      description: null,
      active: false,
      metadata: {},
      created: 1_759_233_600,
    },
    previous_attributes: { active: true },
  },
}

/** The webhook that the service sends. */
export function webhooksOf(schemas: SchemaPrinter): object {
  return {
    event: {
      post: {
        operationId: 'receiveEvent',
        tags: [WEBHOOK_GROUP],
        summary: 'An object changed',
        description: `The envelope of every event. An event is recorded together with the change it reports. This version records
events but does not deliver them yet.`,
        security: [],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemas.print(EventEnvelope), example: EXAMPLE } },
        },
        responses: {
          '2XX': { description: 'Received.' },
          '4XX': { description: 'Not received; the event is sent again.' },
        },
      },
    },
  }
}
