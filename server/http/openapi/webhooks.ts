import { EVENT_TYPES, type EventType } from '../../../contract/event.ts'
import { EVENT_CATALOGUE, eventSchema } from '../../../contract/event-catalogue.ts'
import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import type { RouteDocument } from '../route.ts'
import { eventExample } from './event-examples.ts'
import type { SchemaPrinter } from './schemas.ts'

export const WEBHOOK_GROUP = 'Events'

/** Returns every event by its type, as the webhook that delivers it. */
export function webhooksOf(schemas: SchemaPrinter, documents: RouteDocument[]): Record<string, object> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(schemas, type, documents)]))
}

function webhookOf(schemas: SchemaPrinter, type: EventType, documents: RouteDocument[]): object {
  return {
    post: {
      operationId: `receive${pascalCase(type)}`,
      tags: [WEBHOOK_GROUP],
      summary: type,
      description: EVENT_CATALOGUE[type].when,
      security: [],
      parameters: SIGNATURE,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: schemas.print(eventSchema(type)), example: eventExample(type, documents) },
        },
      },
      responses: {
        '2XX': { description: 'Received.' },
        '4XX': { description: 'Not received: it is sent again. 410 disables the endpoint.' },
      },
    },
  }
}

const pascalCase = (type: string) => type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const SIGNATURE = [
  header('webhook-id', 'The id of the event, the same in every delivery: handle each id once.', EXAMPLE_IDS.event),
  header('webhook-timestamp', 'When it was sent, in seconds since 1970.', '1763740921'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 of an HMAC-SHA256. Two, separated by a space, while a secret rotates.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]
