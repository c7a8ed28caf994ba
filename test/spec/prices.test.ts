import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf } from '../support/recorded.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CAT-3 to CAT-7: the prices.

let service: TestService
let api: MerchantApiClient
let product: string
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
  product = (await api.made('/products', { name: 'Gold' })).id
})
after(() => service.close())

const UNKNOWN = '0199a3f2-7c58-7c32-8d07-000000000000'
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)

describe('POST /api/v1/prices', () => {
  test('makes a price that is paid once: 201, recurring null, in the currency of the business', async () => {
    const response = await api.post('/prices', { product, unit_amount: 1 })
    equal(response.status, 201)
    assertMerchantHeaders(response)
    const { id, created, ...rest } = response.body
    match(id, /^[0-9a-f-]{36}$/)
    equal(Number.isInteger(created), true)
    const defaults = { recurring: null, nickname: null, active: true, metadata: {} }
    deepEqual(rest, { object: 'price', product, unit_amount: 1, currency: 'usd', ...defaults })
    deepEqual((await api.get(`/prices/${id}`)).body, response.body)
    const [event] = await eventsOf(service, id)
    deepEqual([event?.type, event?.data], ['price.created', { object: response.body }])
  })

  test('is in Canadian dollars for a business that charges them', async () => {
    const other = merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
    const { id } = await other.made('/products', { name: 'Or' })
    equal((await other.made('/prices', { product: id, unit_amount: 100 })).currency, 'cad')
  })

  for (const [interval, counts] of Object.entries({ day: [1], week: [1, 2], month: [1, 3, 6], year: [1] })) {
    for (const interval_count of counts) {
      test(`takes ${interval} ${interval_count}`, async () => {
        const recurring = { interval, interval_count }
        deepEqual((await api.made('/prices', { product, unit_amount: 100, recurring })).recurring, recurring)
      })
    }
  }

  test('counts one interval by default', async () => {
    const { recurring } = await api.made('/prices', { product, unit_amount: 100, recurring: { interval: 'month' } })
    deepEqual(recurring, { interval: 'month', interval_count: 1 })
  })

  test('keeps all that it is given', async () => {
    const input = { product, unit_amount: 99_999_999, nickname: 'n'.repeat(255), active: false, metadata: { a: 1 } }
    const { unit_amount, nickname, active, metadata } = await api.made('/prices', input)
    deepEqual({ product, unit_amount, nickname, active, metadata }, input)
  })

  const refused: [what: string, change: object, param: string][] = [
    ['no product', { product: undefined }, 'product'],
    ['a product that is not an id', { product: 'gold' }, 'product'],
    ['no unit_amount', { unit_amount: undefined }, 'unit_amount'],
    ['nothing', { unit_amount: 0 }, 'unit_amount'],
    ['less than nothing', { unit_amount: -100 }, 'unit_amount'],
    ['half a cent', { unit_amount: 10.5 }, 'unit_amount'],
    ['an amount that is a text', { unit_amount: '100' }, 'unit_amount'],
    ['more than a session may ask for', { unit_amount: 100_000_000 }, 'unit_amount'],
    ['recurring without an interval', { recurring: {} }, 'recurring.interval'],
    ['an unknown interval', { recurring: { interval: 'fortnight' } }, 'recurring.interval'],
    ['a count without an interval', { recurring: { interval_count: 1 } }, 'recurring.interval'],
    ['a count that is a text', { recurring: { interval: 'month', interval_count: '1' } }, 'recurring.interval_count'],
    ['half an interval', { recurring: { interval: 'month', interval_count: 0.5 } }, 'recurring.interval_count'],
    ['no interval at all', { recurring: { interval: 'month', interval_count: 0 } }, 'recurring.interval_count'],
    ['every other day', { recurring: { interval: 'day', interval_count: 2 } }, 'recurring.interval_count'],
    ['every third week', { recurring: { interval: 'week', interval_count: 3 } }, 'recurring.interval_count'],
    ['every other month', { recurring: { interval: 'month', interval_count: 2 } }, 'recurring.interval_count'],
    ['twelve months', { recurring: { interval: 'month', interval_count: 12 } }, 'recurring.interval_count'],
    ['every other year', { recurring: { interval: 'year', interval_count: 2 } }, 'recurring.interval_count'],
    ['recurring that is a text', { recurring: 'month' }, 'recurring'],
    ['a nickname of 256 characters', { nickname: 'n'.repeat(256) }, 'nickname'],
    ['active as a text', { active: 'false' }, 'active'],
    ['metadata that is a list', { metadata: ['a'] }, 'metadata'],
    ['a currency', { currency: 'cad' }, 'currency'],
  ]
  for (const [what, change, param] of refused) {
    test(`refuses ${what}: 422 on ${param}`, async () => {
      const body = { product, unit_amount: 100, ...change }
      assertMerchantRefused(await api.post('/prices', body), 422, 'parameter_invalid', param)
    })
  }

  test("a product that the business does not have is 404, and so is another business's", async () => {
    const other = merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
    const foreign = await other.made('/products', { name: 'Foreign' })
    for (const id of [UNKNOWN, foreign.id]) {
      assertMerchantRefused(
        await api.post('/prices', { product: id, unit_amount: 100 }),
        404,
        'resource_missing',
        'product',
      )
    }
  })
})

describe('GET /api/v1/prices', () => {
  test('lists by product and by active', async () => {
    const { id } = await api.made('/products', { name: 'Listed' })
    const on = await api.made('/prices', { product: id, unit_amount: 100 })
    const off = await api.made('/prices', { product: id, unit_amount: 200, active: false })
    const listed = async (query: string) => idsOf((await api.get(`/prices?${query}`)).body)
    deepEqual(await listed(`product=${id}`), [off.id, on.id])
    deepEqual(await listed(`product=${id}&active=true`), [on.id])
    deepEqual(await listed(`product=${id}&active=false`), [off.id])
    equal((await listed('limit=2')).length, 2)
    deepEqual(await listed(`product=${UNKNOWN}`), [])
    assertMerchantRefused(await api.get('/prices?product=gold'), 422, 'parameter_invalid', 'product')
    assertMerchantRefused(await api.get('/prices?active=1'), 422, 'parameter_invalid', 'active')
  })
})

describe('GET /api/v1/prices/{id}', () => {
  test('an unknown one is 404', async () => {
    assertMerchantRefused(await api.get(`/prices/${UNKNOWN}`), 404, 'resource_missing', 'id')
  })
})

describe('PATCH /api/v1/prices/{id}', () => {
  test('changes nickname, active and metadata; null clears', async () => {
    const made = await api.made('/prices', { product, unit_amount: 100, nickname: 'Old', metadata: { a: 1 } })
    const response = await api.patch(`/prices/${made.id}`, { nickname: 'New', active: false, metadata: { b: 2 } })
    const expected = { ...made, nickname: 'New', active: false, metadata: { b: 2 } }
    deepEqual([response.status, response.body], [200, expected])
    const [, event] = await eventsOf(service, made.id)
    const previous_attributes = { nickname: 'Old', active: true, metadata: { a: 1 } }
    deepEqual([event?.type, event?.data], ['price.updated', { object: expected, previous_attributes }])
    const { body } = await api.patch(`/prices/${made.id}`, { nickname: null, metadata: null })
    deepEqual([body.nickname, body.metadata], [null, {}])
    deepEqual((await api.get(`/prices/${made.id}`)).body, body)
  })

  for (const field of ['product', 'unit_amount', 'currency', 'recurring']) {
    test(`${field} cannot change: 422, and nothing does`, async () => {
      const made = await api.made('/prices', { product, unit_amount: 100, recurring: { interval: 'month' } })
      const change = { nickname: 'Changed', [field]: made[field] }
      assertMerchantRefused(await api.patch(`/prices/${made.id}`, change), 422, 'parameter_invalid', field)
      deepEqual((await api.get(`/prices/${made.id}`)).body, made)
    })
  }

  test('the bounds of create hold, and an unknown one is 404', async () => {
    const { id } = await api.made('/prices', { product, unit_amount: 100 })
    for (const [body, param] of [
      [{ nickname: 'n'.repeat(256) }, 'nickname'],
      [{ nickname: 5 }, 'nickname'],
      [{ active: null }, 'active'],
      [{ metadata: { a: null } }, 'metadata.a'],
    ] as const) {
      assertMerchantRefused(await api.patch(`/prices/${id}`, body), 422, 'parameter_invalid', param)
    }
    assertMerchantRefused(await api.patch(`/prices/${UNKNOWN}`, {}), 404, 'resource_missing', 'id')
  })
})
