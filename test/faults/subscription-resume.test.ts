import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { moneyRows } from '../support/money-rows.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { makeSubscriber, subscriptionBody } from '../support/subscriber.ts'
import { until } from '../support/until.ts'

// SUB-32, SUB-33: a process that is killed in the middle of a resume that charges.

describe('A process is killed in the middle of a resume', () => {
  let service: KillableService
  before(async () => {
    service = await openKillableService()
  })
  after(() => service[Symbol.asyncDispose]())

  test('before the intent is committed: nothing is recorded, and the same request works when its key is free', async () => {
    const resuming = await openResuming(service)
    await resuming.killedAt('before:intent_commit')
    deepEqual(await resuming.states(), [])
    await resuming.assertResumed()
    deepEqual(await resuming.states(), ['APPROVED'])
  })

  test('before the request is sent: it ends as not charged, and the same request works', async () => {
    const resuming = await openResuming(service)
    await resuming.killedAt('after:intent_commit')
    await resuming.assertStillPaused()
    deepEqual(await resuming.states(), ['NOT_CHARGED'])
    await resuming.assertResumed()
  })

  test('after the result arrived: the approval is found and reversed, and the same request works', async () => {
    const resuming = await openResuming(service)
    await resuming.killedAt('after:gateway_result')
    await resuming.assertStillPaused()
    deepEqual(await resuming.states(), ['REVERSED'])
    await resuming.assertResumed()
  })

  test('before the response: it is resumed, and the same request gets the response', async () => {
    const resuming = await openResuming(service)
    await resuming.killedAt('after:result_commit')
    await resuming.assertResumed()
    deepEqual(await resuming.states(), ['APPROVED'])
  })
})

/** Creates a paused subscription, to be resumed by a charge. */
async function openResuming(service: KillableService) {
  const api = merchantApiOf(service)
  const id = await pausedSubscription(service)
  const earlier = await resumeSales(service)
  const { body: preview } = await api.post(`/subscriptions/${id}/resume/preview`, { billing_cycle_anchor: 'now' })
  const resume = () =>
    api.post(`/subscriptions/${id}/resume`, {
      billing_cycle_anchor: 'now',
      proration_behavior: 'none',
      quote_hash: preview.quote_hash,
      idempotency_key: id,
    })
  return {
    async killedAt(fault: FaultPlace): Promise<void> {
      await service.dieAt(fault)
      await rejects(resume())
      await service.ended()
      await service.start()
    },
    /** Returns the states of its sales. */
    states: async (): Promise<string[]> => (await resumeSales(service)).slice(earlier.length),
    async assertStillPaused(): Promise<void> {
      await assertSoundBooks(service, 60_000)
      const { body } = await api.get(`/subscriptions/${id}`)
      deepEqual([body.status, body.installments_billed, body.pause.status], ['paused', 1, 'active'])
      equal((await api.get(`/subscriptions/${id}/payments`)).body.data.length, 1)
      const again = await api.post(`/subscriptions/${id}/resume/preview`, { billing_cycle_anchor: 'now' })
      equal(again.body.quote_hash, preview.quote_hash)
    },
    /** Resumes with the same request, once the key of the dead process is free. */
    async assertResumed(): Promise<void> {
      await until('the request is done', async () => (await resume()).status === 200, 30_000)
      const { body } = await resume()
      deepEqual([body.status, body.installments_billed, body.payment.trigger], ['active', 2, 'resume'])
      equal((await api.get(`/subscriptions/${id}/payments`)).body.data.length, 2)
      await assertSoundBooks(service)
    },
  }
}

/** Returns the states of the sales of all resumes. */
async function resumeSales({ databaseUrl }: KillableService): Promise<string[]> {
  await using book = moneyRows(databaseUrl)
  const sql = "select state from operation where owner_kind = 'subscription_resume' and kind = 'sale' order by id"
  return (await book.query<{ state: string }>(sql)).map(({ state }) => state)
}

/** Creates a paused subscription of a new customer; the paid time is refunded. */
async function pausedSubscription(service: KillableService): Promise<string> {
  const ana = await makeSubscriber(service)
  const { id } = await ana.api.made('/subscriptions', subscriptionBody(ana))
  const refund = { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'RF-1' }
  equal((await ana.api.post(`/subscriptions/${id}/pause`, refund)).status, 200)
  return id
}
