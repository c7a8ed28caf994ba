import { deepEqual, equal } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DeliveryServices, deliveryTimings } from '../../server/events/delivery/delivery.ts'
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

let world: WebhookWorld
before(async () => {
  // No attempt is repeated: each worker makes those of its own case.
  world = await openWebhookWorld({ timings: { ...deliveryTimings(1), pollMs: 50, retrySeconds: [86_400] } })
})
after(() => world[Symbol.asyncDispose]())

/** Returns the outcomes of events that are recorded one after another for a URL, with a worker of their own. */
async function outcomesAt(url: string, changed: Partial<DeliveryServices>, count = 1): Promise<(number | string)[]> {
  const businessId = await world.business()
  await world.endpoint(url, { businessId })
  const worker = world.start(changed)
  const outcomes: (number | string)[] = []
  while (outcomes.length < count) {
    const [eventId] = await world.record(1, { businessId })
    const outcome = await until('the attempt is recorded', async () => {
      const [row] = await world.query('select response_status, error from webhook_attempt where event_id = $1', [
        eventId,
      ])
      return row && (row.response_status ?? row.error)
    })
    outcomes.push(outcome)
  }
  await worker.stop()
  return outcomes
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
    const outcomes = await outcomesAt('http://rebound.example:8080/', { resolveName })
    deepEqual(outcomes, ['The host has no public address'], addresses.join())
  }
})

test('of several addresses the refused ones are left out', async () => {
  await using receiver = await openReceiver()
  const { resolveName } = fakeDns(['169.254.169.254', '10.0.0.1', '127.0.0.1', 'fe80::1'])
  const url = receiver.url.replace('127.0.0.1', 'mixed.example')
  deepEqual(await outcomesAt(url, { resolveName }), [200])
  equal(receiver.received[0]?.headers.host, new URL(receiver.url).host.replace('127.0.0.1', 'mixed.example'))
})

test('a name is resolved once for each connection, so nothing can change between check and connection', async () => {
  await using receiver = await openReceiver((response) => response.writeHead(200, { connection: 'close' }).end())
  const { resolved, resolveName } = fakeDns(['127.0.0.1'], ['169.254.169.254'])
  const url = receiver.url.replace('127.0.0.1', 'rebound.example')
  deepEqual(await outcomesAt(url, { resolveName }, 2), [200, 'The host has no public address'])
  deepEqual(resolved, ['rebound.example', 'rebound.example'])
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
  ] as const)
    deepEqual(await outcomesAt(url, changed), ['The URL must have a public address'], url)
  for (const [url, error] of [
    ['http://shop.example/', 'The URL must use https'],
    ['https://shop.example:25/', 'The URL must use port 443 or 8443'],
    ['https://pay.example/', 'The URL must not be a host of this service'],
  ] as const) {
    const { resolved, resolveName } = fakeDns(['203.0.113.1'])
    deepEqual(await outcomesAt(url, { ...PRODUCTION, resolveName }), [error], url)
    deepEqual(resolved, [])
  }
})

test('in production, loopback is refused whatever the name', async () => {
  for (const host of ['shop.example', 'localhost.example']) {
    const { resolveName } = fakeDns(['127.0.0.1', '::1'])
    const outcomes = await outcomesAt(`https://${host}/`, { ...PRODUCTION, resolveName })
    deepEqual(outcomes, ['The host has no public address'], host)
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
    const url = receiver.url.replace('127.0.0.1', 'loopback.example')
    deepEqual(await outcomesAt(url, { resolveName, webhookTargets }), [outcome])
  }
  deepEqual([own.received.length, other.received.length], [0, 1])
})
