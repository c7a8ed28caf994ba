import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CAT-1 to CAT-3, CAT-7: the products.

let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
})
after(() => service.close())

const UNKNOWN = '0199a3f2-3870-7c32-8d06-000000000000'
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)

describe('POST /api/v1/products', () => {
  test('makes a product: 201, active by default, with no prices yet', async () => {
    const response = await api.post('/products', { name: 'Gold' })
    equal(response.status, 201)
    assertMerchantHeaders(response)
    const { id, created, ...rest } = response.body
    match(id, /^[0-9a-f-]{36}$/)
    equal(Number.isInteger(created), true)
    deepEqual(rest, {
      object: 'product',
      name: 'Gold',
      description: null,
      active: true,
      prices: [],
      prices_has_more: false,
      metadata: {},
    })
    deepEqual((await api.get(`/products/${id}`)).body, response.body)
    const [event] = await eventsOf(service, id)
    const { prices: _prices, prices_has_more: _more, ...object } = response.body
    deepEqual([event?.type, event?.data], ['product.created', { object }])
  })

  test('keeps all that it is given', async () => {
    const input = {
      name: 'n'.repeat(255),
      description: `${'d'.repeat(1998)}\n.`,
      active: false,
      metadata: { a: 'b', n: 2, t: false },
    }
    const made = await api.made('/products', input)
    const { name, description, active, metadata } = made
    deepEqual({ name, description, active, metadata }, input)
  })

  const refused: [what: string, body: object, param: string][] = [
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of spaces', { name: ' \u00a0' }, 'name'],
    ['a name of 256 characters', { name: 'n'.repeat(256) }, 'name'],
    ['a name that is null', { name: null }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['a description of 2001 characters', { name: 'N', description: 'd'.repeat(2001) }, 'description'],
    ['a description that is a number', { name: 'N', description: 1 }, 'description'],
    ['active as a text', { name: 'N', active: 'true' }, 'active'],
    ['active as a number', { name: 'N', active: 1 }, 'active'],
    ['metadata that is a text', { name: 'N', metadata: 'a' }, 'metadata'],
    ['a list in metadata', { name: 'N', metadata: { a: [1] } }, 'metadata.a'],
  ]
  for (const [what, body, param] of refused) {
    test(`refuses ${what}: 422 on ${param}`, async () => {
      assertMerchantRefused(await api.post('/products', body), 422, 'parameter_invalid', param)
    })
  }
})

describe('GET /api/v1/products', () => {
  test('lists without prices, and by active', async () => {
    const on = await api.made('/products', { name: 'On' })
    const off = await api.made('/products', { name: 'Off', active: false })
    await api.made('/prices', { product: on.id, unit_amount: 100 })
    const all = (await api.get('/products')).body
    deepEqual([all.object, idsOf(all).slice(0, 2)], ['list', [off.id, on.id]])
    equal(
      all.data.some((product: object) => 'prices' in product),
      false,
    )
    const active = (await api.get('/products?active=true&limit=100')).body
    deepEqual([idsOf(active).includes(on.id), idsOf(active).includes(off.id)], [true, false])
    const inactive = (await api.get('/products?active=false&limit=100')).body
    deepEqual([idsOf(inactive).includes(on.id), idsOf(inactive).includes(off.id)], [false, true])
    assertMerchantRefused(await api.get('/products?active=maybe'), 422, 'parameter_invalid', 'active')
  })
})

describe('GET /api/v1/products/{id}', () => {
  test('shows its 100 newest prices, and says when there are more', async () => {
    const { id } = await api.made('/products', { name: 'With many prices' })
    const newestFirst: string[] = []
    const add = async () => void newestFirst.unshift((await api.made('/prices', { product: id, unit_amount: 100 })).id)
    const shown = (body: { prices: { id: string }[]; prices_has_more: boolean }) => [
      body.prices.map((price) => price.id),
      body.prices_has_more,
    ]
    for (let count = 0; count < 100; count++) await add()
    deepEqual(shown((await api.get(`/products/${id}`)).body), [newestFirst, false])
    await add()
    deepEqual(shown((await api.get(`/products/${id}`)).body), [newestFirst.slice(0, 100), true])
    deepEqual(shown((await api.patch(`/products/${id}`, { name: 'Still' })).body), [newestFirst.slice(0, 100), true])
  })

  test('has its prices, newest first, and no others', async () => {
    const { id } = await api.made('/products', { name: 'With prices' })
    const other = await api.made('/products', { name: 'Other' })
    const first = await api.made('/prices', { product: id, unit_amount: 100 })
    await api.made('/prices', { product: other.id, unit_amount: 300 })
    const second = await api.made('/prices', { product: id, unit_amount: 200, active: false })
    deepEqual((await api.get(`/products/${id}`)).body.prices, [second, first])
  })

  test('an unknown one is 404', async () => {
    assertMerchantRefused(await api.get(`/products/${UNKNOWN}`), 404, 'resource_missing', 'id')
    assertMerchantRefused(await api.get('/products/gold'), 404, 'resource_missing', null)
  })
})

describe('PATCH /api/v1/products/{id}', () => {
  test('changes what is given, replaces metadata, and responds with the prices', async () => {
    const made = await api.made('/products', { name: 'Old', description: 'Some.', metadata: { a: 1, b: 2 } })
    const price = await api.made('/prices', { product: made.id, unit_amount: 100 })
    const response = await api.patch(`/products/${made.id}`, { name: 'New', active: false, metadata: { c: 3 } })
    const expected = { ...made, name: 'New', active: false, metadata: { c: 3 }, prices: [price] }
    deepEqual([response.status, response.body], [200, expected])
    deepEqual((await api.get(`/products/${made.id}`)).body, expected)
    const [, event] = await eventsOf(service, made.id)
    const { prices: _prices, prices_has_more: _more, ...object } = expected
    const previous_attributes = { name: 'Old', active: true, metadata: { a: 1, b: 2 } }
    deepEqual([event?.type, event?.data], ['product.updated', { object, previous_attributes }])
  })

  test('null clears description and metadata', async () => {
    const made = await api.made('/products', { name: 'N', description: 'Some.', metadata: { a: 1 } })
    const { body } = await api.patch(`/products/${made.id}`, { description: null, metadata: null })
    deepEqual([body.description, body.metadata], [null, {}])
  })

  test('the bounds of create hold', async () => {
    const { id } = await api.made('/products', { name: 'N' })
    for (const [body, param] of [
      [{ name: null }, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'n'.repeat(256) }, 'name'],
      [{ description: 'd'.repeat(2001) }, 'description'],
      [{ active: null }, 'active'],
      [{ metadata: ['a'] }, 'metadata'],
    ] as const) {
      assertMerchantRefused(await api.patch(`/products/${id}`, body), 422, 'parameter_invalid', param)
    }
    assertMerchantRefused(await api.patch(`/products/${UNKNOWN}`, {}), 404, 'resource_missing', 'id')
  })

  test('two at once: both are kept, and the events are in order', async () => {
    const { id } = await api.made('/products', { name: 'N', description: 'D' })
    await Promise.all([
      api.patch(`/products/${id}`, { name: 'Changed' }),
      api.patch(`/products/${id}`, { description: 'Changed' }),
    ])
    const { body } = await api.get(`/products/${id}`)
    deepEqual([body.name, body.description], ['Changed', 'Changed'])
    deepEqual(
      (await eventsOf(service, id)).map(({ type, sequence }) => [type, sequence]),
      [
        ['product.created', 1],
        ['product.updated', 2],
        ['product.updated', 3],
      ],
    )
  })

  test('read-only members are ignored', async () => {
    const made = await api.made('/products', {
      name: 'Mass',
      id: UNKNOWN,
      created: 1,
      prices: [],
      business_id: UNKNOWN,
    })
    notEqual(made.id, UNKNOWN)
    deepEqual((await api.patch(`/products/${made.id}`, { id: UNKNOWN, created: 1 })).body, made)
  })
})
