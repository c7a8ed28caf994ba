import type { EventEnvelope } from '../../contract/event.ts'
import type { OpenApiDocument } from '../../server/http/openapi/openapi-document.ts'
import { createResponseReader } from './documented-responses.ts'

interface DocumentedWebhook {
  post: { requestBody: { content: { 'application/json': { schema: object; example: EventEnvelope } } } }
}

/** Returns the events as the OpenAPI document describes them. */
export function documentedEvents(document: OpenApiDocument) {
  const { faults } = createResponseReader(document)
  const webhooks = document.webhooks as Record<string, DocumentedWebhook>
  const contentOf = (type: string) => {
    const webhook = webhooks[type]
    if (!webhook) throw new Error(`The document has no webhook ${type}`)
    return webhook.post.requestBody.content['application/json']
  }
  return {
    types: Object.keys(webhooks),
    exampleOf: (type: string) => contentOf(type).example,
    /** Returns how an event differs from its description; the previous state of the object must match too. */
    faultsOf(event: EventEnvelope): string[] {
      const { schema } = contentOf(event.type)
      const { object, previous_attributes = {} } = event.data
      const former = { ...event, data: { ...event.data, object: { ...object, ...previous_attributes } } }
      const unknown = Object.keys(previous_attributes).filter((name) => !(name in object))
      return [...faults(schema, event), ...faults(schema, former), ...unknown]
    },
  }
}
