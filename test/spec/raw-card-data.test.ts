import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Route } from '../../server/http/route.ts'
import type { ApiError } from '../../server/lib/errors.ts'
import { findCanaries } from '../support/canary-scan.ts'
import { CARDS } from '../support/card-numbers.ts'
import { HOSTILE_CARD, HOSTILE_CVV } from '../support/hostile-routes.ts'
import { type Response, send } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { type MerchantObjects, makeObjects, merchantRoutesOf, pathTo } from '../support/merchant-objects.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { bodyRefusal, queryRefusal, refusedBody } from '../support/read-request.ts'
import { makeKey } from '../support/secret-key.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { countRows, dumpRows } from '../support/whole-database.ts'

// API-9, SEC-1, SEC-2, ATT-47.

let service: TestService
let api: MerchantApiClient
let objects: MerchantObjects
let routes: Route[]
let rows: Record<string, number>
const responses: string[] = []
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
  objects = await makeObjects(service)
  routes = merchantRoutesOf(service)
  rows = await countRows(service.databaseUrl)
})
after(() => service.close())

interface Sent {
  body?: unknown
  key?: string
  query?: string
}

async function ask(route: Route, { body, key = service.demo.api_key, query = '' }: Sent): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const path = pathTo(route, objects) + query
  const response = await send(service.url + path, {
    method: route.method,
    headers,
    ...(body !== undefined && { body: text }),
  })
  responses.push(JSON.stringify([response.body, [...response.headers]]))
  return response
}

const writes = () => routes.filter(({ method }) => method !== 'GET')
let turns = 0
/** Returns another path each time, so that all get requests. */
const inTurn = (some: Route[]): Route => some[turns++ % some.length] as Route

/**
 * Asserts the refusal of every path that may receive a body, including paths that do not need one. One of them gets it
 * in a request, the others only read it.
 */
async function refusedEverywhere(body: unknown, param: string | null): Promise<void> {
  for (const route of writes()) assertReadsRefused(route, bodyRefusal(route, JSON.stringify(body)), param)
  await refusedBy(inTurn(writes()), { body }, param)
}

/** Asserts the refusal of the request. */
async function refusedBy(route: Route, sent: Sent, param: string | null): Promise<void> {
  const response = await ask(route, sent)
  try {
    assertMerchantRefused(response, 422, 'raw_card_data_not_supported', param)
  } catch (error) {
    throw new Error(`${route.method} ${route.path} ${param}`, { cause: error })
  }
}

function assertReadsRefused(route: Route, refusal: ApiError | null, param: string | null): void {
  const body = refusal && refusedBody(route, refusal)
  responses.push(JSON.stringify(body))
  const { code = null, param: named = null } = body?.error ?? {}
  const found = [refusal?.status ?? null, code, named]
  deepEqual(found, [422, 'raw_card_data_not_supported', param], `${route.method} ${route.path} ${param}`)
}

/** Names of the contract, and similar ones. */
const NAMES = `card number card_number cardNumber pan cvc cvv cvv2 exp_month expiry track track1 track_2 trackData
  exp_year expMonth EXP-YEAR expiration_date security_code CardNumber CARD CVC Cvv card-number primary_account_number
  creditCard credit_card_number debit_card cc_number cc-csc cardVerificationValue card_exp_month`.split(/\s+/)
/** Names as forms and people write them. */
const SPELLED = ['card number', 'card.number', 'card[number]', ' cvv ', 'card:exp_month', 'card[cvc]', '"pan"']
const VALUES: Record<string, unknown> = { cvc: HOSTILE_CVV, cvv: HOSTILE_CVV, card: { number: HOSTILE_CARD } }

describe('A name that means card data is refused on every path, whatever else is sent', () => {
  for (const name of [...NAMES, ...SPELLED]) {
    test(JSON.stringify(name), async () => {
      const value = VALUES[name] ?? HOSTILE_CARD
      await refusedEverywhere({ [name]: value }, name)
      await refusedEverywhere({ name: 5, source: { data: [{}, { [name]: value }] } }, `source.data.1.${name}`)
      await refusedEverywhere({ name: 'Ana', unit_amount: 'x', metadata: { a: 1, [name]: null } }, `metadata.${name}`)
      await refusedEverywhere([[{ [name]: value }]], `0.0.${name}`)
      const query = `limit=0&a=b&${new URLSearchParams({ [name]: HOSTILE_CARD })}`
      for (const route of routes) assertReadsRefused(route, queryRefusal(route, query), name)
      await refusedBy(inTurn(routes), { query: `?${query}` }, name)
    })
  }

  test('by a request to each path, with a body and with a query', async () => {
    for (const route of writes())
      await refusedBy(route, { body: { name: 5, source: [{ cvc: HOSTILE_CVV }] } }, 'source.0.cvc')
    for (const route of routes) await refusedBy(route, { query: `?limit=0&card=${HOSTILE_CARD}` }, 'card')
  })

  test('the first of many is named', () => refusedEverywhere({ a: { cvc: '1' }, card: {}, number: '4' }, 'a.cvc'))

  test('its name is enough, whatever its value', async () => {
    for (const value of [null, '', 0, false, [], {}]) await refusedEverywhere({ cvc: value }, 'cvc')
  })
})

describe('A card number is refused as metadata on every path', () => {
  const spaced = HOSTILE_CARD.replace(/(.{4})(?=.)/g, '$1 ')
  const spellings: Record<string, unknown> = {
    digits: HOSTILE_CARD,
    'a number': Number(HOSTILE_CARD),
    'with spaces': spaced,
    'with dashes': spaced.replaceAll(' ', '-'),
    'with long dashes': spaced.replaceAll(' ', '–'),
    'with spaces that do not break': spaced.replaceAll(' ', '\u00a0'),
    'with space around it': ` ${HOSTILE_CARD}\n`,
    'in a list': [[HOSTILE_CARD]],
    '13 digits': '4222222222222',
    '15 digits': CARDS.amex,
    '19 digits': '6304000000000000000',
    '19 digits as a number': 6304000000000000000,
  }
  for (const [name, value] of Object.entries(spellings)) {
    test(name, async () => {
      const param = Array.isArray(value) ? 'metadata.order.0.0' : 'metadata.order'
      await refusedEverywhere({ name: 5, metadata: { order: value } }, param)
      await refusedEverywhere(
        { inner: { metadata: { deep: { order: value } } } },
        `inner.${param.replace('order', 'deep.order')}`,
      )
    })
  }

  test('and instead of it', () => refusedEverywhere({ name: 5, metadata: HOSTILE_CARD }, 'metadata'))

  test('as a name, which is not repeated', async () => {
    for (const name of [HOSTILE_CARD, spaced]) {
      await refusedEverywhere({ name: 'Ana', metadata: { [name]: 'x' } }, 'metadata')
      await refusedEverywhere({ [name]: { cvc: HOSTILE_CVV } }, null)
    }
  })

  test('and as a description', () => refusedEverywhere({ description: spaced }, 'description'))
})

describe('The order of checks', () => {
  const body = { card: { number: HOSTILE_CARD }, name: 5, unit_amount: 'x', email: 'nobody' }

  test('path, key, address, syntax come first', async () => {
    const { key } = await makeKey(service, { allowedIps: ['192.0.2.1'] })
    for (const route of writes()) {
      assertMerchantRefused(await ask(route, { body, key: 'x' }), 401, 'invalid_api_key', null)
      assertMerchantRefused(await ask(route, { body, key }), 403, 'permission_denied', null)
      assertMerchantRefused(await ask({ ...route, path: `${route.path}/x` }, { body }), 404, 'resource_missing', null)
      const cut = JSON.stringify(body).slice(0, -1)
      assertMerchantRefused(await ask(route, { body: cut }), 422, 'parameter_invalid', null)
    }
  })

  test('the rate comes first, and such a call counts', async () => {
    await using limited = await openService({ beside: service, rateLimits: true })
    const { key } = await makeKey(service)
    const post = () => merchantApiOf(limited, key).post('/customers', body)
    const counted = await Promise.all(Array.from({ length: 60 }, post))
    deepEqual(new Set(counted.map(({ status }) => status)), new Set([422]))
    const { status, body: told } = await post()
    deepEqual([status, told.error.code], [429, 'rate_limit_exceeded'])
  })

  test('whether the object exists comes after it', async () => {
    const nobody = '0199a3f1-0a28-7b21-9c04-000000000000'
    for (const kind of ['customers', 'products', 'prices']) {
      const response = await api.patch(`/${kind}/${nobody}`, body)
      assertMerchantRefused(response, 422, 'raw_card_data_not_supported', 'card')
    }
  })
})

test('Of all that nothing was written, and the numbers are nowhere', async () => {
  // The tests made two keys.
  const keys = { 'public.api_key': (rows['public.api_key'] ?? 0) + 2 }
  deepEqual(await countRows(service.databaseUrl), { ...rows, ...keys })
  const canaries = { numbers: [HOSTILE_CARD], cvvs: [HOSTILE_CVV] }
  deepEqual(findCanaries(service.logged(), canaries), [])
  deepEqual(findCanaries(await dumpRows(service.databaseUrl), canaries), [])
  deepEqual(findCanaries(responses.join('\n'), canaries), [])
  equal(responses.length > 1_000, true)
})

describe('What only looks like card data is taken', () => {
  test('metadata of merchants', async () => {
    const metadata = {
      order: '4242424242424241',
      'order-number': 4242424242424241,
      order_number: '2026-11-21-0007',
      phone_number: '+1 212 555 0100',
      account_id: '019aabcd-0000-7000-8000-000000000000',
      customer: 'c-1',
      product: 'p-1',
      cardinal: 'north',
      discard: true,
      card_color: 'red',
      expires: 'never',
      panel: 4,
      tracking: '1Z 999 AA1 01 2345 6784',
      short: '424242424242',
      long: '42424242424242424242',
      sentence: 'paid for order 4242424242424241',
      'no network': '1000000000000008',
      price: 12.5,
    }
    for (const [path, body] of Object.entries({
      '/customers': { name: 'Ana' },
      '/products': { name: 'Gold' },
      '/prices': { product: objects.products, unit_amount: 100 },
    })) {
      deepEqual((await api.made(path, { ...body, metadata })).metadata, metadata)
    }
  })

  test('fields of the API, and unknown ones', async () => {
    const fields = { customer: objects.customers, product: objects.products, cards: 4, cardholder_name: 'Ana Roy' }
    equal((await api.post('/customers', { name: 'Ana', ...fields })).status, 201)
    equal((await api.get(`/payment_methods?customer=${objects.customers}&cards=4`)).status, 200)
    equal((await api.post('/products', { name: 'Gold', description: 'Order 4242 4242 4242 4241' })).status, 201)
  })
})
