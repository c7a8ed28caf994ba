import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { resolveSettlements } from '../../server/payments/batches/resolve-settlements.ts'
import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { refundPayment } from '../../server/payments/refunds/refund-payment.ts'
import { type BatchShop, batchShopOf } from '../support/batch-shop.ts'
import { businessOf } from '../support/business-of.ts'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { eventsOf } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { openServiceWithClock, resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { sellTo } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// REF-20, REF-21: settlements without a result, and payments that are recorded while their batch is settled.

type Shop = BatchShop & { service: ServiceWithClock }

const openShop = async (): Promise<Shop> => batchShopOf(await openServiceWithClock())

/** Sets the clock forward until no settlement is open. */
async function resolveSettled({ service }: Shop): Promise<void> {
  await using book = moneyRows(service.databaseUrl)
  for (let round = 0; round < 60; round++) {
    service.clock.advance(20 * service.timeScale)
    await resolveSettlements(service.app.services)
    if ((await book.query("select from batch where status = 'settling'")).length === 0) return
  }
  throw new Error('A settlement is still open')
}

const settlementsOf = async ({ service }: Shop) =>
  (await service.simulator.rows()).filter(({ op, recorded }) => op === 'settle' && recorded)

/** What each settled batch holds here, and at the gateway. */
async function heldBy({ service }: Shop): Promise<{ ours: string[][]; theirs: string[][] }> {
  await using book = moneyRows(service.databaseUrl)
  const members = await book.query<{ name: string; ref: string }>(
    `select b.gateway_batch as name, o.merchant_ref as ref from batch b
       join payment p on p.batch_id = b.id join operation o on o.id = p.operation_id where b.status = 'settled'
     union all
     select b.gateway_batch, o.merchant_ref from batch b
       join refund r on r.batch_id = b.id join operation o on o.id = r.id where b.status = 'settled'`,
  )
  const rows = (await service.simulator.rows()).filter(
    ({ op, approvedAmount, state }) => op !== 'void' && op !== 'settle' && approvedAmount > 0 && state !== 'voided',
  )
  const settled = new Set(
    (await book.query<{ name: string }>("select gateway_batch as name from batch where status = 'settled'")).map(
      ({ name }) => name,
    ),
  )
  const grouped = (all: [name: string, ref: string][]) =>
    [...settled].sort().map((wanted) => all.flatMap(([name, ref]) => (name === wanted ? [ref] : [])).sort())
  return {
    ours: grouped(members.map(({ name, ref }) => [name, ref])),
    theirs: grouped(rows.map(({ batch = '', merchantRef }) => [batch, merchantRef])),
  }
}

describe('a settlement without a result', { concurrency: 2 }, () => {
  for (const outcome of ['silent_recorded', 'reset_recorded', 'garbled_recorded'] as const) {
    test(`REF-21: ${outcome}: it is 417 until it is resolved, settled once, and reported once`, async () => {
      await using shop = await openShop()
      const { service } = shop
      await service.simulator.script({ outcomes: [{ op: 'settle', outcome }] })
      const response = await shop.settle()
      assertRefused(response, 417, 'batch_failed')
      equal(response.body.gateway.code, 'gateway_timeout')
      assertRefused(await shop.settle(), 409, 'conflict')
      equal((await sellTo(service, shop.stored)).body.ok, true, 'sales go on')

      await resolveSettled(shop)

      equal((await settlementsOf(shop)).length, 1)
      const usd = (await shop.api.get('/batches')).body.data.filter(
        ({ currency }: { currency: string }) => currency === 'usd',
      )
      deepEqual(
        usd.map(({ number, status }: { number: number; status: string }) => [number, status]),
        [
          [2, 'open'],
          [1, 'settled'],
        ],
      )
      deepEqual(
        (await eventsOf(service, usd[1].id)).map(({ type }) => type),
        ['batch.settled'],
      )
      equal((await shop.settle({ expected_net_amount: 12.34 })).status, 200)
      const { ours, theirs } = await heldBy(shop)
      deepEqual(ours, theirs)
      await assertSoundBooks(service)
    })
  }

  for (const outcome of ['silent_not_recorded', 'reset_not_recorded', 'http_500_not_recorded'] as const) {
    test(`REF-21: ${outcome}: once that is final the batch is open again, and nothing is settled by itself`, async () => {
      await using shop = await openShop()
      const { service } = shop
      await service.simulator.script({ outcomes: [{ op: 'settle', outcome }] })
      equal((await shop.settle()).body.gateway.code, 'gateway_timeout')
      service.clock.advance(2)
      await resolveSettlements(service.app.services)
      assertRefused(await shop.settle(), 409, 'conflict')

      await resolveSettled(shop)

      equal((await settlementsOf(shop)).length, 0)
      const { id, number } = (await shop.balance()).body.batch
      equal(number, 1)
      deepEqual(
        (await eventsOf(service, id)).map(({ type }) => type),
        ['batch.settle_failed'],
      )
      equal((await shop.settle({ expected_net_amount: 25.5 })).status, 200)
      await assertSoundBooks(service)
    })
  }

  test('REF-21: a result that comes late is recorded by itself', async () => {
    await using shop = await openShop()
    const { service } = shop
    await service.simulator.script({ outcomes: [{ op: 'settle', outcome: 'approved_slowly' }] })
    equal((await shop.settle()).body.gateway?.code, 'gateway_timeout')
    await until('it is recorded', async () => (await shop.balance()).body.batch.number === 2)
    await assertSoundBooks(service)
  })

  test('REF-21: a gateway that cannot be reached settles nothing, and the batch is open at once', async () => {
    await using shop = await openShop()
    const { service } = shop
    const gateway = service.app.services.gateways('simulator')
    const { settle } = gateway
    Object.assign(gateway, { settle: async () => ({ outcome: 'not_sent', message: 'ECONNREFUSED' }) })
    equal((await shop.settle()).body.gateway.code, 'gateway_unavailable')
    Object.assign(gateway, { settle })
    equal((await shop.settle()).status, 200)
    await assertSoundBooks(service)
  })

  test('REF-21: four recoveries at once record it once', async () => {
    for (const outcome of ['silent_recorded', 'silent_not_recorded'] as const) {
      await using shop = await openShop()
      const { service } = shop
      const { id } = (await shop.balance()).body.batch
      await service.simulator.script({ outcomes: [{ op: 'settle', outcome }] })
      await shop.settle()
      await service.simulator.script({ latency: { minMs: 200, maxMs: 200 } })
      for (let round = 0; round < 3; round++) {
        service.clock.advance(20)
        await Promise.all([0, 0, 0, 0].map(() => resolveSettlements(service.app.services)))
      }
      await service.simulator.resetScript()
      await resolveSettled(shop)
      equal((await eventsOf(service, id)).length, 1)
      await assertSoundBooks(service)
    }
  })

  test('PAY-6: a writer with an older epoch records nothing', async () => {
    await using shop = await openShop()
    const { service } = shop
    await service.simulator.script({ latency: { minMs: 600, maxMs: 600 } })
    const settling = shop.settle()
    await until('it is at the gateway', async () => (await settlementsOf(shop)).length === 1)
    await using book = moneyRows(service.databaseUrl)
    await book.query("update batch set epoch = epoch + 1 where status = 'settling'")
    await settling
    equal((await book.query("select from batch where status = 'settling'")).length, 1)
    deepEqual(await book.query("select from event where type like 'batch.%'"), [])
    await service.simulator.resetScript()
    await resolveSettled(shop)
    equal((await book.query("select from event where type = 'batch.settled'")).length, 1)
    await assertSoundBooks(service)
  })
})

describe('a payment that is recorded while its batch is settled', { concurrency: 2 }, () => {
  test('REF-20: its sale was approved before the settlement and recorded after it: it is in the settled batch', async () => {
    await using shop = await openShop()
    const { service } = shop
    const sales = async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale').length
    await service.simulator.script({ latency: { minMs: 1_200, maxMs: 1_200 } })
    const selling = sellTo(service, shop.stored)
    await until('the gateway has approved it', async () => (await sales()) === 2)
    await service.simulator.resetScript()
    const { id: first } = (await shop.settle({ expected_net_amount: 37.84 })).body.batch
    const { recordID } = (await selling).body
    await using book = moneyRows(service.databaseUrl)
    const batchOf = async (id: string) =>
      (await book.query<{ batch_id: string | null }>('select batch_id from payment where id = $1', [id]))[0]?.batch_id
    equal(await batchOf(recordID), null)

    const { recordID: later } = (await sellTo(service, shop.stored, { amount: 2 })).body
    const { id: second } = (await shop.settle({ expected_net_amount: 2 })).body.batch

    deepEqual([await batchOf(recordID), await batchOf(later)], [first, second])
    const { ours, theirs } = await heldBy(shop)
    deepEqual(ours, theirs)
    await assertSoundBooks(service)
  })

  test('REF-20: the gateway does not say in which batch a late one is, for a whole batch: it is placed when it does', async () => {
    await using shop = await openShop()
    const { service } = shop
    const sales = async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale').length
    await service.simulator.script({ latency: { minMs: 1_200, maxMs: 1_200 } })
    const selling = sellTo(service, shop.stored)
    await until('the gateway has approved it', async () => (await sales()) === 2)
    await service.simulator.resetScript()
    const { id: first } = (await shop.settle({ expected_net_amount: 37.84 })).body.batch
    const { recordID } = (await selling).body
    await using book = moneyRows(service.databaseUrl)
    // As old as a payment that was being recorded can be: the next batch would begin after it.
    const [moved] = await book.query<{ id: string }>(
      `update payment set id = overlay(b.after_payment_id::text placing 'f' from 36)::uuid from batch b
       where payment.id = $1 and b.status = 'open' and b.currency = 'USD' returning payment.id`,
      [recordID],
    )
    const gateway = service.app.services.gateways('simulator')
    const { inquire } = gateway
    Object.assign(gateway, { inquire: async () => ({ found: 'indeterminate' }) })
    await sellTo(service, shop.stored, { amount: 2 })
    equal((await shop.settle({ expected_net_amount: 2 })).status, 200)
    Object.assign(gateway, { inquire })
    await sellTo(service, shop.stored, { amount: 3 })
    equal((await shop.settle({ expected_net_amount: 3 })).status, 200)

    const rows = await book.query<{ batch_id: string | null }>('select batch_id from payment where id = $1', [
      moved?.id,
    ])
    deepEqual(rows, [{ batch_id: first }])
    const { ours, theirs } = await heldBy(shop)
    deepEqual(ours, theirs)
  })

  test('REF-20: sales that race settlements are each in exactly the batch that the gateway has them in', async () => {
    await using shop = await openShop()
    const { service } = shop
    await service.simulator.script({ latency: { minMs: 0, maxMs: 200 } })
    let selling = true
    const sell = async (worker: number) => {
      for (let count = 0; selling; count++) {
        const token = await merchantOf(service).sessionToken({ customer_email: `w${worker}-${count}@example.com` })
        await payerOf(service).pay(token, payBody(CARDS.visa))
      }
    }
    const workers = Array.from({ length: 4 }, (_, worker) => sell(worker))
    let settled = 0
    for (let round = 0; round < 6; round++) {
      await sleep(300)
      if ((await shop.settle()).status === 200) settled++
    }
    selling = false
    await Promise.all(workers)
    await service.simulator.resetScript()
    ok(settled >= 4, `${settled} settlements`)
    // The last one places what the others left.
    await sellTo(service, shop.stored)
    equal((await shop.settle()).status, 200)
    const { ours, theirs } = await heldBy(shop)
    deepEqual(ours, theirs)
    await assertSoundBooks(service)
  })

  test('REF-20: a refund whose result was lost is in the batch in which the gateway made it', async () => {
    await using shop = await openShop()
    const { service } = shop
    const { body: sale } = await sellTo(service, shop.stored)
    await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_recorded' }] })
    const order = { business: await businessOf(service), paymentId: sale.recordID, amount: null }
    equal((await refundPayment(service.app.services, order)).status, 'pending')
    equal((await shop.settle({ expected_net_amount: 25.5 })).status, 200)
    await resolveOperations(service.app.services)
    await resolveAll(service)
    await sellTo(service, shop.stored)
    equal((await shop.settle()).status, 200)
    const { ours, theirs } = await heldBy(shop)
    deepEqual(ours, theirs)
    await assertSoundBooks(service)
  })
})
