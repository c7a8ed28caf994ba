import { deepEqual, equal } from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { resolveSettlements } from '../../server/payments/batches/resolve-settlements.ts'
import { heldBy } from '../support/batch-members.ts'
import { type BatchShop, batchShopOf } from '../support/batch-shop.ts'
import { loseResponse, signIn } from '../support/dashboard.ts'
import { moneyRows } from '../support/money-rows.ts'
import { eventsOf } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { fromNow, sharedService } from '../support/shared-services.ts'
import type { ServiceWithClock } from '../support/silent-gateway.ts'
import { sellTo } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// REF-20, REF-21: settlements without a result, and payments that are recorded while their batch is settled.

type Shop = BatchShop & { service: ServiceWithClock }

/** Sets the clock forward until no batch is being settled. */
async function resolveSettled({ service }: Shop): Promise<void> {
  await using book = moneyRows(service.databaseUrl)
  for (let round = 0; round < 60; round++) {
    service.clock.advance(20 * service.timeScale)
    await resolveSettlements(service.app.services)
    if ((await book.query("select from batch where status = 'settling'")).length === 0) return
  }
  throw new Error('A settlement is still open')
}

describe('a settlement without a result', () => {
  const opened = sharedService()
  let shop: Shop
  before(async () => {
    shop = await batchShopOf(opened())
  })

  /** Begins a batch with a sale of 25.50. */
  async function nextBatch() {
    const service = opened()
    await shop.settle()
    const { body } = await sellTo(service, shop.stored, { amount: 25.5 })
    equal(body.ok, true, JSON.stringify(body))
    const { id, number } = (await shop.balance()).body.batch
    const since = await fromNow(service)
    const settlements = async () => (await since.recordedRows('settle')).length
    return { service, id: id as string, number: number as number, settlements }
  }

  for (const outcome of ['silent_recorded', 'reset_recorded', 'garbled_recorded'] as const) {
    test(`REF-21: ${outcome}: it is 417 until it is resolved, settled once, and reported once`, async () => {
      const { service, id, number, settlements } = await nextBatch()
      await service.simulator.script({ outcomes: [{ op: 'settle', outcome }] })
      const response = await shop.settle()
      assertRefused(response, 417, 'batch_failed')
      equal(response.body.gateway.code, 'gateway_timeout')
      assertRefused(await shop.settle(), 409, 'conflict')
      equal((await sellTo(service, shop.stored)).body.ok, true, 'sales go on')

      await resolveSettled(shop)

      equal(await settlements(), 1)
      const usd = (await shop.api.get('/batches')).body.data.filter(
        ({ currency }: { currency: string }) => currency === 'usd',
      )
      deepEqual(
        usd.slice(0, 2).map((one: { number: number; status: string }) => [one.number, one.status]),
        [
          [number + 1, 'open'],
          [number, 'settled'],
        ],
      )
      deepEqual(
        (await eventsOf(service, id)).map(({ type }) => type),
        ['batch.settled'],
      )
      equal((await shop.settle({ expected_net_amount: 12.34 })).status, 200)
      const { ours, theirs } = await heldBy(shop)
      deepEqual(ours, theirs)
    })
  }

  test('DSH-4: the process of a person ends before the outcome is known: the same key finds what became of it', async () => {
    const { service, settlements } = await nextBatch()
    const owner = await signIn(service)
    const key = newId()
    const settle = () => owner.call('POST /batches/current/settle', { body: { expected_net_amount: 2_550 }, key })
    await service.simulator.script({ outcomes: [{ op: 'settle', outcome: 'reset_recorded' }] })
    equal((await settle()).status, 417)
    await loseResponse(service, key)
    const early = await settle()
    deepEqual([early.status, early.body.error.code], [409, 'conflict'])

    await resolveSettled(shop)

    const at = service.clock.now()
    const { db } = service.app.services
    await db.updateTable('auth_session').set({ last_seen_at: at }).where('id', '=', owner.sessionId).execute()
    const found = await settle()
    deepEqual([found.status, found.body.status, found.body.net_amount], [200, 'settled', 2_550])
    equal(found.headers.get('idempotent-replayed'), 'true')
    equal(await settlements(), 1)
  })

  for (const outcome of ['silent_not_recorded', 'reset_not_recorded', 'http_500_not_recorded'] as const) {
    test(`REF-21: ${outcome}: once that is final the batch is open again, and nothing is settled by itself`, async () => {
      const { service, id, number, settlements } = await nextBatch()
      await service.simulator.script({ outcomes: [{ op: 'settle', outcome }] })
      equal((await shop.settle()).body.gateway.code, 'gateway_timeout')
      service.clock.advance(2)
      await resolveSettlements(service.app.services)
      assertRefused(await shop.settle(), 409, 'conflict')

      await resolveSettled(shop)

      equal(await settlements(), 0)
      equal((await shop.balance()).body.batch.number, number)
      deepEqual(
        (await eventsOf(service, id)).map(({ type }) => type),
        ['batch.settle_failed'],
      )
      equal((await shop.settle({ expected_net_amount: 25.5 })).status, 200)
    })
  }

  test('REF-21: a result that comes late is recorded by itself', async () => {
    const { service, number } = await nextBatch()
    await service.simulator.script({ outcomes: [{ op: 'settle', outcome: 'approved_slowly' }] })
    equal((await shop.settle()).body.gateway?.code, 'gateway_timeout')
    await until('it is recorded', async () => (await shop.balance()).body.batch.number === number + 1)
  })

  test('REF-21: a gateway that cannot be reached settles nothing, and the batch is open at once', async () => {
    const { service } = await nextBatch()
    const gateway = service.app.services.gateways('simulator')
    const { settle } = gateway
    Object.assign(gateway, { settle: async () => ({ outcome: 'not_sent', message: 'ECONNREFUSED' }) })
    equal((await shop.settle()).body.gateway.code, 'gateway_unavailable')
    Object.assign(gateway, { settle })
    equal((await shop.settle()).status, 200)
  })

  test('REF-21: four recoveries at once record it once', async () => {
    for (const outcome of ['silent_recorded', 'silent_not_recorded'] as const) {
      const { service, id } = await nextBatch()
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
    }
  })

  test('PAY-6: a writer with an older epoch records nothing', async () => {
    const { service, id, settlements } = await nextBatch()
    await service.simulator.script({ latency: { minMs: 600, maxMs: 600 } })
    await using book = moneyRows(service.databaseUrl)
    await book.query('select from batch')
    const settling = shop.settle()
    // In one statement, so that a busy machine has the whole latency of the gateway for it.
    const takeOver = "update batch set epoch = epoch + 1 where status = 'settling' returning epoch"
    await until('it is taken over', async () => (await book.query(takeOver)).length === 1)
    await settling
    equal(await settlements(), 1)
    equal((await book.query("select from batch where status = 'settling'")).length, 1)
    deepEqual(await eventsOf(service, id), [])
    await service.simulator.resetScript()
    await resolveSettled(shop)
    deepEqual(
      (await eventsOf(service, id)).map(({ type }) => type),
      ['batch.settled'],
    )
  })
})
