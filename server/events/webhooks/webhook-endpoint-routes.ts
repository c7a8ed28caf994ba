import { EndpointRedelivery } from '../../../contract/webhook-delivery.ts'
import {
  WebhookEndpointCreate,
  WebhookEndpointListQuery,
  WebhookEndpointUpdate,
} from '../../../contract/webhook-endpoint.ts'
import { listObject, type MerchantApi } from '../../access/keys/merchant-api.ts'
import { type Route, route } from '../../http/route.ts'
import { eventObject } from '../event-object.ts'
import { changeEndpoint, removeEndpoint } from './change-endpoint.ts'
import { createEndpoint, type EndpointServices } from './create-endpoint.ts'
import { redeliverSince } from './redeliver.ts'
import { rotateEndpointSecret } from './rotate-secret.ts'
import { pingEndpoint } from './test-endpoint.ts'
import { noSuchEndpoint, webhookEndpointObject, withSecret } from './webhook-endpoint.ts'
import { WEBHOOK_ENDPOINT_DOCUMENTS as documents } from './webhook-endpoint-openapi.ts'
import { findEndpoint, listEndpoints } from './webhook-endpoint-queries.ts'

export interface WebhookServices extends EndpointServices {
  /** How long events are kept. */
  eventDays: number
}

const PATH = '/api/v1/webhook_endpoints'

/** The webhook endpoints of docs/specification/events-and-webhooks.md. */
export function webhookEndpointRoutes(api: MerchantApi, services: WebhookServices): Route[] {
  return [...collectionRoutes(api, services), ...objectRoutes(api, services), ...actionRoutes(api, services)]
}

function collectionRoutes({ db, shared }: MerchantApi, services: WebhookServices): Route[] {
  return [
    route({
      ...shared,
      method: 'POST',
      path: PATH,
      body: WebhookEndpointCreate,
      document: documents.create,
      async handle({ caller, body }) {
        const { endpoint, secret } = await createEndpoint(services, { businessId: caller.business.id, input: body })
        return { status: 201, body: withSecret(endpoint, secret) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: PATH,
      query: WebhookEndpointListQuery,
      document: documents.list,
      async handle({ caller, query }) {
        return { body: listObject(await listEndpoints(db, caller.business.id, query), webhookEndpointObject) }
      },
    }),
  ]
}

function objectRoutes({ db, shared }: MerchantApi, services: WebhookServices): Route[] {
  return [
    route({
      ...shared,
      method: 'GET',
      path: `${PATH}/{id}`,
      document: documents.retrieve,
      async handle({ caller, params: { id = '' } }) {
        const endpoint = await findEndpoint(db, caller.business.id, id)
        if (!endpoint) throw noSuchEndpoint('id')
        return { body: webhookEndpointObject(endpoint) }
      },
    }),
    route({
      ...shared,
      method: 'PATCH',
      path: `${PATH}/{id}`,
      body: WebhookEndpointUpdate,
      document: documents.update,
      async handle({ caller, params: { id = '' }, body }) {
        const endpoint = await changeEndpoint(services, { businessId: caller.business.id, id, change: body })
        return { body: webhookEndpointObject(endpoint) }
      },
    }),
    route({
      ...shared,
      method: 'DELETE',
      path: `${PATH}/{id}`,
      document: documents.remove,
      async handle({ caller, params: { id = '' } }) {
        await removeEndpoint(services, { businessId: caller.business.id, id })
        return { body: { id, object: 'webhook_endpoint', deleted: true } }
      },
    }),
  ]
}

function actionRoutes({ shared }: MerchantApi, services: WebhookServices): Route[] {
  return [
    route({
      ...shared,
      method: 'POST',
      path: `${PATH}/{id}/rotate_secret`,
      document: documents.rotate,
      async handle({ caller, params: { id = '' } }) {
        const { endpoint, secret } = await rotateEndpointSecret(services, { businessId: caller.business.id, id })
        return { body: withSecret(endpoint, secret) }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: `${PATH}/{id}/test`,
      document: documents.test,
      async handle({ caller: { business }, params: { id = '' } }) {
        const event = await pingEndpoint(services, { business, id })
        return { body: eventObject(event, services.webhookTargets.environment) }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: `${PATH}/{id}/redeliver`,
      body: EndpointRedelivery,
      document: documents.redeliver,
      async handle({ caller, params: { id = '' }, body }) {
        return { body: await redeliverSince(services, { businessId: caller.business.id, id, input: body }) }
      },
    }),
  ]
}
