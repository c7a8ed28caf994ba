import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryTimings } from '../../server/events/delivery/delivery.ts'
import { openReceiver } from '../support/webhook-receiver.ts'
import { openWebhookWorld } from '../support/webhook-world.ts'

/** Polling interval so long that a delivery cannot have waited for it. */
const RARELY_MS = 600_000

test('an endpoint made within a second of an event receives the next one without waiting for a regular poll', async () => {
  await using known = await openReceiver()
  await using added = await openReceiver()
  await using world = await openWebhookWorld({ timings: { ...deliveryTimings(1), pollMs: RARELY_MS } })
  await world.endpoint(known.url)
  world.start()
  await world.record(1)
  await known.count(1)
  // The worker's cache still says that the business has one endpoint.
  await world.endpoint(added.url)
  const [eventId] = await world.record(1)
  const [webhook] = await added.count(1)
  equal(webhook?.headers['webhook-id'], eventId)
})
