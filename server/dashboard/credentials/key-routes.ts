import {
  ApiKeyCreate,
  ApiKeyRevocation,
  ApiKeyRotation,
  type ApiKeyWithSecret,
} from '../../../contract/dashboard/credentials-api.ts'
import { type ApiKey, auditedKey } from '../../access/keys/api-key.ts'
import { findApiKey, listApiKeys } from '../../access/keys/api-key-queries.ts'
import { createApiKey } from '../../access/keys/create-api-key.ts'
import { revokeApiKey } from '../../access/keys/revoke-api-key.ts'
import { rotateApiKey } from '../../access/keys/rotate-api-key.ts'
import type { AccessContext } from '../../access/shared/context.ts'
import type { Db } from '../../db/connection.ts'
import type { Route } from '../../http/route.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { wholeList } from '../list-object.ts'
import { apiKeyObject, isInUse } from './credential-objects.ts'
import { makerOf } from './maker-of.ts'

/** Returns the routes of secret keys (ACC-13 to ACC-17). */
export function keyRoutes(dashboard: DashboardRoutes, context: AccessContext): Route[] {
  return [listRoute(dashboard, context), createRoute(dashboard, context), ...changeRoutes(dashboard, context)]
}

function listRoute(dashboard: DashboardRoutes, { db, clock, environment }: AccessContext): Route {
  return dashboard.read('GET /api_keys', {
    permission: 'keys.write',
    async handle({ member, ip }) {
      const keys = await listApiKeys(db, { environment, businessId: member.business.id })
      const now = clock.now()
      const newestFirst = wholeList(keys.reverse(), (key) => apiKeyObject(key, now))
      return { body: { ...newestFirst, view: { your_ip: ip } } }
    },
  })
}

function createRoute(dashboard: DashboardRoutes, context: AccessContext): Route {
  return dashboard.writeOnce('POST /api_keys', {
    permission: 'keys.write',
    action: 'api_key.create',
    stepUp: 'api_key',
    body: ApiKeyCreate,
    withoutSecrets,
    async handle({ member, body }, tx) {
      const { rights, email: createdBy } = await makerOf(tx, member, context.environment)
      const wanted = { name: body.name, allowedIps: body.allowed_ips, scopes: body.scopes, rights, createdBy }
      const made = await createApiKey({ ...context, db: tx }, { ...wanted, businessId: member.business.id })
      const audit = { object: { type: 'api_key', id: made.apiKey.id }, after: auditedKey(made.apiKey) }
      return { status: 201, body: withSecret(context, made), audit }
    },
  })
}

function changeRoutes(dashboard: DashboardRoutes, context: AccessContext): Route[] {
  return [
    dashboard.writeOnce('POST /api_keys/{id}/rotate', {
      permission: 'keys.write',
      action: 'api_key.rotate',
      stepUp: 'api_key',
      body: ApiKeyRotation,
      withoutSecrets,
      async handle({ member, params: { id = '' }, body }, tx) {
        const old = await keyOf({ ...context, db: tx }, member.business.id, id)
        const { rights, email: createdBy } = await makerOf(tx, member, context.environment)
        const { oldEndsAt, ...made } = await rotateApiKey(
          { ...context, db: tx },
          { keyId: id, allowedIps: body.allowed_ips, overlapHours: body.overlap_hours, createdBy, rights },
        )
        const works = { replaced_by: made.apiKey.id, works_until: epochSeconds(oldEndsAt) }
        const audit = { object: { type: 'api_key', id }, before: auditedKey(old) }
        const after = { ...auditedKey(made.apiKey), ...works }
        return { status: 201, body: withSecret(context, made), audit: { ...audit, after } }
      },
    }),
    dashboard.write('POST /api_keys/{id}/revoke', {
      permission: 'keys.write',
      action: 'api_key.revoke',
      stepUp: 'api_key',
      body: ApiKeyRevocation,
      async handle({ member, params: { id = '' }, body }, tx) {
        const key = await keyOf({ ...context, db: tx }, member.business.id, id)
        if (isInUse(key, context.clock.now()) && body.name !== key.name) {
          throw invalidField('name', 'must be the name of the key, because it was used in the last 24 hours')
        }
        const revoked = await revokeApiKey({ ...context, db: tx }, id)
        const audit = { object: { type: 'api_key', id }, before: auditedKey(key) }
        return { body: apiKeyObject(revoked, context.clock.now()), audit }
      },
    }),
  ]
}

/** @throws ApiError `not_found` */
async function keyOf(
  { db, environment }: { db: Db; environment: AccessContext['environment'] },
  businessId: string,
  id: string,
): Promise<ApiKey> {
  const key = await findApiKey(db, { id, businessId, environment })
  if (key) return key
  throw new ApiError('not_found', { message: 'No such key', errors: { id: ['does not exist in this business'] } })
}

const withSecret = ({ clock }: AccessContext, { apiKey, key }: { apiKey: ApiKey; key: string }): ApiKeyWithSecret => ({
  ...apiKeyObject(apiKey, clock.now()),
  key,
})

const withoutSecrets = (body: ApiKeyWithSecret): ApiKeyWithSecret => ({ ...body, key: null })
