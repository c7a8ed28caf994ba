import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { createSubscribed, makeSubscribable } from '../support/subscriptions.ts'

let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
})
after(() => service.close())

const made = async (name: string, body: object) => {
  const response = await owner.call(name, { body })
  equal(response.status, 201, JSON.stringify(response.body))
  return response.body
}
const lastAudit = async () => {
  const { db } = service.app.services
  const changes = db.selectFrom('audit_entry').selectAll().where('outcome', '=', 'done')
  return changes.orderBy('number', 'desc').executeTakeFirstOrThrow()
}

describe('Products in the dashboard', () => {
  test('are those of the merchant API, with a version and their only active price (DSH-2, DSH-4)', async () => {
    const product = await made('POST /products', { name: 'Tea of the month' })
    const price = await made('POST /prices', {
      product: product.id,
      unit_amount: 1_500,
      recurring: { interval: 'month', interval_count: 3 },
      nickname: 'Quarterly',
    })
    const { status, body } = await owner.call('GET /products', { query: { q: 'TEA of' } })
    deepEqual([status, body.total, body.data.length], [200, 1, 1])
    const [listed] = body.data
    const { version, view, ...object } = listed
    const {
      prices: _prices,
      prices_has_more: _more,
      ...v1
    } = (await merchantApiOf(service).get(`/products/${product.id}`)).body
    deepEqual(object, v1)
    match(version, /^[0-9a-f]{16}$/)
    const { version: _version, ...v1Price } = price
    deepEqual(view, { active_prices: 1, price: v1Price })
    deepEqual((await owner.call(`GET /products/${product.id}`)).body.prices, [price])
    deepEqual((await owner.call('GET /prices', { query: { product: product.id } })).body.data, [price])
    equal((await owner.call('GET /products', { query: { q: '%' } })).body.total, 0)
  })

  test('are edited by the version that was seen; a stale one is a conflict with the object as it is (DSH-4)', async () => {
    const product = await made('POST /products', { name: 'Mug' })
    const edit = (body: object) => owner.call(`PATCH /products/${product.id}`, { body })
    const archived = await edit({ version: product.version, active: false })
    deepEqual([archived.status, archived.body.active], [200, false])
    const stale = await edit({ version: product.version, name: 'Cup' })
    deepEqual([stale.status, stale.body.error.code], [409, 'conflict'])
    equal(stale.body.error.current_version, archived.body.version)
    equal(stale.body.error.current.active, false)
    equal((await owner.call(`GET /products/${product.id}`)).body.name, 'Mug')
    const restored = await edit({ version: archived.body.version, active: true })
    deepEqual([restored.body.active, restored.body.version], [true, product.version])
    const { action, before, after } = await lastAudit()
    deepEqual([action, Object(before).active, Object(after).active], ['product.update', false, true])
  })

  test('a missing version, a foreign product and an empty name write nothing', async () => {
    const product = await made('POST /products', { name: 'Pot' })
    const edit = (id: string, body: object) => owner.call(`PATCH /products/${id}`, { body })
    const { number } = await lastAudit()
    const missing = await edit(product.id, { name: 'Pan' })
    deepEqual([missing.status, missing.body.error.param], [422, 'version'])
    equal((await edit(newId(), { name: 'Pan', version: product.version })).status, 404)
    equal((await edit('nonsense', { name: 'Pan', version: product.version })).status, 404)
    equal((await edit(product.id, { name: '', version: product.version })).status, 422)
    equal((await lastAudit()).number, number)
  })

  test('DSH-14: support and analysts read the catalog and change nothing', async () => {
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await analyst.call('GET /products')).status, 200)
    const { status, body } = await analyst.call('POST /prices', { body: { product: newId(), unit_amount: 1 } })
    deepEqual([status, body.error.code], [403, 'permission_denied'])
  })
})

describe('Prices in the dashboard', () => {
  test('CAT-6: amount and cadence never change; nickname and active do, by version', async () => {
    const product = await made('POST /products', { name: 'Box' })
    const price = await made('POST /prices', { product: product.id, unit_amount: 900 })
    const edit = (body: object) => owner.call(`PATCH /prices/${price.id}`, { body })
    const fixed = await edit({ version: price.version, unit_amount: 901 })
    deepEqual([fixed.status, fixed.body.error.param], [422, 'unit_amount'])
    const archived = await edit({ version: price.version, active: false, nickname: 'Old' })
    deepEqual([archived.status, archived.body.nickname, archived.body.active], [200, 'Old', false])
    equal((await edit({ version: price.version, active: true })).status, 409)
    const listed = await owner.call('GET /products', { query: { q: 'Box' } })
    deepEqual(listed.body.data[0].view, { active_prices: 0, price: null })
  })

  test('BIL-6: the preview of a price shows the bills of a subscription that begins today', async () => {
    const preview = (body: object) => owner.call('POST /prices/preview', { body })
    const { number } = await lastAudit()
    const { status, body } = await preview({ recurring: { interval: 'week', interval_count: 2 } })
    equal(status, 200)
    equal(body.dates.length, 3)
    const [first, second, third] = body.dates.map((day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000)
    deepEqual([second - first, third - second], [14, 14])
    deepEqual((await preview({})).body.dates, [])
    const odd = await preview({ recurring: { interval: 'month', interval_count: 2 } })
    deepEqual([odd.status, odd.body.error.param], [422, 'recurring.interval_count'])
    equal((await lastAudit()).number, number)
  })

  test('figures are active subscriptions and the paid bills of 30 days, before tax and surcharge', async () => {
    const sold = await makeSubscribable(service)
    const { body: price } = await merchantApiOf(service).get(`/prices/${sold.priceId}`)
    const figures = async () => {
      const { body } = await owner.call('GET /catalog/figures', { query: { products: price.product } })
      return body
    }
    const own = await signIn(service)
    const first = await createSubscribed(service, sold, { tax_rate: 10 })
    await createSubscribed(service, sold)
    const { body: voided } = await merchantApiOf(service).post('/voids', { payment: first.latest_payment })
    equal(voided.status, 'voided')
    const counted = await figures()
    deepEqual(counted.prices, [{ price: sold.priceId, product: price.product, active_subscriptions: 2, volume: 1_234 }])
    ok(counted.counted_at > 0)
    const bad = await own.call('GET /catalog/figures', { query: { products: 'x' } })
    deepEqual([bad.status, bad.body.error.param], [422, 'products'])
  })
})
