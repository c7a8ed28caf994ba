import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Response } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { customerOf, eventsOf } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// CUS-14, CUS-17, CAT-8: concurrent calls through two processes on one database.

let service: TestService
let process2: TestService
let clients: [MerchantApiClient, MerchantApiClient]
before(async () => {
  service = await openService()
  callInProcess(service)
  process2 = await openService({ beside: service })
  clients = [merchantApiOf(service), merchantApiOf(process2)]
})
after(async () => {
  await process2.close()
  await service.close()
})

/** Runs calls concurrently, every other one through the other process. */
const atOnce = <Result>(count: number, ask: (api: MerchantApiClient, n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(clients[n % 2] as MerchantApiClient, n)))
const statusesOf = (responses: Response[]) => responses.map(({ status }) => status).sort()
const ROUNDS = 5

describe('Customers', () => {
  for (let round = 0; round < ROUNDS; round++) {
    test(`20 creations with one e-mail in mixed case: one row, one 201, one event (${round})`, async () => {
      const email = `Mixed.Case${round}@Example.com`
      const spell = (n: number) =>
        [...email].map((letter, at) => ((n >> (at % 5)) & 1 ? letter.toUpperCase() : letter)).join('')
      const responses = await atOnce(20, (api, n) => api.post('/customers', { email: spell(n), name: `N${n}` }))
      deepEqual(statusesOf(responses), [...Array(19).fill(200), 201])
      const made = responses.find(({ status }) => status === 201)?.body
      for (const { body } of responses) deepEqual(body, made)
      equal((await customerOf(service, email))?.id, made.id)
      const { rows } = await rowsWith(email)
      equal(rows.length, 1)
      deepEqual(
        (await eventsOf(service, made.id)).map(({ type }) => type),
        ['customer.created'],
      )
    })

    test(`10 changes to one e-mail: one 200, the others 409 (${round})`, async () => {
      const email = `wanted${round}@example.com`
      const made = await atOnce(10, (api, n) => api.made('/customers', { name: `N${n}` }))
      const responses = await atOnce(10, (api, n) =>
        api.patch(`/customers/${made[n].id}`, { email: n % 3 ? email : email.toUpperCase() }),
      )
      deepEqual(statusesOf(responses), [200, ...Array(9).fill(409)])
      for (const [n, response] of responses.entries()) {
        const { body: now } = await clients[0].get(`/customers/${made[n].id}`)
        if (response.status === 200) deepEqual(now, response.body)
        else {
          assertMerchantRefused(response, 409, 'conflict', 'email')
          deepEqual(now, made[n])
          equal((await eventsOf(service, now.id)).length, 1)
        }
      }
    })

    test(`creations and changes to one e-mail: one customer has it (${round})`, async () => {
      const email = `both${round}@example.com`
      const made = await atOnce(5, (api) => api.made('/customers', { name: 'Ana' }))
      const responses = await atOnce(10, (api, n) =>
        n < 5 ? api.patch(`/customers/${made[n].id}`, { email }) : api.post('/customers', { email }),
      )
      const { rows } = await rowsWith(email)
      equal(rows.length, 1)
      const changed = responses.slice(0, 5)
      const created = responses.slice(5)
      const isChanged = made.some(({ id }) => id === rows[0]?.id)
      deepEqual(statusesOf(changed), isChanged ? [200, 409, 409, 409, 409] : Array(5).fill(409))
      deepEqual(statusesOf(created), isChanged ? Array(5).fill(200) : [200, 200, 200, 200, 201])
      for (const { body } of created) equal(body.id, rows[0]?.id)
    })
  }

  test('two that exchange their e-mails: neither can, and both stay as they are', async () => {
    for (let round = 0; round < 4 * ROUNDS; round++) {
      const emails = [`left${round}@example.com`, `right${round}@example.com`]
      const made = await atOnce(2, (api, n) => api.made('/customers', { email: emails[n] }))
      const responses = await atOnce(2, (api, n) => api.patch(`/customers/${made[n].id}`, { email: emails[1 - n] }))
      deepEqual(statusesOf(responses), [409, 409])
      for (const { id, ...rest } of made) deepEqual((await clients[1].get(`/customers/${id}`)).body, { id, ...rest })
    }
  })
})

function rowsWith(email: string) {
  const { db } = service.app.services
  return db
    .selectFrom('customer')
    .select('id')
    .where('email_folded', '=', email.toLowerCase())
    .execute()
    .then((rows) => ({ rows }))
}

describe('Products and prices', () => {
  test('prices made while their product is changed: all are made, and every change is kept', async () => {
    const { id } = await clients[0].made('/products', { name: 'Gold' })
    const responses = await atOnce(30, (api, n) =>
      n % 3
        ? api.post('/prices', { product: id, unit_amount: n })
        : api.patch(`/products/${id}`, { active: n % 2 === 0, name: `Gold ${n}` }),
    )
    deepEqual(statusesOf(responses), [...Array(10).fill(200), ...Array(20).fill(201)])
    const made = responses.filter(({ status }) => status === 201).map(({ body }) => body)
    const { body: product } = await clients[1].get(`/products/${id}`)
    const textsOf = (prices: object[]) => prices.map((price) => JSON.stringify(price)).sort()
    deepEqual(textsOf(product.prices), textsOf(made))
    ok(responses.some(({ body }) => body.object === 'product' && body.name === product.name))
  })

  for (const kind of ['products', 'prices', 'customers'] as const) {
    test(`many changes of one of ${kind}: none is lost, and the events have them in their order`, async () => {
      const { id, field } = await makeOne(kind)
      const responses = await atOnce(24, (api, n) =>
        api.patch(`/${kind}/${id}`, n % 2 ? { [field]: `Text ${n}` } : { metadata: { n } }),
      )
      deepEqual(statusesOf(responses), Array(24).fill(200))
      const { prices: _prices, prices_has_more: _more, ...now } = (await clients[0].get(`/${kind}/${id}`)).body
      const [created, ...updated] = await eventsOf(service, id)
      deepEqual(
        updated.map(({ sequence }) => Number(sequence)),
        updated.map((_event, n) => n + 2),
      )
      equal(updated.length, 24)
      let before = created?.data.object
      for (const { data } of updated) {
        const { object, previous_attributes: previous } = data as typeof data & { previous_attributes: object }
        deepEqual({ ...object, ...previous }, before)
        equal(Object.keys(previous).length, 1)
        before = object
      }
      deepEqual(before, now)
    })
  }
})

async function makeOne(kind: 'products' | 'prices' | 'customers'): Promise<{ id: string; field: string }> {
  const [api] = clients
  if (kind === 'customers') return { ...(await api.made('/customers', { name: 'Ana' })), field: 'phone' }
  const product = await api.made('/products', { name: 'Gold' })
  if (kind === 'products') return { ...product, field: 'name' }
  return { ...(await api.made('/prices', { product: product.id, unit_amount: 5 })), field: 'nickname' }
}

test('nothing failed inside', () => {
  for (const one of [service, process2]) equal(one.logged().includes('request failed'), false)
})
