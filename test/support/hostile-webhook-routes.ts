import { EndpointRedelivery, EventRedelivery } from '../../contract/webhook-delivery.ts'
import { WebhookEndpointCreate, WebhookEndpointUpdate } from '../../contract/webhook-endpoint.ts'
import { type BodyRoute, type RouteGiven, routeOf } from './hostile-route.ts'
import { merchantApiOf } from './merchant-api.ts'
import type { TestService } from './service.ts'

// The paths of the merchant API with a body of webhook endpoints and events.

export const WEBHOOK_ROUTES = [
  'webhook_endpoints',
  'webhook_endpoints/id',
  'webhook_endpoints/id/redeliver',
  'events/id/redeliver',
]

export async function webhookRoutes(service: TestService): Promise<BodyRoute[]> {
  const api = merchantApiOf(service)
  // A business has at most 10.
  for (const { id } of (await api.get('/webhook_endpoints')).body.data) await api.delete(`/webhook_endpoints/${id}`)
  const { id } = await api.made('/webhook_endpoints', { url: 'https://shop.example', enabled_events: ['*'] })
  const { id: ping } = (await api.post(`/webhook_endpoints/${id}/test`)).body
  const paths = ['webhook_endpoints', `webhook_endpoints/${id}`, `webhook_endpoints/${id}/redeliver`]
  const wanted: Pick<RouteGiven, 'schema' | 'given' | 'method' | 'okStatus' | 'emptyBody'>[] = [
    { schema: WebhookEndpointCreate, given: {}, okStatus: 201 },
    { schema: WebhookEndpointUpdate, given: {}, method: 'PATCH', emptyBody: 'accepted' },
    { schema: EndpointRedelivery, given: {} },
    { schema: EventRedelivery, given: { webhook_endpoint: id }, emptyBody: 'acts' },
  ]
  const credentials = { authorization: `Bearer ${service.demo.api_key}` }
  return wanted.map((route, index) => {
    const path = paths[index] ?? `events/${ping}/redeliver`
    return routeOf({ ...route, name: WEBHOOK_ROUTES[index] ?? '', url: `${service.url}/api/v1/${path}`, credentials })
  })
}
