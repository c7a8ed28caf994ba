import { deepEqual, equal, match } from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Gateway } from '../../server/gateway/gateway.ts'
import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { moneyRows } from '../support/money-rows.ts'
import { fromNow, sharedService } from '../support/shared-services.ts'
import { resolveAll, resolveNext, type ServiceWithClock } from '../support/silent-gateway.ts'
import { type StoredCardIds, storeCard } from '../support/stored-card.ts'
import { payForSubscription } from '../support/subscription-payment.ts'

// REF-11: a void whose outcome the gateway does not report.

async function stateOf({ databaseUrl }: ServiceWithClock, payment: string) {
  await using book = moneyRows(databaseUrl)
  const [row] = await book.query<{ status: string }>('select status from payment where id = $1', [payment])
  const events = await book.query<{ type: string }>('select type from event where object_id = $1 order by sequence', [
    payment,
  ])
  return [row?.status, ...events.map(({ type }) => type).slice(1)]
}

describe('a void without a result', () => {
  const opened = sharedService()
  let stored: StoredCardIds
  before(async () => {
    stored = await storeCard(opened(), 'ana@example.com')
  })
  const paid = async () => (await payForSubscription(opened(), stored)).id

  /** Replaces the gateway's voids while the work is done. */
  async function withVoids(replace: (send: Gateway['void']) => Gateway['void'], work: () => Promise<void>) {
    const gateway = opened().app.services.gateways('simulator')
    const { void: send } = gateway
    Object.assign(gateway, { void: replace(send) })
    try {
      await work()
    } finally {
      Object.assign(gateway, { void: send })
    }
  }

  for (const outcome of ['silent_recorded', 'silent_not_recorded', 'reset_recorded', 'reset_not_recorded'] as const) {
    test(`FLT-17: ${outcome}: 500 until it is resolved, and the payment ends voided, once`, async () => {
      const service = opened()
      const api = merchantApiOf(service)
      const payment = await paid()
      await service.simulator.script({ outcomes: [{ op: 'void', outcome }] })
      const { status, body } = await api.post('/voids', { payment })
      deepEqual([status, body.error.code], [500, 'internal_error'])
      match(body.error.message, /being resolved/)
      deepEqual(await stateOf(service, payment), ['succeeded'])
      equal((await api.post('/voids', { payment })).status, 409)
      equal((await api.post('/refunds', { payment })).status, 409)

      await resolveAll(service)

      deepEqual(await stateOf(service, payment), ['voided', 'payment.voided'])
    })
  }

  test('FLT-17: declined, and the response is lost: the payment stays succeeded, and is refundable', async () => {
    const service = opened()
    const api = merchantApiOf(service)
    const payment = await paid()
    await service.simulator.script({ outcomes: [{ op: 'void', outcome: 'declined_reset' }] })
    equal((await api.post('/voids', { payment })).status, 500)

    await resolveAll(service)

    deepEqual(await stateOf(service, payment), ['succeeded'])
    equal((await api.post('/refunds', { payment })).body.status, 'succeeded')
  })

  test('FLT-17: the batch closes before the void is sent again: the payment stays succeeded, and is refundable', async () => {
    const service = opened()
    const api = merchantApiOf(service)
    const payment = await paid()
    await service.simulator.script({ outcomes: [{ op: 'void', outcome: 'silent_not_recorded' }] })
    equal((await api.post('/voids', { payment })).status, 500)
    const [sale] = await service.simulator.rows()
    await service.simulator.settle(sale?.terminal ?? '', 'USD')

    await resolveAll(service)

    deepEqual(await stateOf(service, payment), ['succeeded'])
    equal((await api.post('/refunds', { payment })).body.status, 'succeeded')
  })

  test('a gateway that cannot be reached is 503, and nothing is voided or blocked', async () => {
    const service = opened()
    const api = merchantApiOf(service)
    const payment = await paid()
    const { status, body } = await service.whileGatewayAway(() => api.post('/voids', { payment }))
    deepEqual([status, body.error.code], [503, 'unavailable'])
    deepEqual(await stateOf(service, payment), ['succeeded'])
    equal((await api.post('/voids', { payment })).body.status, 'voided')
  })

  test('REF-11: its process was suspended, and recovery sent it: the response is the outcome, not 503', async () => {
    const service = opened()
    const payment = await paid()
    let calls = 0
    const suspended = (send: Gateway['void']): Gateway['void'] => {
      return async (request) => {
        calls += 1
        if (calls > 1) return send(request)
        service.clock.advance(60 * service.timeScale)
        await resolveOperations(service.app.services)
        return { outcome: 'not_sent', message: 'the deadline has passed' }
      }
    }
    await withVoids(suspended, async () => {
      const { status, body } = await merchantApiOf(service).post('/voids', { payment })
      deepEqual([status, body.status, calls], [200, 'voided', 2])
    })
    deepEqual(await stateOf(service, payment), ['voided', 'payment.voided'])
  })

  test('REF-11: it is declined when it is sent again, and then the first request arrives: the payment ends voided', async () => {
    const service = opened()
    const payment = await paid()
    const calls: Parameters<Gateway['void']>[0][] = []
    const { void: send } = service.app.services.gateways('simulator')
    // A gateway that processes each request, even with a reference that it already has.
    const late = (): Gateway['void'] => async (request) => {
      calls.push(request)
      if (calls.length === 1) return { outcome: 'unknown', message: 'ECONNRESET' }
      return { outcome: 'declined', code: 'ND', advice: 'none', message: 'DECLINED' }
    }
    await withVoids(late, async () => {
      equal((await merchantApiOf(service).post('/voids', { payment })).status, 500)
      while (calls.length < 2) await resolveNext(service)
      deepEqual(await stateOf(service, payment), ['succeeded'])
      const [first] = calls
      if (first) await send({ ...first, signal: AbortSignal.timeout(1_000), mayStillSend: () => true })

      await resolveAll(service)
    })
    deepEqual(await stateOf(service, payment), ['voided', 'payment.voided'])
  })

  test('four recoveries at once void once and report it once', async () => {
    const service = opened()
    const payment = await paid()
    const since = await fromNow(service)
    await service.simulator.script({ outcomes: [{ op: 'void', outcome: 'silent_not_recorded' }] })
    await merchantApiOf(service).post('/voids', { payment })
    await service.simulator.script({ latency: { minMs: 300, maxMs: 300 } })
    const rounds = [0, 0, 0, 0, 20, 20].map((seconds) => {
      service.clock.advance(2 + seconds)
      return resolveOperations(service.app.services)
    })
    await Promise.all(rounds)
    await resolveAll(service)

    equal((await since.recordedRows('void')).length, 1)
    deepEqual(await stateOf(service, payment), ['voided', 'payment.voided'])
  })
})
