import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
})
after(() => service.close())

async function made(name: string, body: object) {
  const response = await owner.call(name, { body })
  equal(response.status, 201, JSON.stringify(response.body))
  return response.body
}
const search = async (query: Record<string, string>) => {
  const { status, body } = await owner.call('GET /prices/search', { query })
  equal(status, 200, JSON.stringify(body))
  return body
}
const found = async (query: Record<string, string>): Promise<string[]> =>
  (await search(query)).data.map(({ id }: { id: string }) => id)

describe('Prices are found', () => {
  const MONTHLY = { interval: 'month', interval_count: 1 }
  let ferry: { id: string; name: string; version: string }
  let monthly: { id: string; unit_amount: number; product: string; version: string }
  let yearly: { id: string; version: string }
  let single: { id: string }
  before(async () => {
    ferry = await made('POST /products', { name: 'Ferry pass' })
    const price = (body: object) => made('POST /prices', { product: ferry.id, ...body })
    const metadata = { reference: 'TARIFF-7', note: 'hidden' }
    monthly = await price({ unit_amount: 2_500, recurring: MONTHLY, nickname: 'Students 50%', metadata })
    yearly = await price({ unit_amount: 123_456, recurring: { interval: 'year', interval_count: 1 } })
    single = await price({ unit_amount: 900 })
    const berth = await made('POST /products', { name: 'Berth' })
    await made('POST /prices', { product: berth.id, unit_amount: 2_500, recurring: MONTHLY })
  })

  test('with their product, newest first, as the merchant API has them (DSH-2)', async () => {
    const { data, has_more, object } = await search({ q: 'ferry' })
    deepEqual([object, has_more], ['list', false])
    deepEqual(
      data.map(({ id }: { id: string }) => id),
      [single.id, yearly.id, monthly.id],
    )
    const { version: _version, ...v1 } = monthly
    deepEqual(data[2], { ...v1, view: { product: { id: ferry.id, name: 'Ferry pass', active: true } } })
  })

  test('by product, nickname, reference, amount and id; every word has to be there', async () => {
    const only = ['FERRY students', '50%', 'tariff-7', '25.00 ferry', 'ferry 25', 'ferry 25,00', monthly.id]
    for (const q of only) deepEqual(await found({ q }), [monthly.id], q)
    for (const q of ['1,234.56', '1 234,56', '$1234.56']) deepEqual(await found({ q }), [yearly.id], q)
    for (const q of ['ferry zebra', 'hidden', '%', '_____', 'ferry 26'])
      deepEqual(await found({ q }), q === '%' ? [monthly.id] : [], q)
  })

  test('as many as are asked for, and whether there are more', async () => {
    const first = await search({ q: 'ferry', limit: '2' })
    deepEqual([first.data.length, first.has_more], [2, true])
    equal((await owner.call('GET /prices/search', { query: { limit: '51' } })).status, 422)
    deepEqual(await search({ q: ' ', limit: '2' }), await search({ limit: '2' }), 'blank: not given')
  })

  test('for a new subscription: recurring, and neither archived nor of an archived product', async () => {
    const forSale = () => found({ q: 'ferry', recurring: 'true', active: 'true' })
    deepEqual(await forSale(), [yearly.id, monthly.id])
    await owner.call(`PATCH /prices/${yearly.id}`, { body: { version: yearly.version, active: false } })
    deepEqual(await forSale(), [monthly.id])
    await owner.call(`PATCH /products/${ferry.id}`, { body: { version: ferry.version, active: false } })
    deepEqual(await forSale(), [])
    deepEqual(await found({ q: 'ferry', recurring: 'true' }), [yearly.id, monthly.id])
  })

  test('a product is found by its id too', async () => {
    const { body } = await owner.call('GET /products', { query: { q: ferry.id } })
    deepEqual([body.total, body.data[0].id], [1, ferry.id])
  })
})
