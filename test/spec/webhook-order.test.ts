import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { until } from '../support/until.ts'
import { openReceiver, type ReceivedWebhook } from '../support/webhook-receiver.ts'
import { openWebhookWorld } from '../support/webhook-world.ts'

// EVT-13.

const OBJECTS = 12
const EVENTS = 15

function sequencesOf(received: readonly ReceivedWebhook[]): Map<string, number[]> {
  const sequences = new Map<string, number[]>()
  for (const { body } of received) {
    const { sequence, data } = JSON.parse(body)
    sequences.set(data.object.id, [...(sequences.get(data.object.id) ?? []), sequence])
  }
  return sequences
}

test('an endpoint in order receives the events of each object in their sequence, from several workers at once', async () => {
  await using receiver = await openReceiver((response) => void setTimeout(() => response.end(), Math.random() * 10))
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url, { ordered: true })
  const objects = Array.from({ length: OBJECTS }, () => newId())
  // A backlog, and events that are recorded during its delivery.
  for (let count = 0; count < 5; count++) for (const objectId of objects) await world.record(1, { objectId })
  for (let workers = 0; workers < 3; workers++) world.start()
  for (let count = 5; count < EVENTS; count++)
    await Promise.all(objects.map((objectId) => world.record(1, { objectId })))
  await receiver.count(OBJECTS * EVENTS)
  const sequences = sequencesOf(receiver.received)
  for (const objectId of objects) {
    const inOrder = Array.from({ length: EVENTS }, (_, index) => index + 1)
    deepEqual(sequences.get(objectId), inOrder)
  }
})

test('what waits for a failed one is held back, other objects are not, and it goes out right after', async () => {
  const [failing, other] = [newId(), newId()]
  let fails = true
  await using receiver = await openReceiver((response, { body }) =>
    response.writeHead(fails && body.includes(failing) ? 500 : 200).end(),
  )
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url, { ordered: true })
  world.start()
  for (const objectId of [failing, failing, failing, other, other]) await world.record(1, { objectId })
  await receiver.count(3)
  await until('the other object is delivered', () => sequencesOf(receiver.received).get(other)?.length === 2)
  deepEqual(sequencesOf(receiver.received).get(failing), [1])
  fails = false
  world.clock.advance(6)
  // Deliveries that are held back are checked after an hour at the latest; the world's clock does not get that far.
  await receiver.count(6)
  deepEqual(sequencesOf(receiver.received).get(failing), [1, 1, 2, 3])
})

test('one that has used up its retries makes way', async () => {
  const objectId = newId()
  await using receiver = await openReceiver((response, { body }) =>
    response.writeHead(JSON.parse(body).sequence === 1 ? 500 : 200).end(),
  )
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url, { ordered: true })
  world.start()
  await world.record(3, { objectId })
  await receiver.count(1)
  await until('the attempt is recorded', async () => (await world.query('select from webhook_attempt')).length === 1)
  deepEqual(sequencesOf(receiver.received).get(objectId), [1])
  await world.query('update webhook_delivery set retries = 9 where attempts = 1')
  world.clock.advance(6)
  await receiver.count(4)
  deepEqual(sequencesOf(receiver.received).get(objectId), [1, 1, 2, 3])
})

test('an endpoint without order waits for nothing', async () => {
  const objectId = newId()
  await using receiver = await openReceiver((response, { body }) =>
    response.writeHead(JSON.parse(body).sequence === 1 ? 500 : 200).end(),
  )
  await using world = await openWebhookWorld()
  await world.endpoint(receiver.url)
  world.start()
  await world.record(3, { objectId })
  await receiver.count(3)
  equal(sequencesOf(receiver.received).get(objectId)?.length, 3)
})
