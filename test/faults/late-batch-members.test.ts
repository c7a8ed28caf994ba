import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findTerminal } from '../../server/businesses/terminal-queries.ts'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { completeBatches } from '../../server/payments/batches/complete-batches.ts'
import { settleBatch } from '../../server/payments/batches/settle-batch.ts'
import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { refundPayment } from '../../server/payments/refunds/refund-payment.ts'
import { heldBy } from '../support/batch-members.ts'
import { type BatchShop, batchShopOf } from '../support/batch-shop.ts'
import { businessOf } from '../support/business-of.ts'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { moneyRows } from '../support/money-rows.ts'
import { fromNow, sharedService } from '../support/shared-services.ts'
import { openServiceWithClock, resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { sellTo } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// REF-20: payments and refunds that are recorded while their batch is settled.

type Shop = BatchShop & { service: ServiceWithClock }

/** Settles in a process that dies once the settlement is recorded. */
async function settleDying({ service }: Shop): Promise<void> {
  const { services } = service.app
  const business = await businessOf(service)
  const terminal = await findTerminal(services.db, business.id, 'USD')
  if (!terminal) throw new Error('The demo business has no terminal')
  const reach = (place: FaultPlace) => {
    if (place === 'after:result_commit') throw new Error('The process died')
  }
  await settleBatch({ ...services, faults: { reach } }, { business, terminal, expectedNet: null })
}

describe('a payment that is recorded while its batch is settled', () => {
  // In real time, so that even on a slow machine a sale of 1.2 s gets its response.
  const opened = sharedService({ timeScale: 1 })
  let shop: Shop
  before(async () => {
    shop = await batchShopOf(opened())
  })

  /** Begins a batch with a sale of 25.50. */
  async function nextBatch() {
    const service = opened()
    await shop.settle()
    equal((await sellTo(service, shop.stored, { amount: 25.5 })).body.ok, true)
    const { id } = (await shop.balance()).body.batch
    const since = await fromNow(service)
    const sales = async () => (await since.rows()).filter(({ op }) => op === 'sale').length
    return { service, first: id as string, sales }
  }

  for (const dies of [false, true]) {
    const who = dies ? ', whose process dies then' : ''
    test(`REF-20: its sale was approved before the settlement${who} and recorded after: it is in the settled batch`, async () => {
      const { service, first, sales } = await nextBatch()
      await service.simulator.script({ latency: { minMs: 1_200, maxMs: 1_200 } })
      const selling = sellTo(service, shop.stored)
      await until('the gateway has approved it', async () => (await sales()) === 1)
      await service.simulator.resetScript()
      if (dies) await rejects(settleDying(shop), /The process died/)
      else equal((await shop.settle({ expected_net_amount: 37.84 })).status, 200)
      const { recordID } = (await selling).body
      await using book = moneyRows(service.databaseUrl)
      const batchOf = async (id: string) =>
        (await book.query<{ batch_id: string | null }>('select batch_id from payment where id = $1', [id]))[0]?.batch_id

      // The worker of the service does the same.
      service.clock.advance(61 * service.timeScale)
      await completeBatches(service.app.services)
      equal(await batchOf(recordID), first)
      service.clock.advance(900 * service.timeScale)
      await until('nothing is left to inquire about', async () => {
        await completeBatches(service.app.services)
        return (await book.query('select from batch where next_inquiry_at is not null')).length === 0
      })

      const { recordID: later } = (await sellTo(service, shop.stored, { amount: 2 })).body
      const { id: second } = (await shop.settle({ expected_net_amount: 2 })).body.batch
      deepEqual([await batchOf(recordID), await batchOf(later)], [first, second])
      const { ours, theirs } = await heldBy(shop)
      deepEqual(ours, theirs)
    })
  }

  test('REF-20: the gateway does not say in which batch a late one is, for a whole batch: it is placed when it does', async () => {
    // A service of its own: the payment gets another id, which its event does not have.
    await using shop = await batchShopOf(await openServiceWithClock({ timeScale: 1 }))
    const { service } = shop
    const sales = async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale').length
    await service.simulator.script({ latency: { minMs: 1_200, maxMs: 1_200 } })
    const selling = sellTo(service, shop.stored)
    await until('the gateway has approved it', async () => (await sales()) === 2)
    await service.simulator.resetScript()
    const { id: first } = (await shop.settle({ expected_net_amount: 37.84 })).body.batch
    const { recordID } = (await selling).body
    await using book = moneyRows(service.databaseUrl)
    // As old as a payment that is being recorded can be: the next batch would begin after it.
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
    const { service, sales } = await nextBatch()
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
      const earlier = await sales()
      await until('more is sold', async () => (await sales()) >= earlier + 4)
      if ((await shop.settle()).status === 200) settled++
    }
    selling = false
    await Promise.all(workers)
    await service.simulator.resetScript()
    ok(settled >= 4, `${settled} settlements`)
    // The last one assigns what the others have left.
    await sellTo(service, shop.stored)
    equal((await shop.settle()).status, 200)
    const { ours, theirs } = await heldBy(shop)
    deepEqual(ours, theirs)
  })

  test('REF-20: a refund whose result was lost is in the batch in which the gateway made it', async () => {
    const { service } = await nextBatch()
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
  })
})
