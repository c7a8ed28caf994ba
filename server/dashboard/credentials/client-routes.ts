import type { Static } from 'typebox'
import {
  OAuthClientCreate,
  OAuthClientUpdate,
  type OAuthClientWithSecret,
} from '../../../contract/dashboard/credentials-api.ts'
import {
  type ClientChange,
  changeClient,
  endClientTokens,
  lockClient,
  rotateClientSecret,
} from '../../access/clients/change-client.ts'
import { auditedClient, type Client } from '../../access/clients/client.ts'
import { findClientOf, listClients } from '../../access/clients/client-queries.ts'
import { createClient, revokeClient } from '../../access/clients/create-client.ts'
import type { AccessContext } from '../../access/shared/context.ts'
import { startFamily } from '../../access/tokens/issue-tokens.ts'
import { newTokenPair } from '../../access/tokens/token.ts'
import { type ClientTokens, countLiveFamilies } from '../../access/tokens/token-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Route } from '../../http/route.ts'
import { epochSeconds } from '../../lib/clock.ts'
import type { DashboardCall } from '../dashboard-call.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { wholeList } from '../list-object.ts'
import { newPlace } from '../new-place.ts'
import { requireVersion } from '../version.ts'
import { clientObject } from './credential-objects.ts'
import { makerOf } from './maker-of.ts'

/** Returns the routes of OAuth clients, and of the origins whose pages may frame the payment page (ACC-3, CHK-6). */
export function clientRoutes(dashboard: DashboardRoutes, context: AccessContext): Route[] {
  return [
    listRoute(dashboard, context),
    createRoute(dashboard, context),
    updateRoute(dashboard, context),
    rotateRoute(dashboard, context),
    ...endRoutes(dashboard, context),
  ]
}

function listRoute(dashboard: DashboardRoutes, { db, clock, environment }: AccessContext): Route {
  return dashboard.read('GET /oauth_clients', {
    permission: 'clients.write',
    async handle({ member }) {
      const businessId = member.business.id
      const [clients, live] = await Promise.all([
        listClients(db, businessId, environment),
        countLiveFamilies(db, { businessId, environment, now: clock.now() }),
      ])
      return { body: wholeList(clients.reverse(), (client) => clientObject(client, tokensOf(client, live))) }
    },
  })
}

function createRoute(dashboard: DashboardRoutes, context: AccessContext): Route {
  return dashboard.writeOnce('POST /oauth_clients', {
    permission: 'clients.write',
    action: 'oauth_client.create',
    stepUp: 'oauth_client',
    body: OAuthClientCreate,
    withoutSecrets,
    async handle({ member, body }, tx) {
      const inside = { ...context, db: tx }
      const businessId = member.business.id
      const { rights, email: createdBy } = await makerOf(tx, member, context.environment)
      const { name, redirect_url: redirectUrl, password_grant: passwordGrant, scopes } = body
      const wanted = { businessId, name, redirectUrl, passwordGrant, scopes, rights, createdBy }
      const { client, clientSecret } = await createClient(inside, wanted)
      const pair = newTokenPair()
      await startFamily(inside, { pair, businessId, clientId: client.id, userId: member.session.userId })
      const tokens = { access_token: pair.accessToken, refresh_token: pair.refreshToken }
      return {
        status: 201,
        body: { ...(await shown(inside, client)), client_secret: clientSecret, tokens },
        audit: { object: objectOf(client), after: auditedClient(client) },
      }
    },
  })
}

function updateRoute(dashboard: DashboardRoutes, context: AccessContext): Route {
  return dashboard.write('PATCH /oauth_clients/{id}', {
    permission: 'clients.write',
    action: 'oauth_client.update',
    stepUp: async ({ member, params: { id = '' }, body }) => {
      const { db, environment } = context
      const client = await findClientOf(db, { id, businessId: member.business.id, environment })
      const opens = body.password_grant === true && client?.passwordGrant === false
      const skips = body.skips_second_factor === true && client?.skipsSecondFactor === false
      const widens = body.scopes?.some((scope) => !client?.scopes.includes(scope)) ?? false
      const before = { redirect_url: client?.redirectUrl }
      return opens || skips || widens ? 'oauth_client' : newPlace(['redirect_url'], { before, sent: body })
    },
    body: OAuthClientUpdate,
    async handle({ member, params: { id = '' }, body }, tx) {
      const inside = { ...context, db: tx }
      const before = await lockClient(inside, { id, businessId: member.business.id })
      requireVersion(body.version, clientObject(before))
      const client = await changeClient(inside, before, changeOf(body), await makerOf(tx, member, context.environment))
      const audit = { object: objectOf(client), before: auditedClient(before), after: auditedClient(client) }
      return { body: await shown(inside, client), audit }
    },
  })
}

/** Reads a change; absent fields stay unchanged. */
function changeOf({
  name,
  redirect_url: redirectUrl,
  password_grant: passwordGrant,
  skips_second_factor: skipsSecondFactor,
  scopes,
}: Static<typeof OAuthClientUpdate>): ClientChange {
  return {
    ...(name !== undefined && { name }),
    ...(redirectUrl !== undefined && { redirectUrl }),
    ...(passwordGrant !== undefined && { passwordGrant }),
    ...(skipsSecondFactor !== undefined && { skipsSecondFactor }),
    ...(scopes !== undefined && { scopes }),
  }
}

function rotateRoute(dashboard: DashboardRoutes, context: AccessContext): Route {
  return dashboard.writeOnce('POST /oauth_clients/{id}/rotate_secret', {
    permission: 'clients.write',
    action: 'oauth_client.rotate_secret',
    stepUp: 'oauth_client',
    withoutSecrets,
    async handle({ member, params: { id = '' } }, tx) {
      const inside = { ...context, db: tx }
      const client = await lockClient(inside, { id, businessId: member.business.id })
      const clientSecret = await rotateClientSecret(inside, client, await makerOf(tx, member, context.environment))
      return {
        body: { ...(await shown(inside, client)), client_secret: clientSecret, tokens: null },
        audit: { object: objectOf(client) },
      }
    },
  })
}

function endRoutes(dashboard: DashboardRoutes, context: AccessContext): Route[] {
  const lock = ({ member, params: { id = '' } }: DashboardCall, db: Tx) =>
    lockClient({ ...context, db }, { id, businessId: member.business.id })
  return [
    dashboard.write('POST /oauth_clients/{id}/end_tokens', {
      permission: 'clients.write',
      action: 'oauth_client.end_tokens',
      async handle(call, tx) {
        const inside = { ...context, db: tx }
        const client = await lock(call, tx)
        const families = await endClientTokens(inside, client)
        return { body: await shown(inside, client), audit: { object: objectOf(client), after: { families } } }
      },
    }),
    dashboard.write('POST /oauth_clients/{id}/revoke', {
      permission: 'clients.write',
      action: 'oauth_client.revoke',
      stepUp: 'oauth_client',
      async handle(call, tx) {
        const inside = { ...context, db: tx }
        const before = await lock(call, tx)
        const client = await revokeClient(inside, before.id)
        const after = { revoked_at: epochSeconds(context.clock.now()) }
        const audit = { object: objectOf(client), before: auditedClient(before), after }
        return { body: clientObject(client), audit }
      },
    }),
  ]
}

const objectOf = ({ id }: Client) => ({ type: 'oauth_client', id })

async function shown({ db, clock, environment }: Omit<AccessContext, 'keyring'>, client: Client) {
  const live = await countLiveFamilies(db, { businessId: client.businessId, environment, now: clock.now() })
  return clientObject(client, tokensOf(client, live))
}

const tokensOf = ({ id }: Client, live: readonly ClientTokens[]) => live.find(({ clientId }) => clientId === id)

const withoutSecrets = (body: OAuthClientWithSecret): OAuthClientWithSecret => ({
  ...body,
  client_secret: null,
  tokens: null,
})
