import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import { type Response, send } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { type MerchantObjects, makeObjects, merchantRoutesOf, pathTo } from '../support/merchant-objects.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { dumpRows } from '../support/whole-database.ts'

// ATT-19 to ATT-21 and ATT-24: objects of another business get the same response as objects that do not exist, and stay
// unchanged.

let service: TestService
let api: MerchantApiClient
let own: MerchantObjects
let foreign: MerchantObjects
let other: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
  own = await makeObjects(service)
  other = { ...service, demo: (await secondMerchant(service, { redirectUrl: 'https://shop.example' })).demo }
  foreign = await makeObjects(other)
})
after(() => service.close())

const KINDS = [
  'customers',
  'payment_methods',
  'products',
  'prices',
  'subscriptions',
  'payments',
  'refunds',
  'batches',
  'webhook_endpoints',
  'events',
] as const
/** The path of a list. */
const pathOf = (kind: (typeof KINDS)[number], { subscriptions }: MerchantObjects) =>
  kind === 'payments' ? `/subscriptions/${subscriptions}/payments` : `/${kind}`
/** Returns ids that nobody has, new ones on each call. */
const absent = (): MerchantObjects => ({
  customers: newId(),
  payment_methods: newId(),
  products: newId(),
  prices: newId(),
  subscriptions: newId(),
  payments: newId(),
  refunds: newId(),
  batches: newId(),
  webhook_endpoints: newId(),
  events: newId(),
})

/** A change that would be visible; paths ignore members that they do not know. */
const CHANGE = {
  name: 'Stolen',
  nickname: 'Stolen',
  active: false,
  metadata: { stolen: true },
  cancel_at_period_end: true,
  mode: 'period_end',
  billing_cycle_anchor: 'unchanged',
  proration_behavior: 'none',
  since: 1_763_740_800,
}
/** Body that changes nothing: only required members. */
const NO_CHANGE = { since: CHANGE.since }

function call({ method }: Pick<Route, 'method'>, path: string, body: unknown = CHANGE): Promise<Response> {
  const hasBody = method === 'POST' || method === 'PATCH'
  const type = hasBody && { 'content-type': 'application/json' }
  const headers = { authorization: `Bearer ${service.demo.api_key}`, ...type }
  return send(service.url + path, { method, headers, ...(hasBody && { body: JSON.stringify(body) }) })
}

/** Returns the response without parts that differ every time. */
function toldBy({ status, headers, body }: Response) {
  const { 'request-id': _, date: _date, ...rest } = Object.fromEntries(headers)
  const { request_id: _id, ...error } = body.error ?? {}
  return { status, rest, body: body.error ? { error } : body }
}

/** Returns all rows of the other business. */
async function foreignRows(): Promise<string[]> {
  const lines = (await dumpRows(service.databaseUrl)).split('\n')
  return lines.filter((line) => line.includes(other.demo.business_id)).sort()
}

/** Sends both requests and compares: nothing may reveal that the other business's object exists. */
async function assertSame(name: string, ask: (objects: MerchantObjects) => Promise<Response>): Promise<Response> {
  const response = await ask(foreign)
  deepEqual(toldBy(response), toldBy(await ask(absent())), name)
  const told = JSON.stringify(response.body)
  for (const kind of KINDS) equal(told.includes(foreign[kind]), false, `${name} tells of ${kind}`)
  return response
}

describe('An object of another business', () => {
  test('in a path is 404, as if it did not exist, on every route', async () => {
    const before = await foreignRows()
    const named = merchantRoutesOf(service).filter(({ path }) => path.includes('{id}'))
    equal(named.length >= 9, true)
    for (const route of named) {
      const name = `${route.method} ${route.path}`
      const { status, body } = await assertSame(name, (objects) => call(route, pathTo(route, objects)))
      const isRefusing = route.method === 'POST' && route.path.endsWith('payment_methods')
      deepEqual([status, body.error.code], isRefusing ? [405, 'method_not_allowed'] : [404, 'resource_missing'], name)
      // The same path with an object of one's own is answered: else all this would show nothing.
      const mine = route.method === 'DELETE' ? await makeObjects(service) : own
      const hasState = route.method === 'POST' && route.path.startsWith('/api/v1/subscriptions/')
      const answered = await call(route, pathTo(route, mine), hasState ? CHANGE : NO_CHANGE)
      equal((isRefusing ? [405] : hasState ? [200, 409] : [200]).includes(answered.status), true, name)
    }
    deepEqual(await foreignRows(), before)
  })

  test('of another kind is 404 as well: an id opens only what it is of', async () => {
    for (const route of merchantRoutesOf(service).filter(
      ({ path, method }) => path.includes('{id}') && method !== 'POST',
    )) {
      for (const id of Object.values(own)) {
        const path = pathTo({ path: route.path.replace('{id}', id) }, own)
        if (path === pathTo(route, own)) continue
        equal((await call(route, path)).status, 404, `${route.method} ${path}`)
      }
    }
  })

  test('in a filter lists nothing, as if it did not exist', async () => {
    for (const [path, kind] of [
      ['payment_methods?customer=', 'customers'],
      ['prices?product=', 'products'],
      ['refunds?payment=', 'payments'],
      ['subscriptions?customer=', 'customers'],
      ['events?object=', 'products'],
    ] as const) {
      const ask = (objects: MerchantObjects) => api.get(`/${path}${objects[kind]}`)
      deepEqual((await assertSame(path, ask)).body, { object: 'list', data: [], has_more: false })
      equal((await ask(own)).body.data.length, 1, path)
    }
  })

  test('as a cursor is 422 on its field, as if it did not exist, on every list', async () => {
    for (const { method, path } of merchantRoutesOf(service)) {
      const kind = path.split('/').at(-1) as keyof MerchantObjects
      if (method !== 'GET' || !KINDS.includes(kind)) continue
      for (const param of ['starting_after', 'ending_before']) {
        const ask = (objects: MerchantObjects): Promise<Response> =>
          call({ method }, `${pathTo({ path }, own)}?${param}=${objects[kind]}`)
        const { status, body } = await assertSame(`${path}?${param}`, ask)
        deepEqual([status, body.error.param], [422, param])
        equal((await ask(own)).status, 200, `${path}?${param}`)
      }
    }
  })

  test('in a body is 404 on its field, as if it did not exist, and nothing is created', async () => {
    const before = await foreignRows()
    const make = ({ products: product }: MerchantObjects) => api.post('/prices', { product, unit_amount: 100 })
    const { status, body } = await assertSame('POST /prices', make)
    deepEqual([status, body.error.code, body.error.param], [404, 'resource_missing', 'product'])
    equal((await make(own)).status, 201)
    for (const route of ['/refunds', '/voids']) {
      const move = ({ payments: payment }: MerchantObjects) => api.post(route, { payment })
      const refused = await assertSame(`POST ${route}`, move)
      deepEqual(
        [refused.status, refused.body.error.code, refused.body.error.param],
        [404, 'resource_missing', 'payment'],
      )
    }
    deepEqual(await foreignRows(), before)
  })

  test('is in no list', async () => {
    for (const kind of KINDS) {
      const { body } = await api.get(`${pathOf(kind, own)}?limit=100`)
      ok(body.data.length > 0)
      equal(JSON.stringify(body).includes(foreign[kind]), false, kind)
      const { body: theirs } = await merchantApiOf(other).get(`${pathOf(kind, foreign)}?limit=100`)
      ok(JSON.stringify(theirs).includes(foreign[kind]))
      equal(JSON.stringify(theirs).includes(own[kind]), false, kind)
    }
  })
})

describe('A business is named by its key alone', () => {
  test('and by nothing in a body or a query (ATT-21)', async () => {
    const before = await foreignRows()
    const { business_id } = other.demo
    const named = {
      business: business_id,
      business_id,
      businessId: business_id,
      account: business_id,
      id: foreign.customers,
      object: 'account',
      created: 1,
    }
    const query = new URLSearchParams({ business: business_id, business_id, account: business_id }).toString()
    const product = await api.made(`/products?${query}`, { name: 'Mine', ...named })
    const price = await api.made(`/prices?${query}`, { product: product.id, unit_amount: 5, ...named })
    const customer = await api.made(`/customers?${query}`, { name: 'Mine', ...named })
    for (const [path, made] of [
      [`/products/${product.id}`, product],
      [`/prices/${price.id}`, price],
      [`/customers/${customer.id}`, customer],
    ] as const) {
      equal(Object.values(foreign).includes(made.id), false)
      ok(made.created > 1)
      const before = (await api.get(path)).body
      deepEqual((await api.patch(`${path}?${query}`, named)).body, before)
      equal((await merchantApiOf(other).get(path)).status, 404)
    }
    equal((await api.get(`/account?${query}`)).body.data.business_id, service.demo.business_id)
    deepEqual(await foreignRows(), before)
  })

  test('so the same e-mail is a customer of each', async () => {
    const body = { email: 'Shared@example.com' }
    const theirs = await merchantApiOf(other).made('/customers', { ...body, name: 'Theirs' })
    const { status, body: ours } = await api.post('/customers', body)
    deepEqual([status, ours.name], [201, null])
    ok(theirs.id !== ours.id)
    const { id } = await api.made('/customers', { name: 'Late' })
    equal((await api.patch(`/customers/${id}`, { email: 'late@example.com' })).status, 200)
    equal((await merchantApiOf(other).post('/customers', { email: 'late@example.com' })).status, 201)
  })

  test('many calls of both at once, over the same connections, keep to their own (ATT-23)', async () => {
    const both = [
      { client: api, objects: own },
      { client: merchantApiOf(other), objects: foreign },
    ]
    const responses = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const { client, objects } = both[n % 2] as (typeof both)[number]
        const kind = KINDS[n % KINDS.length] as (typeof KINDS)[number]
        const mine = await client.get(`${pathOf(kind, objects)}/${objects[kind]}`)
        const theirs = await client.get(`${pathOf(kind, objects)}/${(objects === own ? foreign : own)[kind]}`)
        return [mine.body.id === objects[kind], theirs.status]
      }),
    )
    deepEqual(responses, Array(60).fill([true, 404]))
  })
})
