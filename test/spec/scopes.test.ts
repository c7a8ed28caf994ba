import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { ROLES } from '../../contract/permissions.ts'
import { SCOPE_TEXTS, SCOPES, type Scope, scopesOf } from '../../contract/scopes.ts'
import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { send } from '../support/merchant.ts'
import { makeTokens } from '../support/scoped-token.ts'
import { makeKey } from '../support/secret-key.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// ACC-76 and ACC-77. The routes are read from the service, so that a new one is tested without being named here.

let service: TestService
let owner: DashboardClient
let developer: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
  developer = await signIn(service, { role: 'developer', isSteppedUp: true })
})
after(() => service.close())

const serverRoutes = () => service.app.routes.filter(({ access }) => ['bearer', 'secret key'].includes(access.name))
const pathOf = ({ path }: Route) =>
  path.replace('{business_id}', service.demo.business_id).replaceAll(/\{\w+\}/g, () => newId())

/** Calls a route with an invalid body, because the scope is checked before it. */
function callRoute(route: Route, credential: string) {
  const hasBody = route.method !== 'GET'
  return send(`${service.url}${pathOf(route)}`, {
    method: route.method,
    headers: { authorization: `Bearer ${credential}`, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: '{' }),
  })
}

async function credentialOf(route: Route, scopes: readonly Scope[]): Promise<string> {
  if (route.access.name === 'secret key') return (await makeKey(service, { scopes })).key
  return (await makeTokens(service, { userId: owner.userId, scopes })).accessToken
}

const codeOf = ({ body }: { body: { code?: string; error?: { code?: string } } }) => body.error?.code ?? body.code

describe('Scopes of the paths (ACC-76)', () => {
  test('every path of a server says which scope it needs, and every scope opens a path', () => {
    const undeclared = serverRoutes().filter(({ scope, onlyRefuses }) => scope === undefined && !onlyRefuses)
    deepEqual(
      undeclared.map(({ method, path }) => `${method} ${path}`),
      [],
    )
    const needed = new Set(serverRoutes().map(({ scope }) => scope))
    deepEqual(
      SCOPES.filter((scope) => !needed.has(scope)),
      [],
    )
    deepEqual(
      serverRoutes()
        .filter(({ scope }) => scope === null)
        .map(({ path }) => path),
      ['/api/v1/account'],
    )
  })

  test('the guide lists every scope with what it opens', async () => {
    const guide = await readFile(new URL('../../docs/guides/merchant-api.md', import.meta.url), 'utf8')
    for (const scope of SCOPES) ok(guide.includes(`| \`${scope}\` | ${SCOPE_TEXTS[scope]} |`), scope)
  })

  test('what changes something needs more than a scope for reading', () => {
    const reading = serverRoutes().filter(({ method, scope }) => method !== 'GET' && scope?.endsWith(':read'))
    deepEqual(reading.map(({ path }) => path.split('/').at(-1)).sort(), ['preview', 'preview'])
  })

  test('with all other scopes it is 403 and names the missing one; with that one alone it is let in', async () => {
    for (const route of serverRoutes().filter(({ scope }) => scope != null)) {
      const scope = route.scope as Scope
      const name = `${route.method} ${route.path}`
      const others = SCOPES.filter((one) => one !== scope)
      const refused = await callRoute(route, await credentialOf(route, others))
      deepEqual([refused.status, codeOf(refused)], [403, 'permission_denied'], name)
      const { message } = refused.body.error ?? refused.body
      ok(message.includes(scope), `${name}: ${message}`)
      equal(refused.headers.get('www-authenticate'), `Bearer error="insufficient_scope", scope="${scope}"`)
      if (refused.body.error) {
        deepEqual([refused.body.error.type, refused.body.error.param], ['permission_error', null])
        ok(refused.headers.get('ratelimit-limit') !== null, name)
      } else deepEqual([refused.body.ok, refused.body.scope], [false, scope])
      const taken = await callRoute(route, await credentialOf(route, [scope]))
      notEqual(taken.status, 403, name)
      notEqual(taken.status, 401, name)
    }
  })

  test('the credential and its address are checked before the scope', async () => {
    const { key } = await makeKey(service, { scopes: ['customers:read'], allowedIps: ['192.0.2.1'] })
    const { body } = await send(`${service.url}/api/v1/voids`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    })
    match(body.error.message, /address/)
  })
})

describe('Nobody gives himself by a key or a client what his role refuses (ACC-76)', () => {
  const newKey = (by: DashboardClient, scopes?: readonly string[]) =>
    by.call('POST /api_keys', { body: { name: 'Server', allowed_ips: ['127.0.0.1'], ...(scopes && { scopes }) } })
  const newClient = (by: DashboardClient, scopes?: readonly string[]) =>
    by.call('POST /oauth_clients', {
      body: { name: 'Shop', redirect_url: 'https://shop.example', ...(scopes && { scopes }) },
    })

  test('without a choice a key and a client get all that the role may do', async () => {
    for (const [by, role] of [
      [owner, 'owner'],
      [developer, 'developer'],
    ] as const) {
      for (const made of [await newKey(by), await newClient(by)]) {
        deepEqual([made.status, made.body.scopes], [201, scopesOf(role, 'staging')], role)
      }
    }
    deepEqual(scopesOf('owner', 'staging'), SCOPES)
    deepEqual(
      SCOPES.filter((scope) => !scopesOf('developer', 'staging').includes(scope)),
      ['refunds', 'voids', 'sell', 'settle'],
    )
  })

  test('each scope is given if and only if the role may do it', async () => {
    const may = scopesOf('developer', 'staging')
    for (const scope of SCOPES) {
      for (const make of [newKey, newClient]) {
        const made = await make(developer, [scope])
        if (may.includes(scope)) deepEqual([made.status, made.body.scopes], [201, [scope]])
        else {
          deepEqual([made.status, made.body.error.code], [403, 'permission_denied'], scope)
          deepEqual(made.body.error.scopes, [scope])
        }
      }
    }
    equal((await newKey(owner, ['everything'])).status, 422)
    equal((await newKey(owner, [])).status, 422)
  })

  test('in production a developer gives no right to change what customers pay', () => {
    deepEqual(
      scopesOf('developer', 'production').filter((scope) => !scope.endsWith(':read')),
      ['catalog:write', 'events:write', 'webhooks:write'],
    )
    for (const role of ROLES) {
      equal(
        scopesOf(role, 'production').some((scope) => scope.startsWith('test_clock')),
        false,
      )
    }
  })

  test('a key that may do more is not rotated by who may do less, and keeps its scopes in other hands', async () => {
    const strong = (await newKey(owner)).body
    const rotation = { body: { overlap_hours: 0 } }
    const refused = await developer.call(`POST /api_keys/${strong.id}/rotate`, rotation)
    deepEqual([refused.status, refused.body.error.code], [403, 'permission_denied'])
    match(refused.body.error.message, /refunds/)
    const narrow = (await newKey(owner, ['catalog:read', 'events:read'])).body
    const rotated = await developer.call(`POST /api_keys/${narrow.id}/rotate`, rotation)
    deepEqual([rotated.status, rotated.body.scopes], [201, ['catalog:read', 'events:read']])
    equal((await owner.call(`POST /api_keys/${strong.id}/rotate`, rotation)).status, 201)
  })

  test('a client gets no scope and no new secret from who may not do what it may', async () => {
    const { body: client } = await newClient(owner, ['catalog:read', 'refunds'])
    const edit = (by: DashboardClient, version: string, change: object) =>
      by.call(`PATCH /oauth_clients/${client.id}`, { body: { version, ...change } })
    for (const beyond of ['voids', 'sell', 'settle']) {
      const refused = await edit(developer, client.version, { scopes: ['catalog:read', 'refunds', beyond] })
      deepEqual([refused.status, refused.body.error.scopes], [403, [beyond]])
    }
    equal((await developer.call(`POST /oauth_clients/${client.id}/rotate_secret`)).status, 403)
    const wider = await edit(developer, client.version, { scopes: ['catalog:read', 'catalog:write', 'refunds'] })
    deepEqual([wider.status, wider.body.scopes], [200, ['catalog:read', 'catalog:write', 'refunds']])
    const narrower = await edit(developer, wider.body.version, { scopes: ['catalog:read'] })
    deepEqual([narrower.status, narrower.body.scopes], [200, ['catalog:read']])
    equal((await developer.call(`POST /oauth_clients/${client.id}/rotate_secret`)).status, 200)
  })

  test('more scopes for a client need step-up, fewer do not', async () => {
    const { body: client } = await newClient(owner, ['catalog:read', 'refunds'])
    const calm = await signIn(service)
    const edit = (scopes: string[]) =>
      calm.call(`PATCH /oauth_clients/${client.id}`, { body: { version: client.version, scopes } })
    const refused = await edit(['catalog:read', 'refunds', 'voids'])
    deepEqual([refused.status, refused.body.error.code], [403, 'step_up_required'])
    equal((await edit(['catalog:read'])).status, 200)
  })

  test('the tokens of a client are bounded by the role of the person whose they are', async () => {
    const { accessToken } = await makeTokens(service, { userId: developer.userId })
    const selling = serverRoutes().find(({ scope }) => scope === 'sell') as Route
    const refused = await callRoute(selling, accessToken)
    deepEqual([refused.status, codeOf(refused)], [403, 'permission_denied'])
  })
})
