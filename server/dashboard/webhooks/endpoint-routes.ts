import { EndpointUpdate, type EndpointWithSecret } from '../../../contract/dashboard/webhooks-api.ts'
import { WEBHOOK_ENDPOINTS_MAX, WebhookEndpointCreate } from '../../../contract/webhook-endpoint.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'
import { changeEndpoint, removeEndpoint } from '../../events/webhooks/change-endpoint.ts'
import { createEndpoint, type EndpointServices } from '../../events/webhooks/create-endpoint.ts'
import { rotateEndpointSecret } from '../../events/webhooks/rotate-secret.ts'
import {
  auditedChange,
  auditedEndpoint,
  noSuchEndpoint,
  type WebhookEndpoint,
} from '../../events/webhooks/webhook-endpoint.ts'
import { findEndpoint, listEndpoints, lockEndpoint } from '../../events/webhooks/webhook-endpoint-queries.ts'
import type { Route } from '../../http/route.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { wholeList } from '../list-object.ts'
import { newPlace } from '../new-place.ts'
import { requireVersion } from '../version.ts'
import { findEndpointViews } from './endpoint-view-queries.ts'
import { endpointOfPage } from './webhook-objects.ts'

const DAY_SECONDS = 86_400
const objectOf = (id: string) => ({ type: 'webhook_endpoint', id })

/** Returns the routes of webhook endpoints, with how their deliveries go (EVT-12, EVT-20). */
export function endpointRoutes(dashboard: DashboardRoutes, services: EndpointServices): Route[] {
  return [
    ...readRoutes(dashboard, services),
    createRoute(dashboard, services),
    ...changeRoutes(dashboard, services),
    rotateRoute(dashboard, services),
  ]
}

function readRoutes(dashboard: DashboardRoutes, { db, clock }: EndpointServices): Route[] {
  return [
    dashboard.read('GET /webhook_endpoints', {
      permission: 'webhooks.read',
      async handle({ member }) {
        const businessId = member.business.id
        const [{ rows }, views] = await Promise.all([
          listEndpoints(db, businessId, { limit: WEBHOOK_ENDPOINTS_MAX }),
          findEndpointViews(db, { businessId, ...lastDay(clock) }),
        ])
        const viewOf = ({ id }: WebhookEndpoint) => views.find(({ endpointId }) => endpointId === id)
        return { body: wholeList(rows, (endpoint) => endpointOfPage(endpoint, viewOf(endpoint))) }
      },
    }),
    dashboard.read('GET /webhook_endpoints/{id}', {
      permission: 'webhooks.read',
      async handle({ member, params: { id = '' } }) {
        const endpoint = await findEndpoint(db, member.business.id, id)
        if (!endpoint) throw noSuchEndpoint('id')
        return { body: await shown(db, clock, endpoint) }
      },
    }),
  ]
}

function createRoute(dashboard: DashboardRoutes, services: EndpointServices): Route {
  return dashboard.writeOnce('POST /webhook_endpoints', {
    permission: 'webhooks.write',
    action: 'webhook_endpoint.create',
    stepUp: 'webhook_secret',
    body: WebhookEndpointCreate,
    withoutSecrets,
    async handle({ member, body }, tx) {
      const given = { businessId: member.business.id, input: body }
      const { endpoint, secret } = await createEndpoint({ ...services, db: tx }, given)
      return {
        status: 201,
        body: { ...endpointOfPage(endpoint), secret },
        audit: { object: objectOf(endpoint.id), after: auditedEndpoint(endpoint) },
      }
    },
  })
}

function changeRoutes(dashboard: DashboardRoutes, services: EndpointServices): Route[] {
  const { clock } = services
  return [
    dashboard.write('PATCH /webhook_endpoints/{id}', {
      permission: 'webhooks.write',
      action: 'webhook_endpoint.update',
      async stepUp({ member, params: { id = '' }, body }) {
        const before = await findEndpoint(services.db, member.business.id, id)
        return before ? newPlace(['url'], { before, sent: body }) : null
      },
      body: EndpointUpdate,
      async handle({ member, params: { id = '' }, body }, tx) {
        const { version, ...change } = body
        const before = await lock(tx, member.business.id, id)
        requireVersion(version, endpointOfPage(before))
        const given = { businessId: member.business.id, id, change }
        const endpoint = await changeEndpoint({ ...services, db: tx }, given)
        const audit = { object: objectOf(id), ...auditedChange(before, endpoint) }
        return { body: await shown(tx, clock, endpoint), audit }
      },
    }),
    dashboard.write('DELETE /webhook_endpoints/{id}', {
      permission: 'webhooks.write',
      action: 'webhook_endpoint.delete',
      async handle({ member, params: { id = '' } }, tx) {
        const before = await lock(tx, member.business.id, id)
        await removeEndpoint({ ...services, db: tx }, { businessId: member.business.id, id })
        const body = { id, object: 'webhook_endpoint' as const, deleted: true as const }
        return { body, audit: { object: objectOf(id), before: auditedEndpoint(before) } }
      },
    }),
  ]
}

function rotateRoute(dashboard: DashboardRoutes, services: EndpointServices): Route {
  return dashboard.writeOnce('POST /webhook_endpoints/{id}/rotate_secret', {
    permission: 'webhooks.write',
    action: 'webhook_endpoint.rotate_secret',
    stepUp: 'webhook_secret',
    withoutSecrets,
    async handle({ member, params: { id = '' } }, tx) {
      const which = { businessId: member.business.id, id }
      const { endpoint, secret } = await rotateEndpointSecret({ ...services, db: tx }, which)
      const body = { ...(await shown(tx, services.clock, endpoint)), secret }
      return { body, audit: { object: objectOf(id) } }
    },
  })
}

/** @throws ApiError `not_found` */
async function lock(tx: Tx, businessId: string, id: string): Promise<WebhookEndpoint> {
  const endpoint = await lockEndpoint(tx, businessId, id)
  if (!endpoint) throw noSuchEndpoint('id')
  return endpoint
}

const lastDay = (clock: Clock) => ({ since: addSeconds(clock.now(), -DAY_SECONDS), now: clock.now() })

async function shown(db: Db, clock: Clock, endpoint: WebhookEndpoint) {
  const [view] = await findEndpointViews(db, { businessId: endpoint.businessId, ...lastDay(clock) }, endpoint.id)
  return endpointOfPage(endpoint, view)
}

const withoutSecrets = (body: EndpointWithSecret): EndpointWithSecret => ({ ...body, secret: null })
