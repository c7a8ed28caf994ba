import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newApiKey } from '../../server/access/keys/api-key.ts'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payBody, payerOf, SESSION, send } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { account } from '../support/secret-key.ts'
import { findSecrets, type Secrets } from '../support/secret-scan.ts'
import { openService, type TestService } from '../support/service.ts'
import { savedCardBody, sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'
import { dumpRows } from '../support/whole-database.ts'

// Every credential is used in every way, correctly and incorrectly, with the limits on; then everything that is stored
// anywhere is searched for them. With only a table, a log or a queue, nobody can sign in, pay or charge a card.

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'content-type': 'application/json' }
const IDEMPOTENCY_KEY = 'order-8c51ab09-canary-key'

const folder = mkdtempSync(join(tmpdir(), 'rialto-secret-canary-'))
const ledger = join(folder, 'ledger.jsonl')
/** Secrets that must not be found; the flows add those that they receive. */
const secrets: Secrets = { 'idempotency key': IDEMPOTENCY_KEY }

let service: TestService
before(async () => {
  service = await openService({ timeScale: 0.05, rateLimits: true, simulatorLedger: ledger })
  await service.app.startWorker()
  const { client_secret, access_token, refresh_token, password, api_key } = service.demo
  Object.assign(secrets, { client_secret, access_token, refresh_token, password, api_key })
})
after(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

/** Creates a session whose token is a canary. */
async function session(name: string, input?: Record<string, unknown>): Promise<string> {
  const token = await merchantOf(service).sessionToken(input)
  secrets[`session token, ${name}`] = token
  return token
}

const post = (url: string, body: object | string, headers: Record<string, string> = JSON_BODY) =>
  send(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })

describe('Every credential is used in every way', () => {
  test('tokens are granted, refreshed, used again, guessed and revoked', async () => {
    const { client_id, client_secret, username, password, refresh_token } = service.demo
    const ask = (body: object) => post(`${service.url}/api/oauth/token`, { client_id, client_secret, ...body })
    const signedIn = await ask({ grant_type: 'password', username, password, scope: '' })
    equal(signedIn.status, 200, JSON.stringify(signedIn.body))
    const refreshed = await ask({ grant_type: 'refresh_token', refresh_token: signedIn.body.refresh_token })
    equal(refreshed.status, 200)
    equal((await ask({ grant_type: 'refresh_token', refresh_token: signedIn.body.refresh_token })).status, 401)
    equal((await ask({ grant_type: 'password', username, password: 'canary-wrong-password' })).status, 401)
    equal((await ask({ grant_type: 'refresh_token', refresh_token: 'rc_rt_canary-made-up-refresh' })).status, 401)
    const revoked = await post(`${service.url}/api/oauth/revoke`, {
      client_id,
      client_secret,
      token: refreshed.body.access_token,
    })
    equal(revoked.status, 200)
    Object.assign(secrets, {
      'access token, granted': signedIn.body.access_token,
      'refresh token, granted': signedIn.body.refresh_token,
      'access token, refreshed': refreshed.body.access_token,
      'refresh token, refreshed': refreshed.body.refresh_token,
      'wrong password': 'canary-wrong-password',
      'made-up refresh token': 'rc_rt_canary-made-up-refresh',
    })
    ok(refresh_token.length > 20)
  })

  test('a session is shown, priced, named, declined and paid', async () => {
    const token = await session('paid')
    const payer = payerOf(service)
    equal((await payer.validate(token)).status, 200)
    equal((await payer.data(token)).status, 200)
    equal((await send(`${service.formUrl}/customer/checkout/${token}`)).status, 200)
    equal((await payer.customer(token, { name: 'Bea Roy', email: 'bea@example.com' })).status, 200)
    await payer.surcharge(token, { cardNumber: '42424242' })
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    equal((await payer.pay(token)).body.ok, false)
    equal((await payer.pay(token)).body.ok, true)
    equal((await payer.pay(token)).status, 400)
    equal((await merchantOf(service).details(token)).status, 200)
  })

  test('a session gets no response of the gateway, and another is cancelled', async () => {
    const silent = await session('silent')
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'silent_recorded' }] })
    equal((await payerOf(service).pay(silent)).body.code, 'gateway_timeout')
    equal((await merchantOf(service).cancel(await session('cancelled'))).status, 200)
  })

  test('a session is paid without JavaScript', async () => {
    const fields = { cardnumber: CARDS.visa, exp: '12/31', cvc: '123', ccname: 'Ana Roy', postal: '10001' }
    const token = await session('form')
    for (const wrong of [{ exp: '13/31' }, {}]) {
      const body = new URLSearchParams({ ...fields, line1: '1 Main Street', country: 'US', ...wrong }).toString()
      equal((await post(`${service.formUrl}/customer/checkout/${token}`, body, FORM)).status, 200)
    }
  })

  test('a token goes to wrong paths, with wrong methods and bodies, in a Referer and in a report', async () => {
    const token = await session('misplaced')
    const paths = ['/nothing', `/nothing?token=${token}`, `/%zz${token}`, '%20', '/pay']
    for (const path of paths) {
      for (const base of [`${service.url}/api/checkout`, `${service.formUrl}/customer/checkout`]) {
        ok((await send(`${base}/${token}${path}`)).status >= 400, path)
        ok((await send(`${base}/${token}${path}`, { method: 'DELETE' })).status >= 400, path)
      }
    }
    await post(`${service.url}/api/checkout/${token}/pay`, '{"broken')
    await post(`${service.url}/api/checkout/${token}/pay`, 'x'.repeat(70_000))
    await post(`${service.url}/api/checkout/${token}/pay`, payBody(), { 'content-type': `text/${token}` })
    const page = `${service.formUrl}/customer/checkout/${token}`
    for (const path of ['/healthz', '/nothing', `/api/checkout/${token}`]) {
      await send(service.url + path, { headers: { referer: page, 'user-agent': page, origin: service.formUrl } })
    }
    const report = {
      'document-uri': page,
      'blocked-uri': `${page}/x`,
      'violated-directive': 'script-src',
      referrer: page,
    }
    await post(`${service.url}/csp-report`, { 'csp-report': report }, { 'content-type': 'application/csp-report' })
    await send(`${service.url}/api/v1/${token}`)
  })

  test('made-up and malformed tokens are tried', async () => {
    const madeUp = 'c0ffeed0'.repeat(8)
    Object.assign(secrets, { 'made-up session token': madeUp, 'malformed session token': 'canary-malformed-token' })
    for (const token of [madeUp, 'canary-malformed-token']) {
      for (const response of [
        await payerOf(service).validate(token),
        await payerOf(service).data(token),
        await payerOf(service).pay(token),
        await send(`${service.formUrl}/customer/checkout/${token}`),
      ]) {
        equal(response.status, 404)
      }
    }
  })

  test('a browser token makes a session, and is refused', async () => {
    const { body } = await merchantOf(service).post('/browser-tokens', { origin: 'https://shop.example' })
    const { browser_token } = body
    secrets['browser token'] = browser_token
    const create = (input: object, origin = 'https://shop.example') =>
      post(`${service.url}/api/${service.demo.business_id}/checkout/create`, input, {
        ...JSON_BODY,
        origin,
        authorization: `Bearer ${browser_token}`,
      })
    equal((await create({ ...SESSION, amount_total: -1 })).status, 422)
    equal((await create(SESSION, 'https://evil.example')).status, 422)
    const made = await create(SESSION)
    equal(made.status, 200, JSON.stringify(made.body))
    secrets['session token, by a browser token'] = made.body.checkout_session.token
    equal((await create(SESSION)).status, 401)
  })

  test('a stored card is charged by session and by key', async () => {
    const stored = await storeCard(service, 'bound@example.com')
    equal((await sellTo(service, stored, {}, IDEMPOTENCY_KEY)).body.ok, true)
    equal((await sellTo(service, stored, {}, IDEMPOTENCY_KEY)).body.ok, true)
    const token = await session('saved card', { customer_id: stored.customerId })
    equal((await payerOf(service).pay(token, savedCardBody(stored.cardId))).body.ok, true)
  })

  test('secret keys are used and guessed', async () => {
    secrets['made-up secret key'] = newApiKey('staging')
    equal((await account(service, service.demo.api_key)).status, 200)
    equal((await account(service, secrets['made-up secret key'])).status, 401)
    equal((await account(service, service.demo.access_token)).status, 401)
  })

  test('the secrets of a webhook endpoint are made, rotated and used to sign (DEF-10)', async () => {
    const api = merchantApiOf(service)
    const url = `${service.simulatorUrl}/webhooks`
    const endpoint = await api.made('/webhook_endpoints', { url, enabled_events: ['*'] })
    const bytesOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex')
    Object.assign(secrets, { 'webhook secret': endpoint.secret, 'its bytes': bytesOf(endpoint.secret) })
    await api.post(`/webhook_endpoints/${endpoint.id}/test`)
    const rotated = await api.post(`/webhook_endpoints/${endpoint.id}/rotate_secret`)
    const { secret } = rotated.body
    Object.assign(secrets, { 'webhook secret, rotated': secret, 'the bytes of that': bytesOf(secret) })
    const event = (await api.post(`/webhook_endpoints/${endpoint.id}/test`)).body.id
    const deliveries = async () => (await api.get(`/events/${event}/deliveries`)).body
    await until('both have signed', async () => (await deliveries()).data[0].attempt_count > 0)
    const shown = [
      (await api.get(`/webhook_endpoints/${endpoint.id}`)).body,
      (await api.get('/webhook_endpoints')).body,
      (await api.patch(`/webhook_endpoints/${endpoint.id}`, { description: 'Orders' })).body,
      (await api.get('/events?limit=100')).body,
      await deliveries(),
      (await api.post('/webhook_endpoints', { url, enabled_events: [secret] })).body,
    ]
    deepEqual(findSecrets(shown.map((one) => JSON.stringify(one)).join('\n'), secrets), [])
  })

  test('until the limits refuse', async () => {
    const token = await session('limited')
    for (let n = 0; n < 62; n++) await payerOf(service).data(token)
    equal((await payerOf(service).data(token)).status, 429)
  })
})

describe('Afterwards none of them is', () => {
  test('in the database, in any table of any schema, in any encoding', async () => {
    const rows = await dumpRows(service.databaseUrl)
    for (const table of ['rate_limit', 'browser_token', 'sale_request', 'event', 'access_token']) {
      ok(rows.includes(`public.${table} `), table)
    }
    ok(rows.includes('pgboss.'))
    ok(Object.keys(secrets).length > 20)
    deepEqual(findSecrets(rows, secrets), [])
  })

  test('in the log', () => {
    ok(service.logged().includes('"path":"/api/checkout/{token}/pay"'))
    deepEqual(findSecrets(service.logged(), secrets), [])
  })

  test('in the metrics', async () => {
    const { body } = await send(`${service.operationsUrl}/metrics`)
    ok(body.includes('/api/checkout/{token}/pay'))
    deepEqual(findSecrets(body, secrets), [])
  })

  test('at the gateway', () => {
    deepEqual(findSecrets(readFileSync(ledger, 'utf8'), secrets), [])
  })

  test('and no limit reveals whom it counts: neither address nor e-mail', async () => {
    const rows = await dumpRows(service.databaseUrl)
    const limits = rows.split('\n').filter((line) => line.startsWith('public.rate_limit '))
    ok(limits.length > 5)
    for (const line of limits) ok(!line.includes('127.0.0.1') && !line.includes('@'), line)
  })
})

describe('The scanner finds what it is for', () => {
  const secret = 'ab12cd34'.repeat(8)
  const leaks: Record<string, string> = {
    plain: `form:${secret} 127.0.0.1`,
    'in a URL': `https://pay.example/customer/checkout/${secret}?locale=fr`,
    base64: Buffer.from(`{"token":"${secret}"}`).toString('base64'),
    'its bytes in base64': Buffer.from(secret, 'hex').toString('base64'),
    hex: Buffer.from(`x${secret}`).toString('hex'),
  }
  for (const [name, line] of Object.entries(leaks)) {
    test(name, () => ok(findSecrets(`good line\n${line}`, { token: secret }).length > 0))
  }

  test('and repeats none of it', () => {
    ok(!findSecrets(Object.values(leaks).join('\n'), { token: secret }).join('\n').includes(secret))
  })
})
