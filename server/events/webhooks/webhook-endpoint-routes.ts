import { isDeepStrictEqual } from 'node:util'
import { EndpointRedelivery } from '../../../contract/webhook-delivery.ts'
import {
  WebhookEndpointCreate,
  WebhookEndpointListQuery,
  WebhookEndpointUpdate,
} from '../../../contract/webhook-endpoint.ts'
import type { KeyCaller } from '../../access/keys/api-key.ts'
import { actorOfKey, listObject, type MerchantApi } from '../../access/keys/merchant-api.ts'
import { type Audited, audited } from '../../audit/audited.ts'
import type { Tx } from '../../db/transaction.ts'
import { type Call, type Route, route } from '../../http/route.ts'
import { eventObject } from '../event-object.ts'
import { changeEndpoint, removeEndpoint } from './change-endpoint.ts'
import { createEndpoint, type EndpointServices } from './create-endpoint.ts'
import { redeliverSince } from './redeliver.ts'
import { rotateEndpointSecret } from './rotate-secret.ts'
import { pingEndpoint } from './test-endpoint.ts'
import {
  auditedChange,
  auditedEndpoint,
  noSuchEndpoint,
  webhookEndpointObject,
  withSecret,
} from './webhook-endpoint.ts'
import { WEBHOOK_ENDPOINT_DOCUMENTS as documents } from './webhook-endpoint-openapi.ts'
import { findEndpoint, listEndpoints, lockEndpoint } from './webhook-endpoint-queries.ts'

export interface WebhookServices extends EndpointServices {
  /** Retention of events, in days. */
  eventDays: number
}

/** Makes a change by the merchant's server, in one transaction with its entry in the audit log (DSH-15). */
function change<Result>(
  services: WebhookServices,
  call: Call<unknown, unknown, KeyCaller>,
  verb: 'create' | 'update' | 'delete' | 'rotate_secret',
  work: (inside: WebhookServices & { db: Tx }) => Promise<Audited<Result>>,
): Promise<Result> {
  const action = `webhook_endpoint.${verb}` as const
  return audited(services, { businessId: call.caller.business.id, actor: actorOfKey(call), action }, (tx) =>
    work({ ...services, db: tx }),
  )
}

const objectOf = (id: string) => ({ type: 'webhook_endpoint', id })

const PATH = '/api/v1/webhook_endpoints'

/** Routes of webhook endpoints; see docs/specification/events-and-webhooks.md. */
export function webhookEndpointRoutes(api: MerchantApi, services: WebhookServices): Route[] {
  return [...collectionRoutes(api, services), ...objectRoutes(api, services), ...actionRoutes(api, services)]
}

function collectionRoutes({ db, shared }: MerchantApi, services: WebhookServices): Route[] {
  return [
    route({
      ...shared,
      method: 'POST',
      path: PATH,
      scope: 'webhooks:write',
      body: WebhookEndpointCreate,
      document: documents.create,
      async handle(call) {
        const given = { businessId: call.caller.business.id, input: call.body }
        const { endpoint, secret } = await change(services, call, 'create', async (inside) => {
          const result = await createEndpoint(inside, given)
          return { result, object: objectOf(result.endpoint.id), after: auditedEndpoint(result.endpoint) }
        })
        return { status: 201, body: withSecret(endpoint, secret) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: PATH,
      scope: 'webhooks:read',
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
      scope: 'webhooks:read',
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
      scope: 'webhooks:write',
      body: WebhookEndpointUpdate,
      document: documents.update,
      async handle(call) {
        const which = { businessId: call.caller.business.id, id: call.params.id ?? '' }
        const endpoint = await change(services, call, 'update', async (inside) => {
          const found = await lockEndpoint(inside.db, which.businessId, which.id)
          const result = await changeEndpoint(inside, { ...which, change: call.body })
          const { before, after } = auditedChange(found ?? result, result)
          return { result, object: objectOf(which.id), before, after, isUnchanged: isDeepStrictEqual(before, after) }
        })
        return { body: webhookEndpointObject(endpoint) }
      },
    }),
    route({
      ...shared,
      method: 'DELETE',
      path: `${PATH}/{id}`,
      scope: 'webhooks:write',
      document: documents.remove,
      async handle(call) {
        const { id = '' } = call.params
        await change(services, call, 'delete', async (inside) => {
          const before = await lockEndpoint(inside.db, call.caller.business.id, id)
          await removeEndpoint(inside, { businessId: call.caller.business.id, id })
          return { result: null, object: objectOf(id), before: before ? auditedEndpoint(before) : null }
        })
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
      scope: 'webhooks:write',
      document: documents.rotate,
      async handle(call) {
        const which = { businessId: call.caller.business.id, id: call.params.id ?? '' }
        const { endpoint, secret } = await change(services, call, 'rotate_secret', async (inside) => ({
          result: await rotateEndpointSecret(inside, which),
          object: objectOf(which.id),
        }))
        return { body: withSecret(endpoint, secret) }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: `${PATH}/{id}/test`,
      scope: 'webhooks:write',
      document: documents.test,
      async handle({ caller: { business }, params: { id = '' } }) {
        const event = await pingEndpoint(services, { business, id })
        return {
          body: eventObject(event, { environment: services.webhookTargets.environment, subscriptionLink: null }),
        }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: `${PATH}/{id}/redeliver`,
      scope: 'webhooks:write',
      body: EndpointRedelivery,
      document: documents.redeliver,
      async handle({ caller, params: { id = '' }, body }) {
        return { body: await redeliverSince(services, { businessId: caller.business.id, id, input: body }) }
      },
    }),
  ]
}
