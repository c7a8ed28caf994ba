import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Alert } from '../../contract/dashboard/home-api.ts'
import { scopesOf } from '../../contract/scopes.ts'
import { newApiKey } from '../../server/access/keys/api-key.ts'
import { newSecret } from '../../server/access/tokens/token.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { type Response, SESSION, send } from '../support/merchant.ts'
import { movableClock } from '../support/movable-clock.ts'
import { assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { makeKey } from '../support/secret-key.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

// ACC-34: a secret key or an access token that a page sends is an alert of its business (DSH-25).

const ORIGIN = 'https://shop.example'
const PAGE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: ORIGIN }
const DAY = 86_400
const MINUTE = 61

const clock = movableClock()
let service: TestService
let developer: DashboardClient
before(async () => {
  service = await openService({ clock, config: { trustedProxies: ['127.0.0.1'] } })
  callInProcess(service)
  developer = await signIn(service, { role: 'developer', isSteppedUp: true })
})
after(() => service.close())

type Headers = Record<string, string>

const account = (key: string, headers: Headers = PAGE, { url } = service) =>
  send(`${url}/api/v1/account`, { headers: { authorization: `Bearer ${key}`, ...headers } })

const createSession = (token: string, headers: Headers = PAGE, { url } = service): Promise<Response> =>
  send(`${url}/api/${service.demo.business_id}/checkout/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(SESSION),
  })

async function exposed(client = developer): Promise<Alert[]> {
  const { status, body } = await client.call('GET /alerts')
  equal(status, 200, JSON.stringify(body))
  return (body.data as Alert[]).filter(({ kind }) => kind === 'key_in_page' || kind === 'token_in_page')
}
const alertOf = async (id: string) => (await exposed()).find(({ object }) => object?.id === id)
const raised = (id: string) => until('the alert is there', () => alertOf(id))
const endTokens = () => developer.call(`POST /oauth_clients/${service.demo.client_id}/end_tokens`, { body: {} })
const now = () => Math.floor(clock.now().getTime() / 1_000)

/** Returns a new token of the demo client, by its password. */
async function newAccessToken(): Promise<string> {
  const { username, password, client_id, client_secret } = service.demo
  const { status, body } = await send(`${service.url}/api/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', client_id, client_secret, username, password }),
  })
  equal(status, 200, JSON.stringify(body))
  return body.access_token
}

describe('No alert', () => {
  test('of what opens nothing, of a browser token, and of what a server sends', async () => {
    const { key: revoked, apiKey } = await makeKey(service)
    equal((await developer.call(`POST /api_keys/${apiKey.id}/revoke`, { body: {} })).status, 200)
    const { access_token: token, api_key: key } = service.demo
    const made = await send(`${service.url}/api/${service.demo.business_id}/browser-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ origin: ORIGIN }),
    })
    {
      // A process that ends has first written everything.
      await using process2 = await openService({ clock, beside: service })
      for (const one of [revoked, newApiKey('staging'), newApiKey('production'), 'x'])
        assertKeyPath(await account(one, PAGE, process2))
      for (const one of [newSecret('rc_at_'), newSecret('rc_rt_'), 'x'])
        equal((await createSession(one, PAGE, process2)).status, 401)
      equal((await createSession(made.body.browser_token, PAGE, process2)).status, 200)
      equal((await account(key, { 'sec-fetch-mode': 'cors' }, process2)).status, 200)
      equal((await account(key, { 'sec-fetch-site': 'none' }, process2)).status, 200)
      equal((await createSession(token, { origin: ORIGIN }, process2)).status, 200)
    }
    deepEqual(await exposed(), [])
  })
})

function assertKeyPath({ status, body }: Response): void {
  deepEqual([status, body.error.code], [403, 'permission_denied'])
}

describe('A secret key in a page', () => {
  test('on a path for servers is refused as before, and an alert names it, when and from where', async () => {
    const { apiKey, key } = await makeKey(service, { name: 'Web shop' })
    assertKeyPath(await account(key))
    const alert = await raised(apiKey.id)
    deepEqual(
      [alert.kind, alert.name, alert.object, alert.since, alert.until],
      ['key_in_page', `Web shop …${key.slice(-4)}`, { type: 'api_key', id: apiKey.id }, null, null],
    )
    equal(alert.seen?.origin, ORIGIN)
    ok(Math.abs((alert.seen?.at ?? 0) - now()) < 30)
    equal((await developer.call(`POST /api_keys/${apiKey.id}/revoke`, { body: {} })).status, 200)
    equal(await alertOf(apiKey.id), undefined)
  })

  test('from any address, and also on a path for access tokens', async () => {
    const { apiKey, key } = await makeKey(service, { allowedIps: ['192.0.2.1'] })
    assertRefused(await createSession(key, { ...PAGE, 'x-forwarded-for': '203.0.113.9' }), 401, 'unauthenticated')
    equal((await raised(apiKey.id)).seen?.origin, ORIGIN)
  })

  test('an Origin alone is of a page, because servers name none there; what is not an origin is not kept', async () => {
    for (const [origin, kept] of [
      ['https://elsewhere.example', 'https://elsewhere.example'],
      ['null', null],
      ['https://4242424242424242.example', null],
      [`https://${'a'.repeat(260)}.example`, null],
      ['<script>', null],
    ] as const) {
      const { apiKey, key } = await makeKey(service)
      assertKeyPath(await account(key, { origin }))
      deepEqual((await raised(apiKey.id)).seen?.origin, kept, origin)
    }
  })

  test('stays for as long as the key works: rotated, to the end of its overlap', async () => {
    const { apiKey, key } = await makeKey(service, { scopes: scopesOf('developer', 'staging') })
    await account(key)
    await raised(apiKey.id)
    clock.advance(30 * DAY)
    developer = await signIn(service, { role: 'developer', isSteppedUp: true })
    equal((await alertOf(apiKey.id))?.until, null)
    const rotated = await developer.call(`POST /api_keys/${apiKey.id}/rotate`, { body: { overlap_hours: 1 } })
    equal(rotated.status, 201, JSON.stringify(rotated.body))
    ok(Math.abs(((await alertOf(apiKey.id))?.until ?? 0) - now() - 3_600) < 30)
    equal(await alertOf(rotated.body.id), undefined)
    clock.advance(3_601)
    developer = await signIn(service, { role: 'developer', isSteppedUp: true })
    equal(await alertOf(apiKey.id), undefined)
  })

  test('is written once a minute', async () => {
    const { apiKey, key } = await makeKey(service)
    await account(key)
    const first = await raised(apiKey.id)
    clock.advance(30)
    {
      await using process2 = await openService({ clock, beside: service })
      await account(key, { ...PAGE, origin: 'https://other.example' }, process2)
    }
    await account(key, { ...PAGE, origin: 'https://other.example' })
    deepEqual(await alertOf(apiKey.id), first)
    clock.advance(31)
    await account(key, { ...PAGE, origin: 'https://other.example' })
    await until(
      'the newer one is there',
      async () => (await alertOf(apiKey.id))?.seen?.origin === 'https://other.example',
    )
  })
})

describe('An access token in a page', () => {
  test('still creates a session (ACC-24), and an alert names the client', async () => {
    const token = await newAccessToken()
    const made = await createSession(token)
    equal(made.status, 200, JSON.stringify(made.body))
    const { client_id: id } = service.demo
    const alert = await raised(id)
    deepEqual([alert.kind, alert.object, alert.seen?.origin], ['token_in_page', { type: 'oauth_client', id }, ORIGIN])
    ok(alert.name?.endsWith(` …${id.slice(-4)}`), alert.name ?? '')
  })

  test('is written once a minute, by any process', async () => {
    clock.advance(MINUTE)
    const token = await newAccessToken()
    const { client_id: id } = service.demo
    const seenAt = async () => (await alertOf(id))?.seen?.at ?? 0
    const sentAt = now()
    await createSession(token)
    const first = await until('it is seen now', async () => (await seenAt()) >= sentAt && seenAt())
    clock.advance(30)
    {
      await using process2 = await openService({ clock, beside: service })
      await createSession(token, PAGE, process2)
    }
    equal(await seenAt(), first)
  })

  test('the alert ends when the tokens of the client are ended; an ended token raises none', async () => {
    const token = await newAccessToken()
    equal((await endTokens()).status, 200)
    equal(await alertOf(service.demo.client_id), undefined)
    clock.advance(MINUTE)
    {
      await using process2 = await openService({ clock, beside: service })
      equal((await createSession(token, PAGE, process2)).status, 401)
    }
    equal(await alertOf(service.demo.client_id), undefined)
  })

  test('of another business in the path, and from an address that is not allowed, it is an alert of its own', async () => {
    const token = await newAccessToken()
    const other = (await secondMerchant(service)).demo
    const refused = await send(`${service.url}/api/${other.business_id}/checkout-sessions`, {
      headers: { authorization: `Bearer ${token}`, ...PAGE, 'x-forwarded-for': '203.0.113.9' },
    })
    assertRefused(refused, 403, 'origin_not_allowed')
    await raised(service.demo.client_id)
    const owner = await signIn(service, { businessId: other.business_id })
    const { body } = await owner.call('GET /alerts', { businessId: other.business_id })
    equal(
      body.data.some(({ kind }: Alert) => kind === 'token_in_page'),
      false,
    )
  })

  test('the alert ends seven days after a page sent one last', async () => {
    clock.advance(MINUTE)
    await createSession(await newAccessToken())
    await raised(service.demo.client_id)
    const asDeveloper = async () => exposed(await signIn(service, { role: 'developer' }))
    const ofClient = async () => (await asDeveloper()).some(({ kind }) => kind === 'token_in_page')
    clock.advance(7 * DAY - 60)
    equal(await ofClient(), true)
    clock.advance(120)
    equal(await ofClient(), false)
  })
})

test('SEC-6: no credential is in the log', async () => {
  const { key, apiKey } = await makeKey(service)
  const token = await newAccessToken()
  await account(key)
  await createSession(token)
  developer = await signIn(service, { role: 'developer', isSteppedUp: true })
  await raised(apiKey.id)
  for (const secret of [key, token]) equal(service.logged().includes(secret), false)
})

test('ACC-31: what a page sends with a key or a token is among the refused requests, what it invents is not', async () => {
  const leaked = await makeKey(service)
  equal((await account(leaked.key)).status, 403)
  const token = await newAccessToken()
  const listSessions = (credential: string) =>
    send(`${service.url}/api/${service.demo.business_id}/checkout-sessions`, {
      headers: { authorization: `Bearer ${credential}`, ...PAGE },
    })
  for (const credential of [token, 'invented']) equal((await listSessions(credential)).status, 403)
  const refused = async (code: string) => {
    const { data } = (await developer.call('GET /refusals', { query: { code } })).body
    return data.map(({ path, status, credential_kind: kind }: Record<string, unknown>) => [path, status, kind])
  }
  const ofKeys = ['/api/v1/account', 403, 'api_key']
  const ofTokens = ['/api/{business_id}/checkout-sessions', 403, 'oauth_client']
  const sent = async (code: string, row: unknown[]) =>
    (await refused(code)).some((one: unknown[]) => `${one}` === `${row}`)
  await until('the call with the key is listed', () => sent('permission_denied', ofKeys))
  await until('the call with the token is listed', () => sent('origin_not_allowed', ofTokens))
  deepEqual(new Set((await refused('origin_not_allowed')).map(String)), new Set([String(ofTokens)]))
})
