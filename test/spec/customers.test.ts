import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantHeaders, assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf, setBusiness } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { storeCard } from '../support/stored-card.ts'

// CUS-14, CUS-15, API-7.

let service: TestService
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
})
after(() => service.close())

const UNKNOWN = '0199a3f1-0a28-7b21-9c04-000000000000'
const typesOf = async (id: string) => (await eventsOf(service, id)).map(({ type }) => type)

describe('POST /api/v1/customers', () => {
  test('makes a customer: 201, with every field of the object', async () => {
    const body = {
      name: 'Ana Roy',
      email: 'Ana.Roy@example.com',
      phone: '+1 212 555 0100',
      metadata: { a: 'b', n: 1.5, t: true },
    }
    const response = await api.post('/customers', body)
    equal(response.status, 201)
    assertMerchantHeaders(response)
    const { id, created, ...rest } = response.body
    match(id, /^[0-9a-f-]{36}$/)
    equal(Number.isInteger(created) && Math.abs(created - Date.now() / 1000) < 60, true)
    deepEqual(rest, { object: 'customer', ...body })
    deepEqual((await api.get(`/customers/${id}`)).body, response.body)
    const [event] = await eventsOf(service, id)
    deepEqual([event?.type, event?.data], ['customer.created', { object: response.body }])
  })

  test('takes a name alone, and an email alone; what is missing is null', async () => {
    const named = await api.made('/customers', { name: 'Only Name' })
    deepEqual([named.email, named.phone, named.metadata], [null, null, {}])
    const mailed = await api.made('/customers', { email: 'only@example.com' })
    deepEqual([mailed.name, mailed.phone, mailed.metadata], [null, null, {}])
  })

  test('returns the customer with the same email, in any case, unchanged: 200', async () => {
    const first = await api.made('/customers', { name: 'First', email: 'same@example.com', metadata: { k: 1 } })
    const response = await api.post('/customers', { name: 'Second', email: 'SAME@Example.com', metadata: {} })
    deepEqual([response.status, response.body], [200, first])
    deepEqual(await typesOf(first.id), ['customer.created'])
  })

  test('without an email, the same name is a new customer each time', async () => {
    const first = await api.made('/customers', { name: 'Twin' })
    const second = await api.made('/customers', { name: 'Twin' })
    notEqual(first.id, second.id)
  })

  test('many at once with one email: one row, one 201, the others 200', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        api.post('/customers', { name: `N${n}`, email: n % 2 ? 'Race@example.com' : 'race@example.com' }),
      ),
    )
    deepEqual(responses.map(({ status }) => status).sort(), [...Array(19).fill(200), 201])
    deepEqual(new Set(responses.map(({ body }) => JSON.stringify(body))).size, 1)
    deepEqual(await typesOf(responses[0]?.body.id), ['customer.created'])
  })

  test('an email that a paid session made known is the same customer', async () => {
    const { customerId } = await storeCard(service, 'shopper@example.com')
    const response = await api.post('/customers', { name: 'Another', email: 'Shopper@Example.com' })
    deepEqual([response.status, response.body.id, response.body.email], [200, customerId, 'shopper@example.com'])
    deepEqual((await api.get(`/customers/${customerId}`)).body, response.body)
  })

  test('lives in the time of the business', async () => {
    await setBusiness(service, { clock_offset_seconds: 86_400 * 30 })
    // Other processes see a change of settings after a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const { created } = await api.made('/customers', { name: 'Tomorrow' })
    equal(created - Date.now() / 1000 > 86_400 * 29, true)
    await setBusiness(service, { clock_offset_seconds: 0 })
    await new Promise((resolve) => setTimeout(resolve, 1_100))
  })

  const refused: [what: string, body: unknown, param: string | null][] = [
    ['nothing that names it', {}, 'name'],
    ['only a phone', { phone: '123' }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['only a name of spaces', { name: ' \u00a0' }, 'name'],
    ['a name of 256 characters', { name: 'n'.repeat(256) }, 'name'],
    ['a name that is a number', { name: 5 }, 'name'],
    ['only a name that is null', { name: null }, 'name'],
    ['an email that is none', { email: 'nobody' }, 'email'],
    ['two emails', { email: 'a@example.com, b@example.com' }, 'email'],
    ['a phone of 51 characters', { name: 'N', phone: '1'.repeat(51) }, 'phone'],
    ['metadata that is a list', { name: 'N', metadata: ['a'] }, 'metadata'],
    ['metadata in metadata', { name: 'N', metadata: { a: { b: 1 } } }, 'metadata.a'],
    [
      '51 keys of metadata',
      { name: 'N', metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) },
      'metadata',
    ],
    ['a key of 41 characters', { name: 'N', metadata: { ['k'.repeat(41)]: 1 } }, `metadata.${'k'.repeat(41)}`],
    ['a value of 501 characters', { name: 'N', metadata: { a: 'v'.repeat(501) } }, 'metadata.a'],
    ['a body that is not an object', [1], null],
  ]
  for (const [what, body, param] of refused) {
    test(`refuses ${what}: 422 on ${param}`, async () => {
      const response = await api.post('/customers', body)
      assertMerchantRefused(response, 422, 'parameter_invalid', param)
    })
  }

  test('what is null, blank or an empty list is not given', async () => {
    const nobody = { name: null, email: 'nobody@example.com', phone: null, metadata: {} }
    for (const [index, name] of [null, '', ' \u00a0'].entries()) {
      const email = `nobody+${index}@example.com`
      const made = await api.made('/customers', { name, email, phone: name, metadata: index ? [] : null })
      deepEqual({ ...made, ...nobody, email }, made)
    }
  })

  test('the longest that is allowed is allowed', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`.padEnd(40, 'k'), 'v'.repeat(500)]))
    const made = await api.made('/customers', { name: 'n'.repeat(255), phone: '1'.repeat(50), metadata })
    deepEqual(made.metadata, metadata)
  })
})

describe('GET /api/v1/customers?email=', () => {
  test('finds the one customer who has it, in any case, and nobody for an unknown one (CUS-20)', async () => {
    const found = await api.made('/customers', { name: 'Sought', email: 'sought+1@example.com' })
    const search = (email: string) => api.get(`/customers?email=${encodeURIComponent(email)}`)
    for (const email of ['sought+1@example.com', 'SOUGHT+1@Example.com']) {
      deepEqual((await search(email)).body, { object: 'list', data: [found], has_more: false })
    }
    deepEqual((await search('sought@example.com')).body.data, [])
    deepEqual((await search('')).body, (await api.get('/customers')).body)
  })

  test('what is not an e-mail, or sent twice, is refused with its name', async () => {
    for (const query of ['email=x', 'email=a%40example.com&email=b%40example.com']) {
      assertMerchantRefused(await api.get(`/customers?${query}`), 422, 'parameter_invalid', 'email')
    }
  })
})

describe('GET /api/v1/customers/{id}', () => {
  test('an unknown id, and a malformed one: 404', async () => {
    for (const id of [UNKNOWN, UNKNOWN.toUpperCase()]) {
      assertMerchantRefused(await api.get(`/customers/${id}`), 404, 'resource_missing', 'id')
    }
    for (const id of ['x', `${UNKNOWN}0`]) {
      assertMerchantRefused(await api.get(`/customers/${id}`), 404, 'resource_missing', null)
    }
  })
})

describe('PATCH /api/v1/customers/{id}', () => {
  test('changes what is given and leaves the rest', async () => {
    const made = await api.made('/customers', {
      name: 'Old',
      email: 'patch@example.com',
      phone: '1',
      metadata: { a: 1, b: 2 },
    })
    const response = await api.patch(`/customers/${made.id}`, { name: 'New', metadata: { c: 3 } })
    deepEqual([response.status, response.body], [200, { ...made, name: 'New', metadata: { c: 3 } }])
    deepEqual((await api.get(`/customers/${made.id}`)).body, response.body)
    const [, event] = await eventsOf(service, made.id)
    deepEqual(event?.data, { object: response.body, previous_attributes: { name: 'Old', metadata: { a: 1, b: 2 } } })
    equal(event?.type, 'customer.updated')
  })

  test('null clears; name or email must be left', async () => {
    const made = await api.made('/customers', { name: 'N', email: 'clear@example.com', phone: '1', metadata: { a: 1 } })
    const { body } = await api.patch(`/customers/${made.id}`, { name: null, phone: null, metadata: null })
    deepEqual([body.name, body.phone, body.metadata], [null, null, {}])
    assertMerchantRefused(await api.patch(`/customers/${made.id}`, { email: null }), 422, 'parameter_invalid', 'name')
  })

  test('a change that changes nothing records no event', async () => {
    const made = await api.made('/customers', { name: 'Same', metadata: { b: 1, a: 2 } })
    for (const body of [{}, { name: 'Same' }, { metadata: { a: 2, b: 1 } }, { unknown: 1 }, undefined]) {
      deepEqual((await api.patch(`/customers/${made.id}`, body)).body, made)
    }
    deepEqual(await typesOf(made.id), ['customer.created'])
  })

  test('the email of another customer is a conflict: 409', async () => {
    await api.made('/customers', { email: 'taken@example.com' })
    const made = await api.made('/customers', { email: 'free@example.com' })
    assertMerchantRefused(
      await api.patch(`/customers/${made.id}`, { email: 'TAKEN@example.com' }),
      409,
      'conflict',
      'email',
    )
    equal((await api.patch(`/customers/${made.id}`, { email: 'FREE@example.com' })).body.email, 'FREE@example.com')
  })

  test('the bounds of create hold; an unknown one is 404', async () => {
    const { id } = await api.made('/customers', { name: 'Bounds' })
    for (const [body, param] of [
      [{ name: '' }, 'name'],
      [{ name: 'n'.repeat(256) }, 'name'],
      [{ email: 'no' }, 'email'],
      [{ phone: '1'.repeat(51) }, 'phone'],
      [{ metadata: 'x' }, 'metadata'],
    ] as const) {
      assertMerchantRefused(await api.patch(`/customers/${id}`, body), 422, 'parameter_invalid', param)
    }
    assertMerchantRefused(await api.patch(`/customers/${UNKNOWN}`, { name: 'N' }), 404, 'resource_missing', 'id')
  })

  test('read-only members are ignored', async () => {
    const made = await api.made('/customers', {
      name: 'Mass',
      id: UNKNOWN,
      created: 1,
      business_id: UNKNOWN,
      object: 'x',
    })
    notEqual(made.id, UNKNOWN)
    notEqual(made.created, 1)
    const { body } = await api.patch(`/customers/${made.id}`, { id: UNKNOWN, created: 1, business: UNKNOWN })
    deepEqual(body, made)
  })
})
