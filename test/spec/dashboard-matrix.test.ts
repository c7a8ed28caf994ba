import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { PERMISSIONS, ROLES, rolesWith } from '../../contract/permissions.ts'
import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { refusingWrites } from '../support/database.ts'
import { equallyFast } from '../support/equally-fast.ts'
import { type IdPlace, idPlacesOf, sentWith } from '../support/foreign-ids.ts'
import { callOf, dashboardName, type Furnished, furnish, isOfBusiness, neededQuery } from '../support/furnished.ts'
import type { Response } from '../support/merchant.ts'
import { ROLE_TABLE, rolesInTable } from '../support/role-table.ts'
import { hostileCalls, sampleCall } from '../support/sample-call.ts'
import { type SecondMerchant, secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { type WatchedDatabase, watchDatabase } from '../support/watched-database.ts'

// Every route of the dashboard, with every role. Most requests are invalid, so that nothing happens: only access is
// tested.

test('the permissions are the table of the specification (DSH-14)', () => {
  deepEqual(Object.keys(ROLE_TABLE).sort(), [...PERMISSIONS].sort())
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
  for (const one of [service, production]) callInProcess(one)
  routes = service.app.routes.filter(isOfBusiness)
})
after(async () => {
  await production.close()
  await service.close()
})

const nowhere = (route: Route) => dashboardName(route).replace(/\{\w+\}/g, newId())
const bodyOf = ({ method }: Route) => (method === 'GET' || method === 'DELETE' ? {} : { body: {} })
const call = (client: DashboardClient, route: Route, more: object = {}) =>
  client.call(nowhere(route), { ...bodyOf(route), ...more })

describe('Every route of the dashboard', () => {
  test('lets in the roles that have its permission, and no others; a refusal is in the audit log (DEF-1)', async (t) => {
    ok(routes.length > 150)
    t.diagnostic(`${routes.length} routes with ${ROLES.length} roles: ${routes.length * ROLES.length} calls`)
    for (const role of ROLES) {
      const client = await signIn(service, { role })
      const refused: string[] = []
      for (const route of routes) {
        const { permission = 'home.read', stepUp = 'never' } = route.rights ?? {}
        const { status, body } = await call(client, route)
        const mayEnter = rolesInTable(permission, 'staging').includes(role)
        const isRefused = status === 403 && body.error.code === 'permission_denied'
        equal(isRefused, !mayEnter, `${role} ${dashboardName(route)} ${status} ${JSON.stringify(body).slice(0, 200)}`)
        ok(status < 500, `${dashboardName(route)} ${status}`)
        // Step-up is required before anything is looked up.
        if (mayEnter && stepUp === 'always')
          ok(
            ['step_up_required', 'parameter_invalid'].includes(body.error.code),
            `${dashboardName(route)} ${body.error.code}`,
          )
        if (!mayEnter) refused.push(permission)
        else if (body.error?.code === 'step_up_required') refused.push(route.rights?.action ?? '')
        else if (status === 404) refused.push(route.rights?.action ?? permission)
      }
      deepEqual(await refusalsOf(client), refused, role)
    }
  })

  test('knows nothing of a business that the person does not belong to (DSH-1, DEF-1)', async (t) => {
    t.diagnostic(`${routes.length} routes`)
    const other = await secondMerchant(service)
    const client = await signIn(service)
    for (const route of routes) {
      const foreign = await call(client, route, { businessId: other.demo.business_id })
      const unknown = await call(client, route, { businessId: newId() })
      equal(foreign.status, 404, dashboardName(route))
      deepEqual(withoutRequest(foreign.body), withoutRequest(unknown.body), dashboardName(route))
    }
    const asked = routes.flatMap(({ rights: { permission } = { permission: '' } }) => [permission, permission])
    deepEqual(await refusalsOf(client), asked)
  })

  test('asks who is signed out to sign in, and in production for a second factor (DSH-9, DEF-1)', async (t) => {
    t.diagnostic(`${routes.length} routes, signed out and without a second factor: ${routes.length * 2} calls`)
    const signedOut = { ...(await signIn(service)) }
    const plain = await signIn(production, { proof: 'password' })
    for (const route of routes) {
      const nobody = await call(signedOut, route, { headers: { cookie: '' } })
      deepEqual([nobody.status, nobody.body.error.code], [401, 'signed_out'], dashboardName(route))
      const { status, body } = await call(plain, route)
      if (route.rights?.permission === 'test.use') equal(status, 404, dashboardName(route))
      else deepEqual([status, body.error.code], [403, 'second_factor_required'], dashboardName(route))
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

describe('A business with one of everything', () => {
  let other: SecondMerchant
  let stranger: DashboardClient
  let foreign: Furnished
  let owner: DashboardClient
  let own: Furnished
  let database: WatchedDatabase
  let watched: TestService
  before(async () => {
    database = await watchDatabase()
    watched = await openService({ beside: service, databaseRoute: database.route })
    callInProcess(watched)
    other = await secondMerchant(service)
    stranger = await signIn(service, { businessId: other.demo.business_id, isSteppedUp: true })
    foreign = await furnish(service, stranger, other.demo.business_id)
    owner = await signIn(service, { isSteppedUp: true })
    own = await furnish(service, owner, service.demo.business_id)
  })
  after(async () => {
    await watched.close()
    await database[Symbol.asyncDispose]()
  })

  test('is read in a database that refuses writes (DSH-11, DEF-4)', async (t) => {
    await using reader = await openService({ beside: service, databaseRoute: refusingWrites })
    callInProcess(reader)
    const reads = routes.filter(({ method }) => method === 'GET')
    t.diagnostic(`${reads.length} routes`)
    for (const route of reads) {
      const options = { query: neededQuery(dashboardName(route), own) }
      const { status, body, headers } = await owner.call(callOf(route, own), { ...options, on: reader })
      equal(status, 200, `${dashboardName(route)} ${JSON.stringify(body).slice(0, 200)}`)
      // The response is neither stored, compressed, framed by others, nor run.
      deepEqual(
        ['cache-control', 'x-content-type-options', 'content-encoding'].map((name) => headers.get(name)),
        ['no-store', 'nosniff', null],
        dashboardName(route),
      )
      match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors '(none|self)'/)
    }
    const previews = routes.filter(
      (route) => route.rights?.kind === 'preview' && !DRAFTS.includes(dashboardName(route)),
    )
    const shown: string[] = []
    for (const route of previews) {
      const { status, body } = await owner.call(callOf(route, own), { ...sampleCall(route, own), on: reader })
      ok(status < 500, `${dashboardName(route)} ${JSON.stringify(body)}`)
      if (status === 200) shown.push(dashboardName(route))
    }
    ok(shown.length > 10, String(shown))
    const { status } = await owner.call('POST /products', { body: { name: 'Tea' }, on: reader })
    equal(status, 500)
  })

  /**
   * Asserts that a foreign id is refused like an unknown one, after the same work in the database. @returns the status
   */
  async function isUnknown(
    name: string,
    send: (ids: Furnished, more: { on: TestService }) => Promise<Response>,
  ): Promise<number> {
    const seen = async (ids: Furnished, quietMs: number) => {
      const { result, done } = await database.during(() => send(ids, { on: watched }), quietMs)
      return { status: result.status, body: sameFor(result.body), done }
    }
    const nothing = () => Object.fromEntries(Object.keys(foreign).map((kind) => [kind, newId()]))
    // What a call does depends also on what the process has in its caches, which the call before it may have filled. So
    // each kind of id goes first in turn, and one call of each kind has to be alike.
    const unknown: Awaited<ReturnType<typeof seen>>[] = []
    const refused: Awaited<ReturnType<typeof seen>>[] = []
    for (let tries = 1; ; tries++) {
      // The first time, statements of the previous call may still be running.
      const quietMs = tries === 1 ? 0 : 100
      if (tries % 2 === 1) unknown.push(await seen(nothing(), quietMs))
      refused.push(await seen(foreign, quietMs))
      if (tries % 2 === 0) unknown.push(await seen(nothing(), quietMs))
      const alike = refused.find((one) => unknown.some((other) => isDeepStrictEqual(one, other)))
      if (alike) return alike.status
      if (tries === 4) deepEqual(refused, unknown, name)
    }
  }

  test('knows no id of another one in a path (DSH-1, DEF-2)', async (t) => {
    const about = routes.filter((one) => dashboardName(one).includes('{'))
    t.diagnostic(`${about.length} routes with an id in their path`)
    for (const route of about) {
      const options = { ...bodyOf(route), query: neededQuery(dashboardName(route), own) }
      const status = await isUnknown(dashboardName(route), (ids, more) =>
        owner.call(callOf(route, ids), { ...options, ...more }),
      )
      ok([404, 409, 422].includes(status), `${dashboardName(route)} ${status}`)
      if (route.method === 'GET') equal(status, 404, dashboardName(route))
    }
  })

  test('has a row in the audit log for a call about an object of another one (DSH-15)', async () => {
    const person = await signIn(service)
    const id = foreign.payments ?? ''
    equal((await person.call(`POST /payments/${id}/refunds`, { body: { reason: 'requested' } })).status, 404)
    const rows = await service.app.services.db
      .selectFrom('audit_entry')
      .select(['action', 'object_type', 'object_id', 'outcome'])
      .where('actor_id', '=', person.userId)
      .execute()
    deepEqual(rows, [{ action: 'payment.refund', object_type: 'payment', object_id: id, outcome: 'refused' }])
  })

  test('knows no id of another one, nor finds anything of it, in a body or a query (DSH-1, DEF-2)', async (t) => {
    const places = idPlacesOf(routes)
    ok(places.length > 60)
    t.diagnostic(`${places.length} places for an id`)
    for (const place of places) {
      const name = `${dashboardName(place.route)} ${place.path.join('.')}`
      ok(foreign[place.kind], `${name}: no test makes one of ${place.kind}`)
      // A person has ten exports an hour.
      const person = place.route.rights?.kind === 'export' ? await signIn(service, { isSteppedUp: true }) : owner
      const status = await isUnknown(name, (ids, more) =>
        person.call(callOf(place.route, own), { ...sentWith(place, ids[place.kind] ?? '', own), ...more }),
      )
      // Each object of a bulk call is refused separately.
      if (place.route.rights?.kind === 'bulk') equal(status, 200, name)
      if (place.where === 'body') ok([200, 404, 422].includes(status), `${name} ${status}`)
      if (status === 200) ok(isAboutRows(place), name)
    }
  })

  test('finds nothing of another one by a search (DSH-1)', async () => {
    for (const kind of [
      'payments',
      'customers',
      'subscriptions',
      'checkout_sessions',
      'products',
      'contracts',
      'batches',
      'events',
    ])
      await isUnknown(`search ${kind}`, (ids, more) =>
        owner.call('GET /search', { query: { q: ids[kind] ?? '' }, ...more }),
      )
  })

  test('takes as long to refuse a foreign id as an unknown one, of every kind (DSH-1, DEF-2)', async (t) => {
    const reads = routes.filter((route) => /^GET \/[^{]+\/\{id\}$/.test(dashboardName(route)))
    ok(reads.length > 10)
    t.diagnostic(`${reads.length} kinds`)
    for (const route of reads)
      await equallyFast(
        (id) => owner.call(dashboardName(route).replace('{id}', id)),
        callOf(route, foreign).split('/').at(-1) ?? '',
        { calls: 14 },
      )
  })

  test('responds to each value that a field accepts, and never by a failure (FLT-67)', async (t) => {
    const failed: string[] = []
    let calls = 0
    for (const route of routes)
      for (const { what, options } of hostileCalls(route, own)) {
        calls++
        const { status, body } = await owner.call(callOf(route, own), options)
        if (status >= 500) failed.push(`${what}: ${status} ${JSON.stringify(body)}`)
      }
    t.diagnostic(`${calls} calls`)
    deepEqual(failed, [])
  })
})

/** Routes that store a preview of the look of the payment page. */
const DRAFTS = ['POST /branding/drafts']

/** Whether an unknown id only selects no rows, and the call is not refused. */
const isAboutRows = ({ route: { rights, method } }: IdPlace) =>
  method === 'GET' || ['export', 'preview', 'bulk'].includes(rights?.kind ?? '')

function sameFor(body: { error?: object; object?: string; done?: unknown; failed?: { id: string; code: string }[] }) {
  if (body.object === 'bulk_result') return { done: body.done, failed: body.failed?.map(({ code }) => code) }
  return body.error ? { ...body.error, request_id: null } : body
}
