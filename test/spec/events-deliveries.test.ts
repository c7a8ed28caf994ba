import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf } from '../support/recorded.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { deliveriesOf, endDeliveries } from '../support/webhook-rows.ts'

// EVT-21, EVT-24: the deliveries of an event, and redelivery.

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

/** Creates a product. @returns its event */
async function happen(): Promise<string> {
  const { id } = await api.made('/products', { name: 'Gold' })
  return (await eventsOf(service, id))[0]?.id ?? ''
}

/** @param count number of attempts; each began at the second of 2026-11-22T12:00 that is its number */
function insertAttempts(eventId: string, endpointId: string, count: number): Promise<unknown> {
  const rows = Array.from({ length: count }, (_, index) => ({
    business_id: service.demo.business_id,
    event_id: eventId,
    endpoint_id: endpointId,
    number: index + 1,
    url: `https://shop.example/${index + 1}`,
    attempted_at: new Date(Date.UTC(2026, 10, 22, 12, 0, index + 1, 999)),
    duration_ms: 84,
    response_status: index === 0 ? null : 500,
    response_headers: index === 0 ? null : JSON.stringify({ server: 'shop', 'content-type': 'text/plain' }),
    response_body: index === 0 ? null : 'b'.repeat(16_384),
    error: index === 0 ? 'timeout' : null,
  }))
  return service.app.services.db.insertInto('webhook_attempt').values(rows).execute()
}

describe('GET /api/v1/events/{id}/deliveries', () => {
  test('is empty for an event that nobody receives', async () => {
    deepEqual((await api.get(`/events/${await happen()}/deliveries`)).body, {
      object: 'list',
      data: [],
      has_more: false,
    })
  })

  test('shows what waits, with no attempt yet', async () => {
    const id = await make()
    const event = await happen()
    const { data } = (await api.get(`/events/${event}/deliveries`)).body
    const { next_attempt_at, ...rest } = data[0]
    equal(Math.abs(next_attempt_at - Date.now() / 1000) < 60, true)
    deepEqual(
      [data.length, rest],
      [
        1,
        { object: 'webhook_delivery', event, webhook_endpoint: id, status: 'pending', attempt_count: 0, attempts: [] },
      ],
    )
  })

  test('shows each attempt with what was sent and what came back', async () => {
    const id = await make()
    const event = await happen()
    await insertAttempts(event, id, 2)
    await service.app.services.db
      .updateTable('webhook_delivery')
      .set({ attempts: 2, due_at: new Date('2026-11-22T12:05:00Z') })
      .where('event_id', '=', event)
      .execute()
    const { data } = (await api.get(`/events/${event}/deliveries`)).body
    const sent = (timestamp: string) => ({
      'content-type': 'application/json',
      'user-agent': 'Rialto-Webhooks',
      'accept-encoding': 'identity',
      'webhook-id': event,
      'webhook-timestamp': timestamp,
    })
    deepEqual([data[0].attempt_count, data[0].next_attempt_at], [2, 1_795_349_100])
    deepEqual(data[0].attempts, [
      {
        number: 2,
        attempted_at: 1_795_348_802,
        url: 'https://shop.example/2',
        request_headers: sent('1795348802'),
        response_status: 500,
        response_headers: { 'content-type': 'text/plain', server: 'shop' },
        response_body: 'b'.repeat(16_384),
        duration_ms: 84,
        error: null,
      },
      {
        number: 1,
        attempted_at: 1_795_348_801,
        url: 'https://shop.example/1',
        request_headers: sent('1795348801'),
        response_status: null,
        response_headers: null,
        response_body: null,
        duration_ms: 84,
        error: 'timeout',
      },
    ])
  })

  test('shows the newest 20 of many attempts', async () => {
    const id = await make()
    const event = await happen()
    await insertAttempts(event, id, 30)
    const { data } = (await api.get(`/events/${event}/deliveries`)).body
    deepEqual(
      data[0].attempts.map(({ number }: { number: number }) => number),
      Array.from({ length: 20 }, (_, index) => 30 - index),
    )
  })

  test('still shows what was sent to an endpoint that was deleted', async () => {
    const id = await make()
    const event = await happen()
    await api.delete(`/webhook_endpoints/${id}`)
    const { data } = (await api.get(`/events/${event}/deliveries`)).body
    deepEqual(
      [data.length, data[0].webhook_endpoint, data[0].status, data[0].next_attempt_at],
      [1, id, 'canceled', null],
    )
  })

  test('of an event that does not exist is 404', async () => {
    assertMerchantRefused(await api.get(`/events/${newId()}/deliveries`), 404, 'resource_missing', 'id')
  })
})

describe('POST /api/v1/events/{id}/redeliver', () => {
  const redeliver = (event: string, input?: object) => api.post(`/events/${event}/redeliver`, input)

  test('makes it due at every enabled endpoint that receives its type, also at a new one', async () => {
    const [receiver, disabled] = [await make(), await make()]
    await make({ enabled_events: ['payment.failed'] })
    const event = await happen()
    await endDeliveries(service, event, 'failed')
    await api.patch(`/webhook_endpoints/${disabled}`, { status: 'disabled' })
    const late = await make({ enabled_events: ['product.created'], ordered: true })
    const before = Date.now()
    const { status, body } = await redeliver(event)
    deepEqual([status, body], [200, { object: 'redelivery', deliveries: 2 }])
    const rows = new Map((await deliveriesOf(service, event)).map((row) => [row.endpoint_id, row]))
    deepEqual([...rows.keys()].sort(), [receiver, disabled, late].sort())
    for (const id of [receiver, late]) {
      const row = rows.get(id)
      deepEqual([row?.status, row?.retries, row?.finished_at, row?.ordered], ['pending', 0, null, id === late])
      equal(Number(row?.due_at) >= before - 1_000, true)
    }
    equal(rows.get(disabled)?.status, 'failed')
  })

  test('begins the schedule anew, counts on, and ends the lease of an attempt that is under way', async () => {
    await make()
    const event = await happen()
    await service.app.services.db
      .updateTable('webhook_delivery')
      .set({ attempts: 4, retries: 4, lease_epoch: 4, due_at: new Date(Date.now() + 3_600_000) })
      .where('event_id', '=', event)
      .execute()
    equal((await redeliver(event)).body.deliveries, 1)
    const [row] = await deliveriesOf(service, event)
    deepEqual([row?.attempts, row?.retries, row?.lease_epoch], [4, 0, 5])
    equal(Number(row?.due_at) <= Date.now(), true)
  })

  test('to one endpoint, whatever that receives', async () => {
    const [everything, id] = [await make(), await make({ enabled_events: ['payment.failed'] })]
    const event = await happen()
    await endDeliveries(service, event, 'succeeded')
    deepEqual((await redeliver(event, { webhook_endpoint: id })).body, { object: 'redelivery', deliveries: 1 })
    const pending = async () =>
      (await deliveriesOf(service, event))
        .filter(({ status }) => status === 'pending')
        .map(({ endpoint_id }) => endpoint_id)
    deepEqual(await pending(), [id])
    // Null means all endpoints that receive the event.
    deepEqual((await redeliver(event, { webhook_endpoint: null })).body, { object: 'redelivery', deliveries: 1 })
    deepEqual((await pending()).sort(), [everything, id].sort())
  })

  test('with nobody to receive it makes nothing due', async () => {
    deepEqual((await redeliver(await happen())).body, { object: 'redelivery', deliveries: 0 })
  })

  test('of a ping goes to its own endpoint', async () => {
    const [other, id] = [await make(), await make({ enabled_events: ['payment.failed'] })]
    const ping = (await api.post(`/webhook_endpoints/${id}/test`)).body.id
    await endDeliveries(service, ping, 'failed')
    equal((await redeliver(ping)).body.deliveries, 1)
    deepEqual(
      (await deliveriesOf(service, ping)).map(({ endpoint_id, status }) => [endpoint_id, status]),
      [[id, 'pending']],
    )
    const refused = await redeliver(ping, { webhook_endpoint: other })
    assertMerchantRefused(refused, 422, 'parameter_invalid', 'webhook_endpoint')
    await api.patch(`/webhook_endpoints/${id}`, { status: 'disabled' })
    assertMerchantRefused(await redeliver(ping), 409, 'conflict', null)
  })

  test('to a disabled endpoint is 409; to one that does not exist, was deleted or is foreign 404', async () => {
    const [disabled, deleted] = [await make(), await make()]
    const event = await happen()
    await api.patch(`/webhook_endpoints/${disabled}`, { status: 'disabled' })
    await api.delete(`/webhook_endpoints/${deleted}`)
    assertMerchantRefused(await redeliver(event, { webhook_endpoint: disabled }), 409, 'conflict', null)
    const { demo } = await secondMerchant(service, { redirectUrl: 'https://shop.example' })
    const foreign = await merchantApiOf({ ...service, demo }).made('/webhook_endpoints', {
      url: 'https://shop.example',
      enabled_events: ['*'],
    })
    for (const id of [newId(), deleted, foreign.id]) {
      const response = await redeliver(event, { webhook_endpoint: id })
      assertMerchantRefused(response, 404, 'resource_missing', 'webhook_endpoint')
    }
    assertMerchantRefused(await redeliver(newId()), 404, 'resource_missing', 'id')
    for (const webhook_endpoint of ['x', 1]) {
      const response = await redeliver(event, { webhook_endpoint })
      assertMerchantRefused(response, 422, 'parameter_invalid', 'webhook_endpoint')
    }
  })
})
