import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { deleteOldEventsJob } from '../../server/events/webhooks/event-jobs.ts'
import { newId } from '../../server/lib/ids.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { eventsOf } from '../support/recorded.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { deliveriesOf, oldEvent, oldEvents } from '../support/webhook-rows.ts'

// EVT-22: how long events are kept, and what is left of them.

const OLD = { days: 31 }

let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
})
after(() => service.close())
beforeEach(() => service.app.services.db.deleteFrom('job_progress').execute())

const run = () => deleteOldEventsJob.run(service.app.services, {})

/** Returns the sequence of the remaining rows, and whether they are empty. */
async function left(objectId: string): Promise<[sequence: number, isEmpty: boolean][]> {
  return (await eventsOf(service, objectId)).map(({ sequence, data }) => [sequence, !('object' in data)])
}

function insertDelivery(eventId: string, status: 'pending' | 'succeeded', endpointId = newId()) {
  const row = {
    business_id: service.demo.business_id,
    event_id: eventId,
    endpoint_id: endpointId,
    object_id: newId(),
    sequence: 1,
    ordered: false,
    status,
    due_at: status === 'pending' ? new Date() : null,
  }
  return service.app.services.db.insertInto('webhook_delivery').values(row).execute()
}

/** Makes all events of an object as old as events can be. */
async function age(objectId: string): Promise<void> {
  const { db } = service.app.services
  for (const { id } of await eventsOf(service, objectId)) {
    const old = await oldEvent(service, OLD)
    await db.deleteFrom('event').where('id', '=', old).execute()
    await db.updateTable('event').set({ id: old }).where('id', '=', id).execute()
  }
}

describe('An event that is older than events are kept', () => {
  test('is deleted with its deliveries and their attempts; a younger one stays', async () => {
    const [object, kept] = [newId(), newId()]
    const old = await oldEvent(service, { ...OLD, type: 'checkout.session.completed', objectId: object })
    const young = await oldEvent(service, { days: 29.9, type: 'checkout.session.completed', objectId: kept })
    const { db } = service.app.services
    for (const event of [old, young]) {
      const endpoint = newId()
      await insertDelivery(event, 'succeeded', endpoint)
      const attempt = { number: 1, url: 'https://shop.example', attempted_at: new Date(), duration_ms: 1 }
      const key = { business_id: service.demo.business_id, event_id: event, endpoint_id: endpoint }
      await db
        .insertInto('webhook_attempt')
        .values({ ...key, ...attempt })
        .execute()
    }
    await run()
    deepEqual([await left(object), await left(kept)], [[], [[1, false]]])
    deepEqual([(await deliveriesOf(service, old)).length, (await deliveriesOf(service, young)).length], [0, 1])
    const attempts = await db.selectFrom('webhook_attempt').select('event_id').execute()
    deepEqual(attempts, [{ event_id: young }])
  })

  test('of every business', async () => {
    const { demo } = await secondMerchant(service, { redirectUrl: 'https://shop.example' })
    const other = { ...service, demo }
    const object = newId()
    await oldEvent(other, { ...OLD, type: 'sale.failed', objectId: object })
    await run()
    deepEqual(await eventsOf(other, object), [])
  })

  test('stays while a delivery of it is pending, and goes afterwards', async () => {
    const objects = [newId(), newId()]
    const [waiting] = [await oldEvent(service, { ...OLD, type: 'sale.failed', objectId: objects[0] ?? '' })]
    await oldEvent(service, { days: 30.5, type: 'sale.failed', objectId: objects[1] ?? '' })
    await insertDelivery(waiting, 'pending')
    await run()
    deepEqual([await left(objects[0] ?? ''), await left(objects[1] ?? '')], [[[1, false]], []])
    const ended = { status: 'failed', due_at: null } as const
    await service.app.services.db.updateTable('webhook_delivery').set(ended).where('event_id', '=', waiting).execute()
    await run()
    deepEqual([await left(objects[0] ?? ''), await deliveriesOf(service, waiting)], [[], []])
  })

  test('stays while its letters are to be written', async () => {
    const object = newId()
    const id = await oldEvent(service, { ...OLD, type: 'sale.failed', objectId: object })
    const { db } = service.app.services
    const notification = { business_id: service.demo.business_id, id, type: 'sale.failed', event_id: id }
    await db
      .insertInto('notification')
      .values({ ...notification, due_at: new Date(), created_at: new Date() })
      .execute()
    await run()
    deepEqual(await left(object), [[1, false]])
    await db.updateTable('notification').set({ due_at: null }).where('id', '=', id).execute()
    await run()
    deepEqual(await left(object), [])
  })

  test('leaves its number, so that the sequence of its object goes on', async () => {
    const { id } = await api.made('/products', { name: '1' })
    for (const name of ['2', '3']) await api.patch(`/products/${id}`, { name })
    await age(id)
    await run()
    deepEqual(await left(id), [[3, true]])
    await api.patch(`/products/${id}`, { name: '4' })
    deepEqual(await left(id), [
      [3, true],
      [4, false],
    ])
    await age(id)
    await service.app.services.db.deleteFrom('job_progress').execute()
    await run()
    deepEqual(await left(id), [[4, true]])
    await api.patch(`/products/${id}`, { name: '5' })
    deepEqual((await left(id)).at(-1), [5, false])
  })

  test('leaves no number beside a newer event, which is younger', async () => {
    const { id } = await api.made('/products', { name: '1' })
    await age(id)
    await api.patch(`/products/${id}`, { name: '2' })
    await run()
    deepEqual(await left(id), [[2, false]])
  })

  test('leaves a number that goes when a newer event is old, also when that is read later', async () => {
    const object = newId()
    await oldEvent(service, { days: 40, objectId: object, sequence: 1 })
    await run()
    deepEqual(await left(object), [[1, true]])
    await oldEvent(service, { days: 31, objectId: object, sequence: 2, type: 'product.updated' })
    await service.app.services.db
      .updateTable('job_progress')
      .set({ reached_at: new Date(Date.now() - 35 * 86_400_000) })
      .execute()
    await run()
    deepEqual(await left(object), [[2, true]])
  })

  test('is in no list and cannot be read, though its number is left', async () => {
    const id = await oldEvent(service, OLD)
    await run()
    equal((await api.get(`/events/${id}`)).status, 404)
    const { data } = (await api.get('/events?limit=100')).body
    equal(
      data.some((event: { id: string }) => event.id === id),
      false,
    )
  })
})

test('thousands of them go in one run', async () => {
  await oldEvents(service, { ...OLD, count: 1_300 })
  await run()
  const { db } = service.app.services
  const rows = await db.selectFrom('event').select('data').where('type', '=', 'product.created').execute()
  equal(rows.filter(({ data }) => JSON.stringify(data) === '{"object":{}}').length, 0)
})

test('an endpoint that was deleted before is forgotten, one that was deleted lately is not', async () => {
  const make = () => api.made('/webhook_endpoints', { url: 'https://shop.example', enabled_events: ['*'] })
  const [longAgo, lately] = [(await make()).id, (await make()).id]
  for (const id of [longAgo, lately]) await api.delete(`/webhook_endpoints/${id}`)
  const { db } = service.app.services
  const deleted_at = new Date(Date.now() - 32 * 86_400_000)
  await db.updateTable('webhook_endpoint').set({ deleted_at }).where('id', '=', longAgo).execute()
  await run()
  equal((await api.delete(`/webhook_endpoints/${longAgo}`)).status, 404)
  equal((await api.delete(`/webhook_endpoints/${lately}`)).status, 200)
})
