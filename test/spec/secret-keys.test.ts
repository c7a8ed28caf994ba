import { deepEqual, equal, match, notEqual, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newApiKey } from '../../server/access/keys/api-key.ts'
import { revokeApiKey } from '../../server/access/keys/revoke-api-key.ts'
import { type Rotation, rotateApiKey } from '../../server/access/keys/rotate-api-key.ts'
import { transaction } from '../../server/db/transaction.ts'
import { openDatabaseProxy } from '../support/fault-proxy.ts'
import { send } from '../support/merchant.ts'
import { movableClock } from '../support/movable-clock.ts'
import { exchange } from '../support/raw-http.ts'
import { account, assertKeyRefused, INVALID, keyContext, makeKey, requestAccount } from '../support/secret-key.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { dumpRows } from '../support/whole-database.ts'

// ACC-13 to ACC-17, API-13; ATT-1, ATT-2, ATT-4 to ATT-6, ATT-17, ATT-18.

const clock = movableClock()
let service: TestService
before(async () => {
  service = await openService({ clock, config: { trustedProxies: ['127.0.0.1'] } })
  callInProcess(service)
})
after(() => service.close())

const rotate = (rotation: Rotation) => {
  const context = keyContext(service)
  return transaction(context.db, (tx) => rotateApiKey({ ...context, db: tx }, rotation))
}

/** Advances the clock beyond the second for which a process caches a key. */
const forget = () => clock.advance(1.1)

describe('GET /api/v1/account', () => {
  test('returns whose key it is', async () => {
    const { status, headers, body } = await account(service, service.demo.api_key)
    const { created, api_key_id, ...data } = body.data
    equal(status, 200)
    deepEqual(data, {
      object: 'account',
      business_id: service.demo.business_id,
      business_name: 'Demo Shop',
      api_key_name: 'Demo key',
      api_key_last_four: service.demo.api_key.slice(-4),
    })
    match(api_key_id, /^[0-9a-f-]{36}$/)
    equal(Number.isInteger(created) && Math.abs(created - Date.now() / 1000) < 300, true, `${created}`)
    match(headers.get('ratelimit-limit') ?? '', /^60$/)
  })

  test('the scheme may be written in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      equal((await requestAccount(service, `${scheme} ${service.demo.api_key}`)).status, 200, scheme)
    }
  })
})

describe('ATT-1: a request without a key of ours', () => {
  test('says how to send a key when there is none, and when it is in another place', async () => {
    const { api_key: key } = service.demo
    const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
    for (const [authorization, query] of [
      [null, ''],
      [null, `?api_key=${key}`],
      [basic, ''],
      [key, ''],
      ['Bearer', ''],
      [`Bearer ${key} ${key}`, ''],
    ] as const) {
      const response = await requestAccount(service, authorization, { query })
      assertKeyRefused(response, 401, INVALID, /missing.*Authorization: Bearer rc_sk_…/)
      equal(response.headers.get('www-authenticate'), 'Bearer')
      equal(response.headers.get('ratelimit-limit'), '10')
    }
  })

  const others: [what: string, credential: () => string, says: RegExp][] = [
    ['an access token', () => service.demo.access_token, /not for the paths under/],
    ['a client secret', () => service.demo.client_secret, /not for the paths under/],
    ['any text', () => 'hello', /not an API key/],
    ['a key cut off', () => service.demo.api_key.slice(0, -1), /malformed/],
    ['a key in lower case', () => service.demo.api_key.toLowerCase(), /malformed/],
    ['a key with another end', () => `${service.demo.api_key.slice(0, -1)}U`, /malformed/],
    ['a guessed key', () => newApiKey('staging'), /unknown, revoked or expired/],
    ['ATT-6: a key of production', () => newApiKey('production'), /production key, but this is staging/],
  ]
  for (const [what, credential, says] of others) {
    test(`${what} is refused with a reason`, async () => {
      const response = await account(service, credential())
      assertKeyRefused(response, 401, INVALID, says)
      equal(response.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
    })
  }

  test('two headers are refused', async () => {
    const line = `Authorization: Bearer ${service.demo.api_key}\r\n`
    const { status } = await exchange(service.url, `GET /api/v1/account HTTP/1.1\r\nHost: x\r\n${line}${line}\r\n`)
    equal(status, 400)
  })

  test('a key on a path of the OAuth family gets a message that says where it belongs', async () => {
    const { url, demo } = service
    const headers = { authorization: `Bearer ${demo.api_key}` }
    const { status, body } = await send(`${url}/api/${demo.business_id}/checkout-sessions`, { headers })
    deepEqual([status, body.code], [401, 'unauthenticated'])
    match(body.message, /secret key.*\/api\/v1/)
  })
})

test('ATT-2: a wrong checksum is answered without a query: also while the database is away', async () => {
  await using proxy = await openDatabaseProxy()
  await using away = await openService({ databaseRoute: proxy.route })
  const key = newApiKey('staging')
  const slip = key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  proxy.restart(60_000)
  equal((await account(away, key)).status, 503)
  equal((await account(away, slip)).status, 401)
  equal((await account(away, newApiKey('production'))).status, 401)
})

test('ATT-6: a staging key does not work in production, and says why', async () => {
  await using production = await openService({ config: { environment: 'production' } })
  const response = await account(production, production.demo.api_key)
  assertKeyRefused(response, 401, INVALID, /staging key, but this is production/)
})

test('ATT-4, ATT-17: a key is shown once: neither the database nor the log has it, nor what opens it', async () => {
  const { apiKey, key } = await makeKey(service, { name: 'Seen once' })
  equal((await account(service, key)).status, 200)
  await requestAccount(service, null, { query: `?key=${key}` })
  await account(service, `${key}0`)
  const rows = await dumpRows(service.databaseUrl)
  equal(rows.includes(apiKey.id) && rows.includes(apiKey.lastFour), true)
  equal(rows.includes('rc_sk_'), false)
  for (const text of [rows, service.logged()]) equal(text.includes(key.slice('rc_sk_stg_'.length, -7)), false)
})

describe('The addresses of a key', () => {
  test('are the only ones that it works from, in any spelling', async () => {
    const { key } = await makeKey(service, { allowedIps: ['::ffff:203.0.113.7', '2001:DB8:0:0::7'] })
    for (const from of ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::7', '2001:0DB8::0:7']) {
      equal((await account(service, key, from)).status, 200, from)
    }
    for (const from of ['203.0.113.8', '2001:db8::8', '127.0.0.1']) {
      const response = await account(service, key, from)
      assertKeyRefused(response, 403, ['permission_error', 'permission_denied'], new RegExp(`from ${from} are not`))
    }
  })

  const wrong: [what: string, allowedIps: string[], says: RegExp][] = [
    ['none', [], /1 to 2 addresses.*; 0 given/],
    ['three', ['192.0.2.1', '192.0.2.2', '192.0.2.3'], /1 to 2 addresses.*; 3 given/],
    ['a range', ['192.0.2.0/24'], /a single address/],
    ['a host name', ['shop.example'], /IPv4 or IPv6/],
    ['an empty text', [''], /IPv4 or IPv6/],
    ['one good and one bad', ['192.0.2.1', '*'], /IPv4 or IPv6/],
  ]
  for (const [what, allowedIps, says] of wrong) {
    test(`ATT-18: ${what} is refused, and no key is made`, async () => {
      const refused = { code: 'validation_failed', status: 422, message: says }
      await rejects(makeKey(service, { name: `With ${what}`, allowedIps }), refused)
      equal((await dumpRows(service.databaseUrl)).includes(`With ${what}`), false)
    })
  }

  test('ATT-18: the same one twice counts once', async () => {
    const { apiKey } = await makeKey(service, { allowedIps: ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'] })
    deepEqual(apiKey.allowedIps, ['192.0.2.1'])
  })
})

describe('Rotation', () => {
  test('ATT-6: the old key works until the overlap ends, and the new one from now on', async () => {
    const { apiKey, key } = await makeKey(service)
    equal((await account(service, key)).status, 200)
    const rotated = await rotate({ keyId: apiKey.id, overlapHours: 2 })
    forget()
    const { body } = await account(service, rotated.key)
    notEqual(body.data.api_key_id, apiKey.id)
    equal(body.data.api_key_name, apiKey.name)

    clock.advance(2 * 3_600 - 60)
    equal((await account(service, key)).status, 200)
    clock.advance(60)
    assertKeyRefused(await account(service, key), 401, INVALID, /expired/)
    equal((await account(service, rotated.key)).status, 200)
  })

  test('without an overlap ends the old key at once', async () => {
    const { apiKey, key } = await makeKey(service)
    const rotated = await rotate({ keyId: apiKey.id, overlapHours: 0 })
    equal((await account(service, key)).status, 401)
    equal((await account(service, rotated.key)).status, 200)
  })

  test('may name other addresses; the old key keeps its own', async () => {
    const { apiKey, key } = await makeKey(service)
    const rotated = await rotate({ keyId: apiKey.id, allowedIps: ['192.0.2.1'], overlapHours: 1 })
    equal((await account(service, rotated.key)).status, 403)
    equal((await account(service, rotated.key, '192.0.2.1')).status, 200)
    equal((await account(service, key)).status, 200)
  })

  test('twice at the same time makes one new key; a refused one changes nothing', async () => {
    const { apiKey, key } = await makeKey(service)
    await rejects(rotate({ keyId: apiKey.id, allowedIps: ['no'], overlapHours: 0 }), /IPv4 or IPv6/)
    equal((await account(service, key)).status, 200)
    const twice = [1, 2].map(() => rotate({ keyId: apiKey.id, overlapHours: 1 }))
    const outcomes = (await Promise.allSettled(twice)).map(({ status }) => status)
    deepEqual(outcomes.sort(), ['fulfilled', 'rejected'])
  })
})

test('ATT-6: a revoked key is refused, and its successor is not', async () => {
  const { apiKey, key } = await makeKey(service)
  const rotated = await rotate({ keyId: apiKey.id, overlapHours: 24 })
  equal((await account(service, key)).status, 200)
  await revokeApiKey(keyContext(service), apiKey.id)
  forget()
  assertKeyRefused(await account(service, key), 401, INVALID, /revoked/)
  equal((await account(service, rotated.key)).status, 200)
})
