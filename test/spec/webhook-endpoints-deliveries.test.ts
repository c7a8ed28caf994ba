import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { deliveriesOf, endDeliveries, oldEvent, oldEvents } from '../support/webhook-rows.ts'

// EVT-20, EVT-21, EVT-23: deliveries to an endpoint, and what happens to them when the endpoint is disabled.

let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
})
after(() => service.close())
beforeEach(async () => {
  for (const { id } of (await api.get('/webhook_endpoints')).body.data) await api.delete(`/webhook_endpoints/${id}`)
})

const make = async (input: object = {}): Promise<string> =>
  (await api.made('/webhook_endpoints', { url: 'https://shop.example/w', enabled_events: ['*'], ...input })).id
const setStatus = (id: string, status: string) => api.patch(`/webhook_endpoints/${id}`, { status })

/** Creates a product. @returns its event */
async function happen(): Promise<string> {
  const { id } = await api.made('/products', { name: 'Gold' })
  return (await eventsOf(service, id))[0]?.id ?? ''
}

const statusesOf = async (eventId: string) => (await deliveriesOf(service, eventId)).map(({ status }) => status)
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
const redeliver = async (id: string, input: object = {}) =>
  (await api.post(`/webhook_endpoints/${id}/redeliver`, { since: secondsAgo(3_600), ...input })).body

describe('A webhook endpoint that is disabled', () => {
  test('gets nothing of what waits, also not when it is enabled again', async () => {
    const id = await make()
    const waiting = [await happen(), await happen()]
    await setStatus(id, 'disabled')
    for (const event of waiting) deepEqual(await statusesOf(event), ['canceled'])
    const missed = await happen()
    deepEqual(await statusesOf(missed), [])
    await setStatus(id, 'enabled')
    for (const event of waiting) deepEqual(await statusesOf(event), ['canceled'])
    deepEqual(await statusesOf(missed), [])
    deepEqual(await statusesOf(await happen()), ['pending'])
  })

  test('leaves the deliveries of other endpoints as they are, and its own that have ended', async () => {
    const other = await make()
    const ended = await happen()
    await endDeliveries(service, ended, 'succeeded')
    const id = await make()
    const waiting = await happen()
    await setStatus(id, 'disabled')
    deepEqual(await statusesOf(ended), ['succeeded'])
    const rows = await deliveriesOf(service, waiting)
    deepEqual(Object.fromEntries(rows.map((row) => [row.endpoint_id, row.status])), {
      [other]: 'pending',
      [id]: 'canceled',
    })
  })

  test('is not awaited by an attempt that is under way: its lease is over', async () => {
    const id = await make()
    const event = await happen()
    const [before] = await deliveriesOf(service, event)
    await setStatus(id, 'disabled')
    const [row] = await deliveriesOf(service, event)
    deepEqual([row?.due_at, row?.lease_epoch], [null, (before?.lease_epoch ?? 0) + 1])
  })

  test('cancels thousands of deliveries', async () => {
    const id = await make()
    const { db } = service.app.services
    await oldEvents(service, { days: 1, count: 2_300 })
    equal((await redeliver(id, { since: secondsAgo(90_000) })).deliveries >= 2_300, true)
    await setStatus(id, 'disabled')
    const waiting = await db.selectFrom('webhook_delivery').select('event_id').where('due_at', 'is not', null).execute()
    deepEqual(waiting, [])
  })

  test('gets nothing that was left pending when it is enabled', async () => {
    const id = await make()
    await setStatus(id, 'disabled')
    const event = await happen()
    await service.app.services.db
      .insertInto('webhook_delivery')
      .values({
        business_id: service.demo.business_id,
        event_id: event,
        endpoint_id: id,
        object_id: event,
        sequence: 1,
        ordered: false,
        status: 'pending',
        due_at: new Date(),
      })
      .execute()
    await setStatus(id, 'enabled')
    deepEqual(await statusesOf(event), ['canceled'])
  })
})

test('deleting an endpoint cancels what waits for it', async () => {
  const id = await make()
  const event = await happen()
  await api.delete(`/webhook_endpoints/${id}`)
  deepEqual(await statusesOf(event), ['canceled'])
  deepEqual(await statusesOf(await happen()), [])
})

describe('POST /api/v1/webhook_endpoints/{id}/test', () => {
  test('records a ping that is delivered to this endpoint only, whatever it receives', async () => {
    await make()
    const id = await make({ enabled_events: ['payment.failed'], ordered: true })
    const { status, body } = await api.post(`/webhook_endpoints/${id}/test`)
    equal(status, 200)
    const { body: endpoint } = await api.get(`/webhook_endpoints/${id}`)
    deepEqual([body.type, body.sequence, body.data], ['ping', 1, { object: endpoint }])
    deepEqual((await api.get(`/events/${body.id}`)).body, body)
    const [row, ...more] = await deliveriesOf(service, body.id)
    deepEqual([more, row?.endpoint_id, row?.status, row?.due_at, row?.ordered], [[], id, 'pending', -Infinity, false])
  })

  test('counts the pings of an endpoint, also at once', async () => {
    const id = await make()
    const pings = await Promise.all(Array.from({ length: 8 }, () => api.post(`/webhook_endpoints/${id}/test`)))
    deepEqual(
      pings.map(({ body }) => body.sequence).sort((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
  })

  test('of a disabled endpoint is 409, and nothing is recorded', async () => {
    const id = await make()
    await setStatus(id, 'disabled')
    assertMerchantRefused(await api.post(`/webhook_endpoints/${id}/test`), 409, 'conflict', null)
    deepEqual(await eventsOf(service, id), [])
  })
})

describe('POST /api/v1/webhook_endpoints/{id}/redeliver', () => {
  test('sends what failed, was canceled or is missing since an instant', async () => {
    const id = await make({ enabled_events: ['product.created'] })
    const ended = { failed: await happen(), canceled: await happen(), succeeded: await happen() }
    for (const [status, event] of Object.entries(ended)) {
      await endDeliveries(service, event, status as keyof typeof ended)
    }
    await setStatus(id, 'disabled')
    const missing = await happen()
    await api.made('/customers', { name: 'Of a type that it does not receive' })
    await setStatus(id, 'enabled')
    const result = await redeliver(id)
    deepEqual([result.object, result.has_more], ['redelivery', false])
    for (const event of [ended.failed, ended.canceled, missing]) {
      const [row] = await deliveriesOf(service, event)
      deepEqual([row?.endpoint_id, row?.status, row?.retries, row?.finished_at], [id, 'pending', 0, null])
    }
    deepEqual(await statusesOf(ended.succeeded), ['succeeded'])
    deepEqual((await redeliver(id)).deliveries, 0)
  })

  test('sends the statuses that are named', async () => {
    const id = await make()
    const [failed, succeeded] = [await happen(), await happen()]
    await endDeliveries(service, failed, 'failed')
    await endDeliveries(service, succeeded, 'succeeded')
    equal((await redeliver(id, { status: ['succeeded'] })).deliveries, 1)
    deepEqual([await statusesOf(failed), await statusesOf(succeeded)], [['failed'], ['pending']])
  })

  test('sends nothing that is older, or that is no longer kept', async () => {
    const id = await make()
    const [forgotten, old, recent] = [
      await oldEvent(service, { days: 31 }),
      await oldEvent(service, { days: 3 }),
      await oldEvent(service, { days: 2 }),
    ]
    await redeliver(id, { since: secondsAgo(2.5 * 86_400) })
    deepEqual([await statusesOf(old), await statusesOf(recent)], [[], ['pending']])
    await redeliver(id, { since: 0 })
    deepEqual([await statusesOf(forgotten), await statusesOf(old)], [[], ['pending']])
  })

  test('continues after an event', async () => {
    const id = await make()
    const events = [await happen(), await happen(), await happen()]
    const { deliveries, last_event } = await redeliver(id, { starting_after: events[1], status: ['missing'] })
    deepEqual([deliveries, last_event], [0, events[2]])
    for (const event of events) await endDeliveries(service, event, 'failed')
    equal((await redeliver(id, { starting_after: events[1] })).deliveries, 1)
    deepEqual(await statusesOf(events[1] ?? ''), ['failed'])
  })

  test('looks at 50,000 events in one request, and says where the next one continues', async () => {
    const id = await make()
    await oldEvents(service, { days: 19, count: 50_000 })
    const first = await redeliver(id, { since: secondsAgo(20 * 86_400), status: ['failed'] })
    deepEqual([first.deliveries, first.has_more], [0, true])
    const next = await redeliver(id, { since: secondsAgo(20 * 86_400), starting_after: first.last_event })
    equal(next.has_more, false)
    equal(next.deliveries > 0, true)
  })

  const refused: [what: string, body: object, param: string][] = [
    ['no instant', {}, 'since'],
    ['an instant as a text', { since: '2026-11-22' }, 'since'],
    ['an instant to come', { since: secondsAgo(-60) }, 'since'],
    ['an instant before 1970', { since: -1 }, 'since'],
    ['no status at all', { since: 1, status: [] }, 'status'],
    ['an unknown status', { since: 1, status: ['pending'] }, 'status.0'],
    ['a status twice', { since: 1, status: ['failed', 'failed'] }, 'status'],
    ['a position that is not an id', { since: 1, starting_after: 'x' }, 'starting_after'],
  ]
  for (const [what, body, param] of refused) {
    test(`refuses ${what}: 422 on ${param}`, async () => {
      const id = await make()
      const response = await api.post(`/webhook_endpoints/${id}/redeliver`, body)
      assertMerchantRefused(response, 422, 'parameter_invalid', param)
    })
  }

  test('of a disabled endpoint is 409', async () => {
    const id = await make()
    const event = await happen()
    await setStatus(id, 'disabled')
    const response = await api.post(`/webhook_endpoints/${id}/redeliver`, { since: secondsAgo(60) })
    assertMerchantRefused(response, 409, 'conflict', null)
    deepEqual(await statusesOf(event), ['canceled'])
  })
})
