import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newApiKey } from '../../server/access/keys/api-key.ts'
import { type Response, send } from '../support/merchant.ts'
import { account, assertKeyRefused, INVALID, makeKey, requestAccount } from '../support/secret-key.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// ACC-25, ACC-26, ATT-3.

const PROXIED = { rateLimits: true, config: { trustedProxies: ['127.0.0.1'] } }
const LIMITED: [string, string] = ['rate_limit_error', 'rate_limit_exceeded']

let service: TestService
let process2: TestService
before(async () => {
  service = await openService(PROXIED)
  callInProcess(service)
  process2 = await openService({ ...PROXIED, beside: service })
})
after(async () => {
  await process2.close()
  await service.close()
})

function counterOf({ headers }: Response): [limit: number, remaining: number] {
  const seconds = Number(headers.get('ratelimit-reset'))
  equal(seconds >= 1 && seconds <= 60, true, `${seconds}`)
  return [Number(headers.get('ratelimit-limit')), Number(headers.get('ratelimit-remaining'))]
}

function assertLimited(response: Response, limit: number): void {
  assertKeyRefused(response, 429, LIMITED, new RegExp(`${limit} are allowed`))
  deepEqual(counterOf(response), [limit, 0])
  match(response.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
}

test('60 a minute for each key, counted by all processes together; other keys of the business have their own', async () => {
  const { key } = await makeKey(service)
  const { key: other } = await makeKey(service)
  for (let count = 1; count <= 60; count++) {
    const response = await account(count % 2 ? service : process2, key)
    deepEqual([response.status, ...counterOf(response)], [200, 60, 60 - count])
  }
  assertLimited(await account(service, key), 60)
  assertLimited(await account(process2, key), 60)
  equal((await account(service, other)).status, 200)
})

test('calls from an address that is not allowed use up nothing of the key', async () => {
  const { key } = await makeKey(service)
  for (let count = 0; count < 3; count++) equal((await account(service, key, '192.0.2.9')).status, 403)
  deepEqual(counterOf(await account(service, key)), [60, 59])
})

test('a path or a method that does not exist counts too, and is reported first', async () => {
  const { key } = await makeKey(service)
  const ask = (path: string, method = 'GET') =>
    send(`${service.url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${key}` } })
  deepEqual(counterOf(await ask('/account')), [60, 59])
  for (const [path, method, status, left] of [
    ['/nothing', 'GET', 404, 58],
    ['/customers/none', 'GET', 404, 57],
    ['/account', 'DELETE', 405, 56],
  ] as const) {
    const response = await ask(path, method)
    deepEqual([response.status, counterOf(response)], [status, [60, left]])
  }
  for (let n = 0; n < 56; n++) await ask('/account')
  deepEqual(counterOf(await ask('/nothing')), [60, 0])
  equal((await ask('/nothing')).status, 404)
  equal((await ask('/account')).status, 429)
})

describe('ATT-3: invalid keys', () => {
  const guess = (from: string, at = service) => account(at, newApiKey('staging'), from)

  test('10 a minute for each address; the eleventh gets 429, other addresses and valid keys do not', async () => {
    const { key } = await makeKey(service, { allowedIps: ['192.0.2.1'] })
    for (let count = 1; count <= 10; count++) {
      const response = await guess('192.0.2.1', count % 2 ? service : process2)
      assertKeyRefused(response, 401, INVALID, /unknown/)
      deepEqual(counterOf(response), [10, 10 - count])
    }
    assertLimited(await guess('192.0.2.1'), 10)
    assertLimited(await guess('192.0.2.1', process2), 10)
    equal((await guess('192.0.2.2')).status, 401)
    equal((await account(service, key, '192.0.2.1')).status, 200)
  })

  test('every kind of them counts: slips, keys of the other environment, other credentials', async () => {
    const kinds = [newApiKey('production'), 'rc_sk_stg_X', service.demo.access_token, 'hello', newApiKey('staging')]
    for (const credential of [...kinds, ...kinds]) {
      equal((await account(service, credential, '192.0.2.3')).status, 401)
    }
    for (const credential of kinds) assertLimited(await account(service, credential, '192.0.2.3'), 10)
  })

  test('a request without a key is not an attempt', async () => {
    for (let count = 1; count <= 12; count++) await requestAccount(service, null, { from: '192.0.2.4' })
    deepEqual(counterOf(await guess('192.0.2.4')), [10, 9])
  })

  test('addresses of one IPv6 network count as one', async () => {
    for (let count = 1; count <= 10; count++) equal((await guess(`2001:db8::${count}`)).status, 401)
    assertLimited(await guess('2001:db8::ffff'), 10)
    equal((await guess('2001:db8:0:1::1')).status, 401)
  })
})
