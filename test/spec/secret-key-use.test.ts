import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listApiKeys } from '../../server/access/keys/api-key-queries.ts'
import { openDatabaseProxy } from '../support/fault-proxy.ts'
import { holdLock, untilAtLock } from '../support/hold-lock.ts'
import { movableClock } from '../support/movable-clock.ts'
import { account, keyContext, makeKey } from '../support/secret-key.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

// The operator's data about a key: when it was last used, and from where. No request waits for it.

const PROXIED = { trustedProxies: ['127.0.0.1'] }

const clock = movableClock()
let service: TestService
before(async () => {
  service = await openService({ clock, config: PROXIED })
})
after(() => service.close())

async function useOf(id: string) {
  const keys = await listApiKeys(keyContext(service).db, { environment: 'staging', businessId: undefined })
  const { lastUsedAt = null, lastUsedFrom = null } = keys.find((key) => key.id === id) ?? {}
  return { at: lastUsedAt?.getTime() ?? null, from: lastUsedFrom }
}

const usedFrom = (id: string, address: string) =>
  until(`a use from ${address} is recorded`, async () => {
    const use = await useOf(id)
    return use.from === address && use.at !== null ? { ...use, at: use.at } : null
  })

/** Uses a key in another process, which writes everything before it ends. */
async function useInAnotherProcess(key: string, from: string, status: number): Promise<void> {
  await using process2 = await openService({ clock, beside: service, config: PROXIED })
  equal((await account(process2, key, from)).status, status)
}

describe('The last use of a key', () => {
  test('is recorded with its address, once a minute, and at once from another address', async () => {
    const { apiKey, key } = await makeKey(service, { allowedIps: ['2001:db8::7', '192.0.2.1'] })
    deepEqual(await useOf(apiKey.id), { at: null, from: null })
    equal((await account(service, key, '2001:DB8:0::7')).status, 200)
    const first = await usedFrom(apiKey.id, '2001:db8::7')
    ok(Math.abs(first.at - clock.now().getTime()) < 30_000)

    clock.advance(30)
    await account(service, key, '2001:db8::7')
    await useInAnotherProcess(key, '2001:db8::7', 200)
    deepEqual(await useOf(apiKey.id), first)
    await account(service, key, '192.0.2.1')
    const second = await usedFrom(apiKey.id, '192.0.2.1')
    ok(second.at >= first.at + 30_000)

    clock.advance(31)
    await account(service, key, '2001:db8::7')
    ok((await usedFrom(apiKey.id, '2001:db8::7')).at >= first.at + 61_000)
  })

  test('is not of a refused request', async () => {
    const { apiKey, key } = await makeKey(service, { allowedIps: ['192.0.2.1'] })
    await useInAnotherProcess(key, '192.0.2.2', 403)
    deepEqual(await useOf(apiKey.id), { at: null, from: null })
  })

  test('delays no request: responses do not wait for the write, and closing does', async () => {
    const { apiKey, key } = await makeKey(service)
    await using process2 = await openService({ clock, beside: service })
    await using held = await holdLock(service, 'select from api_key where id = $1 for update', [apiKey.id])
    equal((await account(process2, key)).status, 200)
    await untilAtLock(service)
    equal((await account(process2, key)).status, 200)
    let isClosed = false
    const closing = process2.close().then(() => {
      isClosed = true
    })
    await untilAtLock(service)
    equal(isClosed, false)
    await held.release()
    await closing
    equal((await useOf(apiKey.id)).from, '127.0.0.1')
    equal(process2.logged().includes('not recorded'), false)
  })

  test('fails no request: a failed write is a warning in the log, without the key', async () => {
    await using proxy = await openDatabaseProxy()
    await using process2 = await openService({ clock, beside: service, databaseRoute: proxy.route })
    const { apiKey, key } = await makeKey(service)
    proxy.cutAfter('update "api_key"')
    equal((await account(process2, key)).status, 200)
    await until('the failure is logged', () => process2.logged().includes('not recorded'))
    equal(proxy.cuts(), 1)
    match(process2.logged(), new RegExp(`"level":40[^\\n]*${apiKey.id}`))
    equal(process2.logged().includes(key.slice(10)), false)
    equal((await account(process2, key)).status, 200)
  })
})
