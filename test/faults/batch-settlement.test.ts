import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { resolveSettlements } from '../../server/payments/batches/resolve-settlements.ts'
import { heldBy } from '../support/batch-members.ts'
import { type BatchShop, batchShopOf } from '../support/batch-shop.ts'
import { loseResponse, signIn } from '../support/dashboard.ts'
import { moneyRows } from '../support/money-rows.ts'
import { eventsOf } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { openServiceWithClock, type ServiceWithClock } from '../support/silent-gateway.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { sellTo } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// REF-20, REF-21: settlements without a result, and payments that are recorded while their batch is settled.

type Shop = BatchShop & { service: ServiceWithClock }

const openShop = async (): Promise<Shop> => batchShopOf(await openServiceWithClock())

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

const settlementsOf = async ({ service }: Shop) =>
  (await service.simulator.rows()).filter(({ op, recorded }) => op === 'settle' && recorded)

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

  test('DSH-4: the process of a person ends before the outcome is known: the same key finds what became of it', async () => {
    await using shop = await openShop()
    const { service } = shop
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
    equal((await settlementsOf(shop)).length, 1)
    await assertSoundBooks(service)
  })

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
    await using book = moneyRows(service.databaseUrl)
    await book.query('select from batch')
    const settling = shop.settle()
    // In one statement, so that a busy machine has the whole latency of the gateway for it.
    const takeOver = "update batch set epoch = epoch + 1 where status = 'settling' returning epoch"
    await until('it is taken over', async () => (await book.query(takeOver)).length === 1)
    await settling
    equal((await settlementsOf(shop)).length, 1)
    equal((await book.query("select from batch where status = 'settling'")).length, 1)
    deepEqual(await book.query("select from event where type like 'batch.%'"), [])
    await service.simulator.resetScript()
    await resolveSettled(shop)
    equal((await book.query("select from event where type = 'batch.settled'")).length, 1)
    await assertSoundBooks(service)
  })
})
