import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { REFUSAL_TEXTS } from '../../server/http/openapi/refusal-texts.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { send } from '../support/merchant.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { account } from '../support/secret-key.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let developer: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  developer = await signIn(service, { role: 'developer', isSteppedUp: true })
})
after(() => service.close())

const rows = (table: 'audit_entry' | 'dashboard_request') =>
  service.app.services.db.selectFrom(table).selectAll().execute()
const lastAudit = async () => {
  const entries = await service.app.services.db.selectFrom('audit_entry').selectAll().orderBy('number').execute()
  return entries.at(-1)
}
const makeKey = async (name: string, allowed_ips = ['127.0.0.1']) => {
  const { status, body } = await developer.call('POST /api_keys', { body: { name, allowed_ips } })
  equal(status, 201, JSON.stringify(body))
  return body
}
const wholeDatabase = async () => {
  const { db } = service.app.services
  const tables = ['audit_entry', 'dashboard_request', 'api_key', 'oauth_client', 'refused_request'] as const
  const all = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
  return JSON.stringify(all)
}

describe('Secret keys in the dashboard (ACC-32)', () => {
  test('a key is made with one or two addresses and shown once: in no list, table, audit entry or log (DEF-10)', async () => {
    const key = newId()
    const body = { name: 'Shop', allowed_ips: ['127.0.0.1', '::FFFF:203.0.113.7'] }
    const made = await developer.call('POST /api_keys', { body, key })
    equal(made.status, 201)
    match(made.body.key, /^rc_sk_stg_/)
    deepEqual(made.body.allowed_ips, ['127.0.0.1', '203.0.113.7'])
    deepEqual([made.body.last_four, made.body.created_by], [made.body.key.slice(-4), developer.email])
    equal((await account(service, made.body.key)).status, 200)
    const again = await developer.call('POST /api_keys', { body, key })
    deepEqual([again.status, again.body.id, again.body.key], [201, made.body.id, null])
    equal(again.headers.get('idempotent-replayed'), 'true')
    const list = await developer.call('GET /api_keys')
    ok(list.body.data.some(({ id }: { id: string }) => id === made.body.id))
    equal(list.body.view.your_ip, '127.0.0.1')
    const everything = [JSON.stringify(list.body), await wholeDatabase(), service.logged()].join()
    equal(everything.includes(made.body.key), false)
    const entry = await lastAudit()
    deepEqual([entry?.action, entry?.outcome, entry?.object_id], ['api_key.create', 'done', made.body.id])
  })

  test('an address that is not one, none, three, or a blank name is refused, and nothing is written', async () => {
    const before = (await rows('audit_entry')).length
    const wrong = [
      { name: 'Shop', allowed_ips: [] },
      { name: 'Shop', allowed_ips: ['10.0.0.0/8'] },
      { name: 'Shop', allowed_ips: ['0.0.0.0'] },
      { name: 'Shop', allowed_ips: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] },
      { name: ' ', allowed_ips: ['192.0.2.1'] },
    ]
    for (const body of wrong) {
      const refused = await developer.call('POST /api_keys', { body })
      equal(refused.status, 422, JSON.stringify(body))
    }
    equal((await rows('audit_entry')).length, before)
  })

  test('needs step-up and a key of its own, and is not for support', async () => {
    const body = { name: 'Shop', allowed_ips: ['127.0.0.1'] }
    const calm = await signIn(service, { role: 'developer' })
    const asked = await calm.call('POST /api_keys', { body })
    deepEqual([asked.status, asked.body.error.code], [403, 'step_up_required'])
    const keyless = await developer.call('POST /api_keys', { body, key: '' })
    deepEqual([keyless.status, keyless.body.error.param], [422, 'Idempotency-Key'])
    const support = await signIn(service, { role: 'support', isSteppedUp: true })
    equal((await support.call('POST /api_keys', { body })).status, 403)
  })

  test('two equal calls at once make one key', async () => {
    const key = newId()
    const body = { name: 'Twice', allowed_ips: ['127.0.0.1'] }
    const made = await Promise.all([1, 2].map(() => developer.call('POST /api_keys', { body, key })))
    deepEqual(
      made.map(({ status }) => status),
      [201, 201],
    )
    equal(made.filter((one) => one.body.key !== null).length, 1)
    const list = await developer.call('GET /api_keys')
    equal(list.body.data.filter(({ name }: { name: string }) => name === 'Twice').length, 1)
  })

  test('a rotation has new addresses and an overlap; the old key is revoked by its name while it is in use', async () => {
    const old = await makeKey('Old')
    equal((await account(service, old.key)).status, 200)
    const rotated = await developer.call(`POST /api_keys/${old.id}/rotate`, {
      body: { allowed_ips: ['127.0.0.1', '192.0.2.9'], overlap_hours: 24 },
    })
    equal(rotated.status, 201, JSON.stringify(rotated.body))
    deepEqual([rotated.body.name, rotated.body.allowed_ips], ['Old', ['127.0.0.1', '192.0.2.9']])
    for (const key of [old.key, rotated.body.key]) equal((await account(service, key)).status, 200)
    const { data } = (await developer.call('GET /api_keys')).body
    const shown = data.find(({ id }: { id: string }) => id === old.id)
    deepEqual([shown.status, shown.expires_at - Math.floor(Date.now() / 1000) > 86_000], ['rotated', true])
    const again = await developer.call(`POST /api_keys/${old.id}/rotate`, { body: { overlap_hours: 0 } })
    equal(again.status, 422)
    const odd = await developer.call(`POST /api_keys/${old.id}/rotate`, { body: { overlap_hours: 7 } })
    equal(odd.status, 422)

    await service.app.services.db
      .updateTable('api_key')
      .set({ last_used_at: new Date() })
      .where('id', '=', old.id)
      .execute()
    const unnamed = await developer.call(`POST /api_keys/${old.id}/revoke`, { body: {} })
    deepEqual([unnamed.status, unnamed.body.error.param], [422, 'name'])
    const revoked = await developer.call(`POST /api_keys/${old.id}/revoke`, { body: { name: 'Old' } })
    deepEqual([revoked.status, revoked.body.status], [200, 'revoked'])
    equal((await lastAudit())?.action, 'api_key.revoke')
  })

  test('a key of production is neither shown in staging, nor changed, nor taken (ACC-1, DEF-18)', async () => {
    await using production = await openService({ beside: service, config: { environment: 'production' } })
    const other = { role: 'developer', isSteppedUp: true } as const
    const inProduction = await signIn(production, other)
    const body = { name: 'Live shop', allowed_ips: ['127.0.0.1'] }
    const made = await inProduction.call('POST /api_keys', { body })
    equal(made.status, 201, JSON.stringify(made.body))
    match(made.body.key, /^rc_sk_live_/)
    const { id, key, name } = made.body
    const lists = [await developer.call('GET /api_keys'), await inProduction.call('GET /api_keys')]
    const isShown = lists.map((list) => list.body.data.some((one: { id: string }) => one.id === id))
    deepEqual(isShown, [false, true])
    const unknown = await developer.call(`POST /api_keys/${newId()}/revoke`, { body: { name } })
    for (const change of ['revoke', 'rotate']) {
      const sent = change === 'revoke' ? { name } : { allowed_ips: ['203.0.113.1'], overlap_hours: 0 }
      const refused = await developer.call(`POST /api_keys/${id}/${change}`, { body: sent })
      deepEqual([refused.status, refused.body.error.code], [404, unknown.body.error.code], change)
    }
    const taken = await account(service, key)
    deepEqual([taken.status, taken.body.error.code], [401, 'invalid_api_key'])
    match(taken.body.error.message, /production/)
    equal((await account(production, key)).status, 200)
    equal((await account(production, (await makeKey('Staging shop')).key)).status, 401)
  })

  test('a key of another business is 404', async () => {
    const other = await secondMerchant(service)
    const stranger = await signIn(service, { businessId: other.demo.business_id, isSteppedUp: true })
    const { id } = await makeKey('Mine')
    const body = { overlap_hours: 0 }
    equal((await stranger.call(`POST /api_keys/${id}/rotate`, { body })).status, 404)
    equal((await stranger.call(`POST /api_keys/${id}/revoke`, { body: {} })).status, 404)
    equal((await stranger.call(`POST /api_keys/${newId()}/revoke`, { body: {} })).status, 404)
  })
})

describe('OAuth clients in the dashboard (ACC-32)', () => {
  const create = (body: object = {}) =>
    developer.call('POST /oauth_clients', { body: { name: 'Server', redirect_url: 'https://a.example/x', ...body } })

  test('a client is made with its secret and first tokens, shown once (DEF-10)', async () => {
    const { status, body } = await create()
    equal(status, 201)
    match(body.client_secret, /^rc_cs_/)
    deepEqual([body.origin, body.password_grant, body.view.families], ['https://a.example', false, 1])
    const list = await developer.call('GET /oauth_clients')
    const everything = [JSON.stringify(list.body), await wholeDatabase(), service.logged()].join()
    for (const secret of [body.client_secret, body.tokens.access_token, body.tokens.refresh_token]) {
      equal(everything.includes(secret), false)
    }
    const found = list.body.data.find(({ id }: { id: string }) => id === body.id)
    ok(found.view.last_token_at > 0)
  })

  test('its origin is changed by the version that was seen, with step-up; a stale one is a conflict', async () => {
    const { body: client } = await create()
    const path = `PATCH /oauth_clients/${client.id}`
    const calm = await signIn(service, { role: 'developer' })
    const move = { version: client.version, redirect_url: 'https://b.example' }
    equal((await calm.call(path, { body: move })).body.error.code, 'step_up_required')
    const renamed = await calm.call(path, { body: { version: client.version, name: 'Renamed' } })
    deepEqual([renamed.status, renamed.body.name], [200, 'Renamed'])
    const stale = await developer.call(path, { body: move })
    deepEqual([stale.status, stale.body.error.code], [409, 'conflict'])
    equal(stale.body.error.current.name, 'Renamed')
    const moved = await developer.call(path, { body: { ...move, version: renamed.body.version } })
    deepEqual([moved.status, moved.body.origin], [200, 'https://b.example'])
    const unsafe = { version: moved.body.version, redirect_url: 'http://c.example' }
    const refused = await developer.call(path, { body: unsafe })
    deepEqual([refused.status, refused.body.error.param], [422, 'redirect_url'])
    const entry = await lastAudit()
    const { scopes } = client
    const before = { name: 'Renamed', redirect_url: 'https://a.example/x', scopes }
    const grants = { password_grant: false, skips_second_factor: false }
    deepEqual([entry?.action, entry?.before], ['oauth_client.update', { ...before, ...grants }])
  })

  test('its secret is replaced, its tokens are ended, and it is revoked', async () => {
    const { body: client } = await create()
    const rotated = await developer.call(`POST /oauth_clients/${client.id}/rotate_secret`)
    equal(rotated.status, 200)
    const refresh = (secret: string) =>
      send(`${service.url}/api/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          grant_type: 'refresh_token',
          client_id: client.id,
          client_secret: secret,
          refresh_token: client.tokens.refresh_token,
        }),
      })
    equal((await refresh(client.client_secret)).status, 401)
    equal((await refresh(rotated.body.client_secret)).status, 200)
    const ended = await developer.call(`POST /oauth_clients/${client.id}/end_tokens`)
    deepEqual([ended.status, ended.body.view.families], [200, 0])
    const revoked = await developer.call(`POST /oauth_clients/${client.id}/revoke`)
    deepEqual([revoked.status, revoked.body.status], [200, 'revoked'])
    equal((await developer.call(`POST /oauth_clients/${client.id}/rotate_secret`)).status, 409)
  })
})

describe('Allowed addresses in the dashboard (ACC-33)', () => {
  test('an address is added and removed, but not the last one while clients have tokens', async () => {
    const other = await secondMerchant(service)
    const owner = await signIn(service, { businessId: other.demo.business_id, isSteppedUp: true })
    const list = async () =>
      (await owner.call('GET /allowed_ips')).body.data.map(({ address }: { address: string }) => address)
    equal((await owner.call('POST /allowed_ips', { body: { address: '2001:DB8::1' } })).body.address, '2001:db8::1')
    const before: string[] = await list()
    ok(before.includes('2001:db8::1'))
    equal((await other.get('/checkout-sessions')).status, 200)
    for (const address of before.slice(0, -1)) {
      equal((await owner.call('POST /allowed_ips/remove', { body: { address } })).status, 200)
    }
    const [last] = before.slice(-1)
    const refused = await owner.call('POST /allowed_ips/remove', { body: { address: last } })
    deepEqual([refused.status, refused.body.error.code], [409, 'conflict'])
    deepEqual(await list(), [last])
    equal((await owner.call('POST /allowed_ips/remove', { body: { address: '192.0.2.200' } })).status, 422)
  })
})

describe('Refused calls in the dashboard (ACC-31)', () => {
  const refusals = async (query = {}) => (await developer.call('GET /refusals', { query })).body.data

  test('shows what was refused and from where, by key and by client, and never what was sent', async () => {
    const narrow = await makeKey('Elsewhere', ['192.0.2.50'])
    equal((await account(service, narrow.key)).status, 403)
    const wide = await makeKey('Here')
    const v1 = (path: string, body: object) =>
      send(`${service.url}/api/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${wide.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    equal((await v1('/products', { name: '', canary_field_of_mine: 'canary-value' })).status, 422)
    equal((await v1(`/subscriptions/${newId()}/pause`, {})).status >= 400, true)
    const token = { authorization: `Bearer ${service.demo.access_token}`, 'content-type': 'application/json' }
    const create = `${service.url}/api/${service.demo.business_id}/checkout/create`
    equal((await send(create, { method: 'POST', headers: token, body: '{"amount_total":-1}' })).status, 422)

    await new Promise((resolve) => setTimeout(resolve, 1_200))
    const found = await refusals()
    const elsewhere = found.find(
      (row: { view: { credential_name: string } }) => row.view.credential_name === 'Elsewhere',
    )
    deepEqual(
      [elsewhere.code, elsewhere.path, elsewhere.ip, elsewhere.credential_kind, elsewhere.credential_id],
      ['permission_denied', '/api/v1/account', '127.0.0.1', 'api_key', narrow.id],
    )
    equal(elsewhere.view.meaning, REFUSAL_TEXTS.ip_not_allowed)
    for (const { code, view } of found) ok(view.meaning, code)
    ok(found.some(({ path }: { path: string }) => path === '/api/v1/subscriptions/{id}/pause'))
    ok(found.some((row: { path: string; credential_kind: string }) => row.credential_kind === 'oauth_client'))
    doesNotMatch(JSON.stringify(found), /canary-value/)
    equal((await refusals({ code: 'permission_denied' })).length, 1)
    equal((await refusals({ credential: narrow.id })).length, 1)
    equal((await refusals({ ip: '192.0.2.77' })).length, 0)
    equal((await refusals({ from: '2100-01-01' })).length, 0)
    equal((await developer.call('GET /refusals', { query: { from: '2026-02-02', to: '2026-02-01' } })).status, 422)
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await analyst.call('GET /refusals')).status, 403)
  })
})
