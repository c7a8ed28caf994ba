import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findOperation, renewDeadline } from '../../server/payments/operation-queries.ts'
import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { moneyRows } from '../support/money-rows.ts'
import { fromNow, sharedService } from '../support/shared-services.ts'
import { resolveAll, resolveNext, type ServiceWithClock } from '../support/silent-gateway.ts'
import { type StoredCardIds, storeCard } from '../support/stored-card.ts'
import { payForSubscription } from '../support/subscription-payment.ts'

// REF-7, FLT-21, FLT-22: a refund whose outcome the gateway does not say.

type Outcome =
  | 'silent_recorded'
  | 'silent_not_recorded'
  | 'reset_recorded'
  | 'reset_not_recorded'
  | 'http_500_not_recorded'
  | 'garbled_recorded'

async function eventTypes({ databaseUrl }: ServiceWithClock, payment: string): Promise<string[]> {
  await using book = moneyRows(databaseUrl)
  const rows = await book.query<{ type: string }>('select type from event where object_id = $1 order by sequence', [
    payment,
  ])
  return rows.map(({ type }) => type).slice(1)
}

describe('a refund without a result', () => {
  const opened = sharedService()
  let stored: StoredCardIds
  before(async () => {
    stored = await storeCard(opened(), 'ana@example.com')
  })
  const paid = async () => (await payForSubscription(opened(), stored)).id

  for (const outcome of ['silent_recorded', 'reset_recorded', 'garbled_recorded'] as Outcome[]) {
    test(`FLT-22: ${outcome}: it is pending, its amount is reserved, and it is recorded once when it is found`, async () => {
      const service = opened()
      const api = merchantApiOf(service)
      const payment = await paid()
      const since = await fromNow(service)
      await service.simulator.script({ outcomes: [{ op: 'refund', outcome }] })
      const { status, body } = await api.post('/refunds', { payment, amount: 500 })
      deepEqual([status, body.status, body.amount], [201, 'pending', 500])
      deepEqual((await api.get(`/refunds/${body.id}`)).body, body)
      equal((await api.post('/refunds', { payment, amount: 1 })).status, 409)
      equal((await api.post('/voids', { payment })).status, 409)

      await resolveAll(service)

      equal((await api.get(`/refunds/${body.id}`)).body.status, 'succeeded')
      equal((await since.recordedRows('refund')).length, 1)
      deepEqual(await eventTypes(service, payment), ['payment.partially_refunded'])
      equal((await api.post('/refunds', { payment })).body.amount, 734)
    })
  }

  for (const outcome of ['silent_not_recorded', 'reset_not_recorded', 'http_500_not_recorded'] as Outcome[]) {
    test(`REF-7: ${outcome}: once that is final it is sent again under the same reference, and made once`, async () => {
      const service = opened()
      const api = merchantApiOf(service)
      const payment = await paid()
      const since = await fromNow(service)
      await service.simulator.script({ outcomes: [{ op: 'refund', outcome }] })
      const { body } = await api.post('/refunds', { payment })
      equal(body.status, 'pending')

      await resolveNext(service)
      equal((await since.recordedRows('refund')).length, 0, 'it is not sent again while the first request may arrive')
      await resolveAll(service)

      equal((await api.get(`/refunds/${body.id}`)).body.status, 'succeeded')
      const rows = (await since.rows()).filter(({ op }) => op === 'refund')
      equal(new Set(rows.map(({ merchantRef }) => merchantRef)).size, 1)
      equal(rows.filter(({ recorded }) => recorded).length, 1)
      deepEqual(await eventTypes(service, payment), ['payment.refunded'])
    })
  }

  test('REF-7: a gateway that cannot be reached is a failed refund, and nothing stays reserved', async () => {
    const service = opened()
    const api = merchantApiOf(service)
    const payment = await paid()
    const { body } = await service.whileGatewayAway(() => api.post('/refunds', { payment }))
    deepEqual([body.status, body.failure_reason], ['failed', 'gateway_unavailable'])
    equal((await api.post('/refunds', { payment })).body.status, 'succeeded')
  })

  test('FLT-22: a result that comes late is recorded by itself, also when inquiries find nothing', async () => {
    const service = opened()
    const api = merchantApiOf(service)
    const payment = await paid()
    await service.simulator.script({
      outcomes: [
        { op: 'refund', outcome: 'approved_slowly' },
        { op: 'inquire', outcome: 'indeterminate', times: 1_000 },
      ],
    })
    const { body } = await api.post('/refunds', { payment })
    equal(body.status, 'pending')
    await resolveNext(service)
    await using book = moneyRows(service.databaseUrl)
    while ((await book.countOpen()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
    equal((await api.get(`/refunds/${body.id}`)).body.status, 'succeeded')
  })

  test('FLT-22: four recoveries at once, and one that outlives its lease, refund once and report it once', async () => {
    for (const outcome of ['silent_recorded', 'silent_not_recorded'] as Outcome[]) {
      const service = opened()
      const api = merchantApiOf(service)
      const payment = await paid()
      const since = await fromNow(service)
      await service.simulator.script({ outcomes: [{ op: 'refund', outcome }] })
      await api.post('/refunds', { payment })
      await service.simulator.script({ latency: { minMs: 300, maxMs: 300 } })
      const rounds = [0, 0, 0, 0, 20, 20].map((seconds) => {
        service.clock.advance(2 + seconds)
        return resolveOperations(service.app.services)
      })
      await Promise.all(rounds)
      await resolveAll(service)

      equal((await since.recordedRows('refund')).length, 1, outcome)
      deepEqual(await eventTypes(service, payment), ['payment.refunded'])
      await service.simulator.resetScript()
    }
  })

  test('PAY-6: a recovery with an older epoch records nothing', async () => {
    const service = opened()
    const api = merchantApiOf(service)
    const payment = await paid()
    const since = await fromNow(service)
    await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_recorded' }] })
    await api.post('/refunds', { payment })
    await service.simulator.script({ latency: { minMs: 400, maxMs: 400 } })
    service.clock.advance(2)
    const slow = resolveOperations(service.app.services)
    await using book = moneyRows(service.databaseUrl)
    while ((await since.operations('refund'))[0]?.epoch === 1) await new Promise((resolve) => setTimeout(resolve, 20))
    await book.query("update operation set epoch = epoch + 1 where kind = 'refund' and state in ('SENT', 'IN_DOUBT')")
    await slow
    ok((await book.countOpen()) > 0)
    deepEqual(await eventTypes(service, payment), [])
    await service.simulator.resetScript()
    await resolveAll(service)
    deepEqual(await eventTypes(service, payment), ['payment.refunded'])
  })

  test('REC-6: only the owner of the epoch sends a refund again', async () => {
    const service = opened()
    await using book = moneyRows(service.databaseUrl)
    const payment = await paid()
    await service.simulator.script({ outcomes: [{ op: 'refund', outcome: 'silent_not_recorded' }] })
    await merchantApiOf(service).post('/refunds', { payment })
    const { db, clock } = service.app.services
    const [row] = await book.query<{ business_id: string; id: string }>(
      "update operation set epoch = epoch + 1 where kind = 'refund' and state in ('SENT', 'IN_DOUBT') returning business_id, id",
    )
    const refund = row && (await findOperation(db, row.business_id, row.id))
    ok(refund)
    equal(await renewDeadline(db, { ...refund, epoch: refund.epoch - 1 }, clock.now()), false)
    equal(await renewDeadline(db, refund, clock.now()), true)
    await resolveAll(service)
  })
})
