import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryServices } from '../../server/events/delivery/delivery.ts'
import { until } from '../support/until.ts'
import { openReceiver } from '../support/webhook-receiver.ts'
import { openWebhookWorld, type WebhookWorld } from '../support/webhook-world.ts'

// EVT-10: addresses that are refused when an endpoint is connected, whatever its registration found.

const PRODUCTION: Partial<DeliveryServices> = {
  environment: 'production',
  webhookTargets: { environment: 'production', ownOrigins: ['https://pay.example'] },
}

/** Returns a resolver with the given results, one per lookup; the last one repeats. */
function fakeDns(...results: string[][]) {
  const resolved: string[] = []
  const resolveName = async (host: string) => {
    resolved.push(host)
    return (results.length > 1 ? results.shift() : results[0]) ?? []
  }
  return { resolved, resolveName }
}

/** @returns status and error of each first attempt, in the order of the events */
async function attempts(world: WebhookWorld, count: number) {
  await world.record(count)
  return until(`${count} attempts are recorded`, async () => {
    const rows = await world.query(
      'select response_status as status, error from webhook_attempt where number = 1 order by event_id',
    )
    return rows.length === count && rows.map(({ status, error }) => status ?? error)
  })
}

test('a name that resolves to addresses that are refused is not connected', async () => {
  for (const addresses of [
    ['169.254.169.254'],
    ['10.0.0.1', 'fd00::1'],
    ['::ffff:169.254.169.254'],
    ['64:ff9b::7f00:1'],
    [],
  ]) {
    const { resolveName } = fakeDns(addresses)
    await using world = await openWebhookWorld({ resolveName })
    await world.endpoint('http://rebound.example:8080/')
    world.start()
    deepEqual(await attempts(world, 1), ['The host has no public address'], addresses.join())
  }
})

test('of several addresses the refused ones are left out', async () => {
  await using receiver = await openReceiver()
  const { resolveName } = fakeDns(['169.254.169.254', '10.0.0.1', '127.0.0.1', 'fe80::1'])
  await using world = await openWebhookWorld({ resolveName })
  await world.endpoint(receiver.url.replace('127.0.0.1', 'mixed.example'))
  world.start()
  deepEqual(await attempts(world, 1), [200])
  equal(receiver.received[0]?.headers.host, new URL(receiver.url).host.replace('127.0.0.1', 'mixed.example'))
})

test('a name is resolved once for each connection, so nothing can change between check and connection', async () => {
  await using receiver = await openReceiver((response) => response.writeHead(200, { connection: 'close' }).end())
  const { resolved, resolveName } = fakeDns(['127.0.0.1'], ['169.254.169.254'])
  await using world = await openWebhookWorld({ resolveName })
  await world.endpoint(receiver.url.replace('127.0.0.1', 'rebound.example'))
  world.start()
  deepEqual(await attempts(world, 1), [200])
  deepEqual(resolved, ['rebound.example'])
  await world.record(1)
  await until(
    'the second is refused',
    async () =>
      (await world.query("select from webhook_attempt where error = 'The host has no public address'")).length === 1,
  )
  equal(receiver.received.length, 1)
})

test('a URL that an older version allowed is not connected', async () => {
  for (const [url, changed] of [
    ['http://169.254.169.254/latest/meta-data/', {}],
    ['http://2852039166/', {}],
    ['http://[::ffff:a9fe:a9fe]/', {}],
    ['http://10.0.0.1:8080/', {}],
    ['https://127.0.0.1/', PRODUCTION],
    ['https://[::1]:8443/', PRODUCTION],
  ] as const) {
    await using world = await openWebhookWorld(changed)
    await world.endpoint(url)
    world.start()
    deepEqual(await attempts(world, 1), ['The URL must have a public address'], url)
  }
  for (const [url, error] of [
    ['http://shop.example/', 'The URL must use https'],
    ['https://shop.example:25/', 'The URL must use port 443 or 8443'],
    ['https://pay.example/', 'The URL must not be a host of this service'],
  ] as const) {
    const { resolved, resolveName } = fakeDns(['203.0.113.1'])
    await using world = await openWebhookWorld({ ...PRODUCTION, resolveName })
    await world.endpoint(url)
    world.start()
    deepEqual(await attempts(world, 1), [error], url)
    deepEqual(resolved, [])
  }
})

test('in production, loopback is refused whatever the name', async () => {
  for (const host of ['shop.example', 'localhost.example']) {
    const { resolveName } = fakeDns(['127.0.0.1', '::1'])
    await using world = await openWebhookWorld({ ...PRODUCTION, resolveName })
    await world.endpoint(`https://${host}/`)
    world.start()
    deepEqual(await attempts(world, 1), ['The host has no public address'], host)
  }
})

test('in staging, a listener of this service is refused whatever name it has, and another program is not', async () => {
  await using own = await openReceiver()
  await using other = await openReceiver()
  const { resolveName } = fakeDns(['127.0.0.1', '::1'])
  const webhookTargets = { environment: 'staging' as const, ownOrigins: [own.url] }
  for (const [receiver, outcome] of [
    [own, 'The host has no public address'],
    [other, 200],
  ] as const) {
    await using world = await openWebhookWorld({ resolveName, webhookTargets })
    await world.endpoint(receiver.url.replace('127.0.0.1', 'loopback.example'))
    world.start()
    deepEqual(await attempts(world, 1), [outcome])
  }
  deepEqual([own.received.length, other.received.length], [0, 1])
})
