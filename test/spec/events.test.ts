import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf, setBusiness } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { oldEvent } from '../support/webhook-rows.ts'

// EVT-2, EVT-22, EVT-24: the events of a business.

let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
})
after(() => service.close())

const list = async (query = '') => (await api.get(`/events${query}`)).body
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)

describe('GET /api/v1/events/{id}', () => {
  test('returns the envelope of an event', async () => {
    const { prices: _prices, prices_has_more: _more, ...product } = await api.made('/products', { name: 'Gold' })
    await api.patch(`/products/${product.id}`, { name: 'Silver' })
    const [made, changed] = await eventsOf(service, product.id)
    const response = await api.get(`/events/${changed?.id}`)
    equal(response.status, 200)
    assertMerchantHeaders(response)
    deepEqual(response.body, {
      id: changed?.id,
      object: 'event',
      type: 'product.updated',
      api_version: 'v1.0',
      created: Math.floor((changed?.created_at.getTime() ?? 0) / 1000),
      livemode: false,
      business_id: service.demo.business_id,
      sequence: 2,
      data: { object: { ...product, name: 'Silver' }, previous_attributes: { name: 'Gold' } },
    })
    const first = (await api.get(`/events/${made?.id}`)).body
    deepEqual([first.type, first.sequence, first.data], ['product.created', 1, { object: product }])
  })

  test('that does not exist is 404', async () => {
    assertMerchantRefused(await api.get(`/events/${newId()}`), 404, 'resource_missing', 'id')
  })

  test('is 404 once it is older than events are kept, whether it was deleted yet or not', async () => {
    const [old, kept] = [await oldEvent(service, { days: 30.1 }), await oldEvent(service, { days: 29.9 })]
    for (const below of ['', '/deliveries']) {
      assertMerchantRefused(await api.get(`/events/${old}${below}`), 404, 'resource_missing', 'id')
      equal((await api.get(`/events/${kept}${below}`)).status, 200)
    }
    assertMerchantRefused(await api.post(`/events/${old}/redeliver`), 404, 'resource_missing', 'id')
    const shown = idsOf(await list('?limit=100'))
    deepEqual([shown.includes(old), shown.includes(kept)], [false, true])
  })
})

describe('GET /api/v1/events', () => {
  test('lists newest first, page by page in both directions', async () => {
    const { id: object } = await api.made('/products', { name: '1' })
    for (const name of ['2', '3', '4', '5']) await api.patch(`/products/${object}`, { name })
    const expected = (await eventsOf(service, object)).map(({ id }) => id).reverse()
    const first = await list(`?object=${object}&limit=2`)
    const second = await list(`?object=${object}&limit=2&starting_after=${expected[1]}`)
    const third = await list(`?object=${object}&limit=2&starting_after=${expected[3]}`)
    deepEqual([...idsOf(first), ...idsOf(second), ...idsOf(third)], expected)
    deepEqual([first.object, first.has_more, second.has_more, third.has_more], ['list', true, true, false])
    const newer = await list(`?object=${object}&limit=2&ending_before=${expected[3]}`)
    deepEqual([idsOf(newer), newer.has_more], [expected.slice(1, 3), true])
    deepEqual(idsOf(await list('?limit=5')), expected)
    deepEqual(first.data[0], (await api.get(`/events/${expected[0]}`)).body)
  })

  test('lists in the order of recording, also while the test clock is ahead', async () => {
    const objects: string[] = []
    for (const offset of [0, 5 * 86_400, 0]) {
      await setBusiness(service, { clock_offset_seconds: offset })
      await new Promise((resolve) => setTimeout(resolve, 2))
      objects.unshift((await api.made('/products', { name: 'Gold' })).id)
    }
    const { data } = await list('?limit=3')
    deepEqual(
      data.map((event: { data: { object: { id: string } } }) => event.data.object.id),
      objects,
    )
  })

  test('by type, and by type and object', async () => {
    const { id } = await api.made('/products', { name: 'Typed' })
    await api.patch(`/products/${id}`, { name: 'Changed' })
    const updated = await list('?type=product.updated&limit=100')
    ok(updated.data.length > 0)
    ok(updated.data.every(({ type }: { type: string }) => type === 'product.updated'))
    deepEqual((await list(`?type=product.updated&object=${id}`)).data, [updated.data[0]])
    deepEqual(idsOf(await list('?type=payment.retries_exhausted')), [])
    deepEqual(idsOf(await list(`?object=${newId()}`)), [])
  })

  const refused: [what: string, query: string, param: string][] = [
    ['an unknown type', 'type=product.lost', 'type'],
    ['all types by a star', 'type=*', 'type'],
    ['an object that is not an id', 'object=x', 'object'],
    ['a limit of 101', 'limit=101', 'limit'],
    ['a limit of 0', 'limit=0', 'limit'],
    ['an unknown position', `starting_after=${newId()}`, 'starting_after'],
    ['a position that is not an id', 'ending_before=x', 'ending_before'],
    ['two positions', `starting_after=${newId()}&ending_before=${newId()}`, 'ending_before'],
  ]
  for (const [what, query, param] of refused) {
    test(`refuses ${what}: 422 on ${param}`, async () => {
      assertMerchantRefused(await api.get(`/events?${query}`), 422, 'parameter_invalid', param)
    })
  }
})

test('livemode is true in production', async () => {
  const { eventObject } = await import('../../server/events/event-object.ts')
  const event = { businessId: newId(), id: newId(), type: 'ping' as const, objectId: newId(), sequence: 1 }
  const envelope = eventObject(
    { ...event, data: { object: {} }, createdAt: new Date(1_999) },
    {
      environment: 'production',
      subscriptionLink: null,
    },
  )
  deepEqual([envelope.livemode, envelope.created], [true, 1])
})
