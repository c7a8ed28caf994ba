import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { type BatchShop, openBatchShop } from '../support/batch-shop.ts'
import { type DashboardClient, loseResponse, signIn } from '../support/dashboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

let shop: BatchShop
let owner: DashboardClient
before(async () => {
  shop = await openBatchShop()
  owner = await signIn(shop.service)
})
after(() => shop[Symbol.asyncDispose]())

const pay = async () => {
  const { body } = await payerOf(shop.service).pay(await merchantOf(shop.service).sessionToken(), payBody())
  equal(body.ok, true)
}
const current = async () => (await owner.call('GET /batches/current')).body.data
const preview = async () => (await owner.call('POST /batches/current/settle/preview', { body: {} })).body
const settle = (expected_net_amount: number, key = newId()) =>
  owner.call('POST /batches/current/settle', { body: { expected_net_amount }, key })
const audited = async () =>
  (
    await shop.service.app.services.db
      .selectFrom('audit_entry')
      .select(['action', 'outcome'])
      .orderBy('number')
      .execute()
  ).map(({ action, outcome }) => `${action} ${outcome}`)

describe('Batches in the dashboard', () => {
  test('looking at a batch opens none: pages only read (DSH-11)', async () => {
    const [batch] = await current()
    deepEqual([batch.id, batch.number, batch.status, batch.net_amount, batch.currency], [null, 1, 'open', 2_550, 'usd'])
    deepEqual(batch.by_brand, [{ brand: 'mastercard', count: 1, amount: 2_550 }])
    equal((await preview()).batch, null)
    const rows = await shop.service.app.services.db.selectFrom('batch').selectAll().execute()
    deepEqual(rows, [])
  })

  test('REF-15, DSH-5: what came in after the preview is a conflict with the new preview; then it settles once', async () => {
    const seen = await preview()
    deepEqual([seen.sales_count, seen.net_amount, seen.currency], [1, 2_550, 'USD'])
    await pay()
    const { status, body } = await settle(seen.net_amount)
    deepEqual([status, body.error.code], [409, 'conflict'])
    deepEqual([body.error.preview.sales_count, body.error.preview.net_amount], [2, 5_100])
    const key = newId()
    const settled = await settle(body.error.preview.net_amount, key)
    deepEqual([settled.status, settled.body.status, settled.body.net_amount], [200, 'settled', 5_100])
    match(settled.body.settlement_reference, /^SIM/)
    equal(settled.body.view.difference, null)
    deepEqual((await settle(5_100, key)).body, settled.body)
    const [next] = await current()
    deepEqual([next.number, next.sales_count], [2, 0])
    ok(next.id)
    deepEqual((await audited()).slice(-1), ['batch.settle requested'])
    await assertSoundBooks(shop.service)
  })

  test('settled ones are those of the merchant API, with their payments', async () => {
    const { body } = await owner.call('GET /batches', { query: { status: 'settled' } })
    equal(body.total, 1)
    const [{ view, ...batch }] = body.data
    deepEqual(batch, (await shop.api.get(`/batches/${batch.id}`)).body)
    deepEqual(view, { difference: null, reversals: null })
    deepEqual((await owner.call(`GET /batches/${batch.id}`)).body, { ...batch, view })
    const payments = (await owner.call(`GET /batches/${batch.id}/payments`)).body
    deepEqual([payments.total, payments.data.length], [2, 2])
    const rows: { batch_number: number | null }[] = (await owner.call('GET /payments')).body.data
    deepEqual(
      rows.map((row) => row.batch_number),
      [1, 1],
    )
    deepEqual(payments.data.map(({ view: shown }: { view: object }) => shown).at(-1), {
      customer_name: 'Ana Roy',
      customer_email: 'ana@example.com',
      card: { brand: 'mastercard', last4: '4444' },
    })
    equal((await owner.call(`GET /batches/${newId()}/payments`)).status, 404)
    const today = new Date(batch.settled_at * 1_000).toLocaleDateString('sv', { timeZone: 'America/New_York' })
    const on = async (query: Record<string, string>) => (await owner.call('GET /batches', { query })).body.total
    deepEqual([await on({ settled_from: today, settled_to: today }), await on({ settled_to: '2026-01-01' })], [1, 0])
  })

  test('a settled batch that differs from what is recorded says by how much', async () => {
    await pay()
    const { body } = await settle((await preview()).net_amount)
    await shop.service.app.services.db
      .updateTable('payment')
      .set({ batch_id: null })
      .where('batch_id', '=', body.id)
      .execute()
    const { view } = (await owner.call(`GET /batches/${body.id}`)).body
    deepEqual([view.difference.sales_count, view.difference.net_amount], [-1, -2_550])
    const [listed] = (await owner.call('GET /batches')).body.data.filter(({ id }: { id: string }) => id === body.id)
    deepEqual(listed.view, view)
  })

  test('DSH-8: settled batches are exported as CSV, by the filters of the list', async () => {
    const body = { status: 'settled', columns: ['number', 'currency', 'net_amount'], time_zone: 'UTC' }
    const file = await owner.call('POST /batches/export', { body })
    equal(file.status, 200)
    deepEqual(String(file.body).replace('\uFEFF', '').trim().split('\r\n'), [
      'number,currency,net_amount',
      '2,USD,25.50',
      '1,USD,51.00',
    ])
    equal((await audited()).at(-1), 'batches.export done')
  })

  test("REF-16: an empty batch and a refusal are 417 with the gateway's text", async () => {
    const empty = await settle(0)
    deepEqual([empty.status, empty.body.error.gateway?.code], [417, 'batch_empty'])
    await pay()
    await shop.service.simulator.script({ outcomes: [{ op: 'settle', outcome: 'declined' }] })
    const { status, body } = await settle((await preview()).net_amount)
    deepEqual(
      [status, body.error.code, body.error.gateway],
      [417, 'batch_failed', { code: 'settle_failed', message: 'DECLINED' }],
    )
    const [batch] = await current()
    ok(batch.view.failed_at > 0)
  })

  test('REF-17: the open batch says when it closes by itself, and that a gateway settles by its own schedule', async () => {
    const { services } = shop.service.app
    await services.db.updateTable('business').set({ batch_close_time: '23:30' }).execute()
    const [batch] = await current()
    const now = Date.now() / 1_000
    ok(batch.view.closes_at > now && batch.view.closes_at <= now + 86_400)
    const { capabilities } = services.gateways('simulator')
    Object.assign(capabilities, { batches: false })
    const [other] = await current()
    deepEqual([other.view.gateway_settles, other.view.closes_at], [true, null])
    Object.assign(capabilities, { batches: true })
    await services.db.updateTable('business').set({ batch_close_time: null }).execute()
  })

  test('DSH-4: a settlement whose response was lost is found by its key, and nothing is settled again', async () => {
    await pay()
    const [key, { net_amount }] = [newId(), await preview()]
    const both = await Promise.all([settle(net_amount, key), settle(net_amount, key)])
    const [first] = both.filter(({ status }) => status === 200)
    deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    await loseResponse(shop.service, key)
    await pay()
    const found = await settle(net_amount, key)
    deepEqual([found.status, found.body], [200, first?.body])
    equal(found.headers.get('idempotent-replayed'), 'true')
    const [next] = await current()
    deepEqual([next.status, next.sales_count], ['open', 1])
    equal((await settle((await preview()).net_amount)).status, 200)
  })

  test('a foreign batch and a role without the permission settle nothing (DSH-14)', async () => {
    const support = await signIn(shop.service, { role: 'support' })
    const refused = await support.call('POST /batches/current/settle', { body: { expected_net_amount: 0 } })
    deepEqual([refused.status, refused.body.error.permission], [403, 'batches.settle'])
    const missing = await owner.call('POST /batches/current/settle', { body: {} })
    deepEqual([missing.status, missing.body.error.param], [422, 'expected_net_amount'])
    const foreign = await owner.call('POST /batches/current/settle', {
      body: { expected_net_amount: 0, currency: 'EUR' },
    })
    deepEqual([foreign.status, foreign.body.error.param], [422, 'currency'])
  })
})
