import { equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { allowIp, disallowIp } from '../../server/access/shared/allowed-ip.ts'
import { createBearerTokens } from '../../server/access/tokens/bearer-tokens.ts'
import { type AccessServer, startAccessServer } from '../support/access-server.ts'

// ACC-1, ACC-4, ACC-18 to ACC-20, API-5; ATT-12, ATT-20, ATT-91 to ATT-95.

let server: AccessServer
let behindProxies: AccessServer
before(async () => {
  server = await startAccessServer()
  behindProxies = await startAccessServer({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] })
  await allowIp(behindProxies, { businessId: behindProxies.merchant.business_id, address: '203.0.113.7' })
  await allowIp(behindProxies, { businessId: behindProxies.merchant.business_id, address: '2001:0DB8:0:0::0007' })
})
after(async () => {
  await server?.[Symbol.asyncDispose]()
  await behindProxies?.[Symbol.asyncDispose]()
})

describe('Bearer authentication', () => {
  test('a valid token opens the paths of its business', async () => {
    const { status, body } = await server.probe(server.merchant.access_token)
    equal(status, 200)
    equal(body.business, 'Demo Shop')
    equal(body.origin, 'https://shop.example')
  })

  for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
    test(`the scheme may be written "${scheme}"`, async () => {
      const headers = { authorization: `${scheme} ${server.merchant.access_token}` }
      equal((await server.probe(null, { headers })).status, 200)
    })
  }

  const bad: [name: string, authorization: (token: string) => string | null][] = [
    ['no header', () => null],
    ['no token', () => 'Bearer'],
    ['another scheme', (token) => `Basic ${token}`],
    ['no scheme', (token) => token],
    ['two tokens', (token) => `Bearer ${token} ${token}`],
    ['an unknown token', () => `Bearer rc_at_${'x'.repeat(43)}`],
    ['a token cut short', (token) => `Bearer ${token.slice(0, -1)}`],
    ['a refresh token', () => `Bearer ${server.merchant.refresh_token}`],
  ]
  for (const [name, authorization] of bad) {
    test(`${name}: 401 with a challenge`, async () => {
      const value = authorization(server.merchant.access_token)
      const response = await server.probe(null, value === null ? {} : { headers: { authorization: value } })
      equal(response.status, 401)
      equal(response.body.ok, false)
      equal(response.body.code, 'unauthenticated')
      equal(response.headers['www-authenticate'], 'Bearer error="invalid_token"')
    })
  }

  test('a token in the query is not a token', async () => {
    const businessId = `${server.merchant.business_id}/checkout-sessions?access_token=${server.merchant.access_token}&x=`
    equal((await server.probe(null, { businessId })).status, 401)
  })

  test('a business that is not the token’s: 404, also one that does not exist', async () => {
    for (const businessId of ['0197f9b0-0000-7000-8000-000000000000', behindProxies.merchant.business_id]) {
      const response = await server.probe(server.merchant.access_token, { businessId })
      equal(response.status, 404)
      equal(response.body.code, 'not_found')
    }
  })

  test('a token of staging opens nothing in production, nor does its list of addresses', async () => {
    const production = createBearerTokens({ ...server, environment: 'production' })
    equal(await production.find(server.merchant.access_token), null)
    equal((await server.bearerTokens.find(server.merchant.access_token))?.allowedIps.has('127.0.0.1'), true)
    const { business_id: businessId } = server.merchant
    await server.db.updateTable('oauth_client').set({ environment: 'production' }).execute()
    equal((await production.find(server.merchant.access_token))?.allowedIps.size, 0)
    await allowIp({ ...server, environment: 'production' }, { businessId, address: '203.0.113.1' })
    production.forgetAll()
    equal((await production.find(server.merchant.access_token))?.allowedIps.has('203.0.113.1'), true)
    await server.db.updateTable('oauth_client').set({ environment: 'staging' }).execute()
  })

  test('another process sees a revocation within a second', async () => {
    const other = createBearerTokens(server)
    const body = { ...server.credentials(), grant_type: 'password' }
    const { username, password } = server.merchant
    const { access_token } = (await server.post('/api/oauth/token', { ...body, username, password })).body
    equal((await other.find(access_token)) !== null, true)
    await server.post('/api/oauth/revoke', { ...server.credentials(), token: access_token })
    server.clock.move(1)
    equal(await other.find(access_token), null)
  })

  test('it ends after 24 hours, to the second', async () => {
    const body = { ...server.credentials(), grant_type: 'password' }
    const { username, password } = server.merchant
    const { access_token } = (await server.post('/api/oauth/token', { ...body, username, password })).body
    server.clock.move(86_390)
    equal((await server.probe(access_token)).status, 200)
    server.clock.move(10)
    equal((await server.probe(access_token)).status, 401)
  })
})

describe('Allowed addresses', () => {
  const probe = (headers: Record<string, string | string[]>) =>
    behindProxies.probe(behindProxies.merchant.access_token, { headers })

  test('an address that is not on the list: 403, and the response names it', async () => {
    const response = await probe({ 'x-forwarded-for': '198.51.100.1' })
    equal(response.status, 403)
    equal(response.body.code, 'ip_not_allowed')
    match(response.body.message, /198\.51\.100\.1/)
  })

  // Read from the right, past the trusted proxies; the first other address is the caller.
  const rows: [status: number, what: string, headers: Record<string, string | string[]>][] = [
    [200, 'the allowed address', { 'x-forwarded-for': '203.0.113.7' }],
    [200, 'behind a second trusted proxy', { 'x-forwarded-for': '203.0.113.7, 10.1.2.3' }],
    [200, 'in IPv4-mapped IPv6', { 'x-forwarded-for': '::ffff:203.0.113.7' }],
    [200, 'in another spelling of IPv6', { 'x-forwarded-for': '2001:db8::7' }],
    [200, 'a port', { 'x-forwarded-for': '203.0.113.7:443' }],
    [200, 'brackets and a port', { 'x-forwarded-for': '[2001:db8::7]:443' }],
    [403, 'a forged entry left of the caller', { 'x-forwarded-for': '203.0.113.7, 198.51.100.1' }],
    [403, 'two headers, the first forged', { 'x-forwarded-for': ['203.0.113.7', '198.51.100.1'] }],
    [403, 'Forwarded', { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=203.0.113.7' }],
    [403, 'X-Real-IP', { 'x-forwarded-for': '198.51.100.1', 'x-real-ip': '203.0.113.7' }],
    [403, 'leading zeros', { 'x-forwarded-for': '203.000.113.007' }],
    [403, 'octal', { 'x-forwarded-for': '0313.0.113.7' }],
    [403, 'a whole number', { 'x-forwarded-for': '3405803783' }],
    [403, 'a port that is none', { 'x-forwarded-for': '203.0.113.7:x' }],
    [403, 'a port after another address', { 'x-forwarded-for': '198.51.100.1:443' }],
    [403, 'a forged entry with a port left of the caller', { 'x-forwarded-for': '203.0.113.7:443, 198.51.100.1:443' }],
    [403, 'an IPv6 zone', { 'x-forwarded-for': '2001:db8::7%eth0' }],
    [403, 'garbage', { 'x-forwarded-for': 'garbage' }],
    [403, 'garbage right of the allowed one', { 'x-forwarded-for': '203.0.113.7, garbage' }],
    [403, 'a trusted proxy that says nothing of the caller', { 'x-forwarded-for': '10.1.2.3' }],
  ]
  for (const [status, what, headers] of rows) {
    test(`${what}: ${status}`, async () => equal((await probe(headers)).status, status))
  }

  test('X-Forwarded-For straight to us is ignored', async () => {
    const { business_id: businessId, access_token } = server.merchant
    await disallowIp(server, { businessId, address: '127.0.0.1' })
    await allowIp(server, { businessId, address: '203.0.113.7' })
    server.bearerTokens.forgetAll()
    const { body } = await server.post('/api/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: server.merchant.refresh_token,
      ...server.credentials(),
    })
    equal((await server.probe(body.access_token, { headers: { 'x-forwarded-for': '203.0.113.7' } })).status, 403)
    equal((await server.probe(access_token)).status, 401)
  })

  test('an empty list admits no address', async () => {
    const { business_id: businessId } = behindProxies.merchant
    for (const address of ['127.0.0.1', '::1', '203.0.113.7', '2001:db8::7']) {
      await disallowIp(behindProxies, { businessId, address })
    }
    behindProxies.bearerTokens.forgetAll()
    equal((await probe({})).status, 403)
  })
})
