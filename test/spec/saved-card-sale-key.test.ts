import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { deleteOldSaleRequests } from '../../server/payments/stored-card-sale/sale-queries.ts'
import { CARDS } from '../support/card-numbers.ts'
import { moneyRows } from '../support/money-rows.ts'
import { assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { type StoredCardIds, sellTo, storeCard } from '../support/stored-card.ts'

// PAY-27: the Idempotency-Key of a saved-card sale. The effect of silence: test/faults/saved-card-sale.test.ts.

const NO_SUCH = '01890000-0000-7000-8000-000000000000'
const AT_THE_GATEWAY_MS = 300
const DAY_SECONDS = 86_400

let service: TestService
let ana: StoredCardIds
let bob: StoredCardIds
before(async () => {
  service = await openService()
  ana = await storeCard(service, 'ana@example.com')
  bob = await storeCard(service, 'bob@example.com', { cardNumber: CARDS.mastercard })
})
beforeEach(() => service.simulator.resetScript())
after(async () => {
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const sell = (body: Record<string, unknown> = {}, key?: string) => sellTo(service, ana, body, key)
const slowly = () => service.simulator.script({ latency: { minMs: AT_THE_GATEWAY_MS, maxMs: AT_THE_GATEWAY_MS } })
const salesAtGateway = async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale').length

test('the same key and body: the same response to the byte, approved or declined, and one sale (PAY-27)', async () => {
  const before = await salesAtGateway()
  const approved = await sell({ amount: 50 }, 'order-50')
  await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
  const declined = await sell({ amount: 51 }, 'order-51')
  equal(declined.body.ok, false)
  for (const [key, amount, first] of [['order-50', 50, approved] as const, ['order-51', 51, declined] as const]) {
    const again = await sell({ amount }, key)
    deepEqual([again.status, JSON.stringify(again.body)], [first.status, JSON.stringify(first.body)])
  }
  equal(await salesAtGateway(), before + 2)
})

test('the order of the fields is not the body', async () => {
  const { body } = await sell({ amount: 52, user_agent: 'Shop' }, 'order-52')
  const turned = { user_agent: 'Shop', cardId: ana.cardId, amount: 52.0 }
  equal((await sellTo(service, { ...ana }, turned, 'order-52')).body.recordID, body.recordID)
})

test('the same key with another body: 422, whatever differs', async () => {
  await sell({ amount: 53, ip_address: '203.0.113.7' }, 'order-53')
  const before = await salesAtGateway()
  const others = [
    () => sell({ amount: 54, ip_address: '203.0.113.7' }, 'order-53'),
    () => sell({ amount: 53 }, 'order-53'),
    () => sellTo(service, bob, { amount: 53, ip_address: '203.0.113.7' }, 'order-53'),
  ]
  for (const other of others) assertRefused(await other(), 422, 'validation_failed', ['Idempotency-Key'])
  equal(await salesAtGateway(), before)
})

test('five at once: one is charged; the others get its response or payment_in_progress', async () => {
  await slowly()
  const before = await salesAtGateway()
  const responses = await Promise.all(Array.from({ length: 5 }, () => sell({ amount: 55 }, 'order-55')))
  equal(await salesAtGateway(), before + 1)
  // On a busy machine a call may arrive after the sale has finished.
  const approved = responses.filter(({ body }) => body.ok)
  for (const { body } of responses) if (!body.ok) equal(body.code, 'payment_in_progress')
  const { body } = await sell({ amount: 55 }, 'order-55')
  deepEqual([...new Set(approved.map((one) => JSON.stringify(one.body)))], [JSON.stringify(body)])
  equal(await salesAtGateway(), before + 1)
})

test('the response stays the same after the card is detached', async () => {
  const card = await storeCard(service, 'kept@example.com')
  const { body } = await sellTo(service, card, {}, 'order-56')
  const { db } = service.app.services
  await db.updateTable('stored_card').set({ detached_at: new Date() }).where('id', '=', card.cardId).execute()
  deepEqual((await sellTo(service, card, {}, 'order-56')).body, body)
})

test('what was refused before anything was sent leaves the key free', async () => {
  assertRefused(await sell({ cardId: NO_SUCH, amount: 57 }, 'order-57'), 404, 'not_found')
  equal((await sell({ amount: 57 }, 'order-57')).body.ok, true)
})

test('after gateway_unavailable the same key tries again', async () => {
  const away = await service.whileGatewayAway(() => sell({ amount: 58 }, 'order-58'))
  assertRefused(away, 400, 'gateway_unavailable')
  const { body } = await sell({ amount: 58 }, 'order-58')
  equal(body.ok, true)
  equal((await sell({ amount: 58 }, 'order-58')).body.recordID, body.recordID)
})

test('1 to 255 visible ASCII characters, else 422', async () => {
  const before = await salesAtGateway()
  for (const key of ['', 'a b', 'k'.repeat(256), 'é']) {
    assertRefused(await sell({ amount: 59 }, key), 422, 'validation_failed', ['Idempotency-Key'])
  }
  equal(await salesAtGateway(), before)
  equal((await sell({ amount: 59 }, `~${'k'.repeat(254)}`)).body.ok, true)
})

test('the same key at another business is another key', async () => {
  const other = await secondMerchant(service)
  await sell({ amount: 60 }, 'order-60')
  assertRefused(await sellTo({ url: service.url, demo: other.demo }, ana, {}, 'order-60'), 404, 'not_found')
})

test('is free again after 24 hours, also before the daily job has deleted it', async () => {
  const first = await sell({ amount: 61 }, 'order-61')
  await using book = moneyRows(service.databaseUrl)
  const stored = (key: string) => createHash('sha256').update(key).digest('base64url')
  const [key61, key60] = [stored('order-61'), stored('order-60')]
  const keys = async () =>
    (await book.query(`select key from sale_request where key in ('${key61}', '${key60}')`)).length
  await book.query(`update sale_request set created_at = created_at - interval '24 hours' where key = '${key61}'`)
  const second = await sell({ amount: 61.5 }, 'order-61')
  equal(second.body.ok, true)
  ok(second.body.recordID !== first.body.recordID)
  await book.query(`update sale_request set created_at = created_at - interval '25 hours' where key = '${key61}'`)
  equal(await keys(), 2)
  await deleteOldSaleRequests(service.app.services.db, new Date(Date.now() - DAY_SECONDS * 1000))
  equal(await keys(), 1)
})
