import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PERMISSIONS, type Permission, ROLES, type Role, rolesWith } from '../../contract/permissions.ts'
import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { type SecondMerchant, secondMerchant } from '../support/second-merchant.ts'
import { openService, type TestService } from '../support/service.ts'

// Every route of the dashboard, with every role. What is sent is mostly wrong, so that nothing happens: only who is let in
// counts.

const PREFIX = '/dashboard/api/b/{business_id}'

/** The table of the specification, once more: owner, admin, developer, support, analyst. `d`: in staging only. */
const TABLE: Record<Permission, string> = {
  'home.read': 'OADSN',
  'payments.read': 'OADSN',
  'customers.read': 'OADSN',
  'subscriptions.read': 'OADSN',
  'catalog.read': 'OADSN',
  'batches.read': 'OADSN',
  'contracts.read': 'OADSN',
  'events.read': 'OADSN',
  'webhooks.read': 'OADSN',
  'settings.read': 'OADSN',
  'team.read': 'OADSN',
  'payments.refund': 'OAS',
  'payments.void': 'OAS',
  'payments.refund_over_limit': 'OA',
  'payments.sell': 'OAS',
  'payments.inquire': 'OAS',
  'subscriptions.retry': 'OAS',
  'sessions.write': 'OAdS',
  'customers.write': 'OAdS',
  'cards.detach': 'OAdS',
  'subscriptions.write': 'OAdS',
  'catalog.write': 'OAD',
  'batches.settle': 'OA',
  'contracts.write': 'OAS',
  'webhooks.write': 'OAD',
  'events.redeliver': 'OAD',
  'requests.read': 'OAD',
  'addresses.write': 'OAD',
  'clients.write': 'OAD',
  'keys.write': 'OAD',
  'export.payments': 'OADN',
  'export.customers': 'OA',
  'settings.write': 'OA',
  'branding.write': 'OA',
  'letters.write': 'OA',
  'limits.write': 'O',
  'ownership.transfer': 'O',
  'team.write': 'OA',
  'audit.read': 'OA',
  'audit.read_own': 'OADSN',
  'test.use': 'oads',
}
const LETTERS: Record<Role, string> = { owner: 'O', admin: 'A', developer: 'D', support: 'S', analyst: 'N' }

function rolesInTable(permission: Permission, environment: 'staging' | 'production'): Role[] {
  const letters = environment === 'staging' ? TABLE[permission].toUpperCase() : TABLE[permission]
  return ROLES.filter((role) => letters.includes(LETTERS[role]))
}

test('the permissions are the table of the specification (DSH-14)', () => {
  deepEqual(Object.keys(TABLE).sort(), [...PERMISSIONS].sort())
  for (const permission of PERMISSIONS)
    for (const environment of ['staging', 'production'] as const)
      deepEqual(rolesWith(permission, environment), rolesInTable(permission, environment), permission)
})

let service: TestService
let production: TestService
let routes: Route[]
before(async () => {
  service = await openService()
  production = await openService({ beside: service, config: { environment: 'production' } })
  routes = service.app.routes.filter(({ path }) => path.startsWith(PREFIX))
})
after(async () => {
  await production.close()
  await service.close()
})

const nameOf = ({ method, path }: Route) => `${method} ${path.slice(PREFIX.length)}`
/** @param id in place of every id in the path */
const callOf = (route: Route, id = newId()) => nameOf(route).replace(/\{\w+\}/g, id)
const bodyOf = ({ method }: Route) => (method === 'GET' || method === 'DELETE' ? {} : { body: {} })
const call = (client: DashboardClient, route: Route, more: object = {}) =>
  client.call(callOf(route), { ...bodyOf(route), ...more })

describe('Every route of the dashboard', () => {
  test('lets in the roles that have its permission, and no others; who is refused is in the audit log', async () => {
    ok(routes.length > 30)
    for (const role of ROLES) {
      const client = await signIn(service, { role })
      const refused: string[] = []
      for (const route of routes) {
        const { permission = 'home.read', stepUp = 'never' } = route.rights ?? {}
        const { status, body } = await call(client, route)
        const mayEnter = rolesInTable(permission, 'staging').includes(role)
        const isRefused = status === 403 && body.error.code === 'permission_denied'
        equal(isRefused, !mayEnter, `${role} ${nameOf(route)} ${status} ${JSON.stringify(body).slice(0, 200)}`)
        ok(status < 500, `${nameOf(route)} ${status}`)
        // What has to be proved again is proved before anything is looked for.
        if (mayEnter && stepUp === 'always')
          ok(['step_up_required', 'parameter_invalid'].includes(body.error.code), `${nameOf(route)} ${body.error.code}`)
        if (!mayEnter) refused.push(permission)
        else if (body.error?.code === 'step_up_required') refused.push(route.rights?.action ?? '')
        else if (status === 404) refused.push(route.rights?.action ?? permission)
      }
      deepEqual(await refusalsOf(client), refused, role)
    }
  })

  test('knows nothing of a business that the person does not belong to (DSH-1)', async () => {
    const other = await secondMerchant(service)
    const client = await signIn(service)
    for (const route of routes) {
      const foreign = await call(client, route, { businessId: other.demo.business_id })
      const unknown = await call(client, route, { businessId: newId() })
      equal(foreign.status, 404, nameOf(route))
      deepEqual(withoutRequest(foreign.body), withoutRequest(unknown.body), nameOf(route))
    }
    const asked = routes.flatMap(({ rights: { permission } = { permission: '' } }) => [permission, permission])
    deepEqual(await refusalsOf(client), asked)
  })

  test('asks who is signed out to sign in, and in production for a second factor (DSH-9)', async () => {
    const signedOut = { ...(await signIn(service)) }
    const plain = await signIn(production, { proof: 'password' })
    for (const route of routes) {
      const nobody = await call(signedOut, route, { headers: { cookie: '' } })
      deepEqual([nobody.status, nobody.body.error.code], [401, 'signed_out'], nameOf(route))
      const { status, body } = await call(plain, route)
      if (route.rights?.permission === 'test.use') equal(status, 404, nameOf(route))
      else deepEqual([status, body.error.code], [403, 'second_factor_required'], nameOf(route))
    }
  })
})

const withoutRequest = ({ error }: { error: object }) => ({ ...error, request_id: null })

async function refusalsOf({ userId }: DashboardClient): Promise<string[]> {
  const rows = await service.app.services.db
    .selectFrom('audit_entry')
    .select('action')
    .where('actor_id', '=', userId)
    .where('outcome', '=', 'refused')
    .orderBy('number')
    .execute()
  return rows.map(({ action }) => action)
}

describe('An id of another business', () => {
  let other: SecondMerchant
  let ids: Record<string, string>
  before(async () => {
    other = await secondMerchant(service)
    ids = await idsOf(other)
  })

  test('is as unknown as one that does not exist, in every path (DSH-1)', async () => {
    const owner = await signIn(service, { isSteppedUp: true })
    const named = routes.filter(({ path }) => path.slice(PREFIX.length).includes('{'))
    ok(named.length > 15)
    for (const route of named) {
      const [, noun = ''] = nameOf(route).split('/')
      const send = (id: string) => owner.call(callOf(route, id), bodyOf(route))
      const unknown = await send(newId())
      const foreign = await send(ids[noun] ?? newId())
      equal(foreign.status, unknown.status, nameOf(route))
      deepEqual(withoutRequest(foreign.body), withoutRequest(unknown.body), nameOf(route))
      ok([404, 409, 422].includes(foreign.status), `${nameOf(route)} ${foreign.status}`)
      if (route.method === 'GET') equal(foreign.status, 404, nameOf(route))
    }
    const { id } = await foreignRefund(await signIn(service))
    const entry = { action: 'payment.refund', object_type: 'payment', object_id: id, outcome: 'refused' }
    const rows = service.app.services.db
      .selectFrom('audit_entry')
      .select(['action', 'object_type', 'object_id', 'outcome'])
    deepEqual(await rows.where('object_id', '=', id).where('outcome', '=', 'refused').execute(), [entry])
  })
})

async function foreignRefund(client: DashboardClient): Promise<{ id: string }> {
  const id = newId()
  equal((await client.call(`POST /payments/${id}/refunds`, { body: { reason: 'requested' } })).status, 404)
  return { id }
}

/** An object of each kind, of another business, by the first word of its paths. */
async function idsOf({ demo }: SecondMerchant): Promise<Record<string, string>> {
  const { db } = service.app.services
  const owner = await signIn(service, { businessId: demo.business_id, isSteppedUp: true })
  const made = async (name: string, body: object): Promise<string> => {
    const response = await owner.call(name, { body })
    equal(response.status, 201, `${name} ${JSON.stringify(response.body)}`)
    return response.body.id
  }
  const product = await made('POST /products', { name: 'Other tea' })
  const key = await db.selectFrom('api_key').select('id').where('business_id', '=', demo.business_id).execute()
  const client = await db.selectFrom('oauth_client').select('id').where('business_id', '=', demo.business_id).execute()
  const terminal = await db.selectFrom('terminal').select('id').where('business_id', '=', demo.business_id).execute()
  const entry = await db.selectFrom('audit_entry').select('id').where('business_id', '=', demo.business_id).execute()
  return {
    products: product,
    customers: await made('POST /customers', { email: 'other@shop.example', name: 'Other' }),
    api_keys: key[0]?.id ?? '',
    oauth_clients: client[0]?.id ?? '',
    settings: terminal[0]?.id ?? '',
    team: owner.userId,
    audit: entry[0]?.id ?? '',
  }
}
