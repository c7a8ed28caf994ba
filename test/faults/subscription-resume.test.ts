import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { type KillableService, openKillableService } from '../support/killable-service.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { moneyRows } from '../support/money-rows.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { until } from '../support/until.ts'

// SUB-32, SUB-33: a process that is killed in the middle of a resume that charges.

const KEY = 'a-key-of-the-merchant'

describe('A process is killed in the middle of a resume', { concurrency: 2 }, () => {
  test('before the intent is committed: nothing is recorded, and the same request works when its key is free', async () => {
    await using resuming = await openResuming()
    await resuming.killedAt('before:intent_commit')
    deepEqual(await resuming.states(), [])
    await resuming.assertResumed()
    deepEqual(await resuming.states(), ['APPROVED'])
  })

  test('before the request is sent: it ends as not charged, and the same request works', async () => {
    await using resuming = await openResuming()
    await resuming.killedAt('after:intent_commit')
    await resuming.assertStillPaused()
    deepEqual(await resuming.states(), ['NOT_CHARGED'])
    await resuming.assertResumed()
  })

  test('after the result arrived: the approval is found and reversed, and the same request works', async () => {
    await using resuming = await openResuming()
    await resuming.killedAt('after:gateway_result')
    await resuming.assertStillPaused()
    deepEqual(await resuming.states(), ['REVERSED'])
    await resuming.assertResumed()
  })

  test('before the response: it is resumed, and the same request gets the response', async () => {
    await using resuming = await openResuming()
    await resuming.killedAt('after:result_commit')
    await resuming.assertResumed()
    deepEqual(await resuming.states(), ['APPROVED'])
  })
})

/** A paused subscription in a service that can be killed, to be resumed by a charge. */
async function openResuming() {
  const service = await openKillableService()
  const api = merchantApiOf(service)
  const id = await pausedSubscription(service)
  const { body: preview } = await api.post(`/subscriptions/${id}/resume/preview`, { billing_cycle_anchor: 'now' })
  const resume = () =>
    api.post(`/subscriptions/${id}/resume`, {
      billing_cycle_anchor: 'now',
      proration_behavior: 'none',
      quote_hash: preview.quote_hash,
      idempotency_key: KEY,
    })
  return {
    async killedAt(fault: FaultPlace): Promise<void> {
      await service.kill()
      await service.start({ fault })
      const lost = rejects(resume())
      await service.ended()
      await lost
      await service.start()
    },
    /** The states of the resume's sales. */
    async states(): Promise<string[]> {
      await using book = moneyRows(service.databaseUrl)
      const rows = await book.query<{ state: string }>(
        "select state from operation where owner_kind = 'subscription_resume' and kind = 'sale' order by id",
      )
      return rows.map(({ state }) => state)
    },
    async assertStillPaused(): Promise<void> {
      await assertSoundBooks(service, 60_000)
      const { body } = await api.get(`/subscriptions/${id}`)
      deepEqual([body.status, body.installments_billed, body.pause.status], ['paused', 1, 'active'])
      equal((await api.get(`/subscriptions/${id}/payments`)).body.data.length, 1)
      const again = await api.post(`/subscriptions/${id}/resume/preview`, { billing_cycle_anchor: 'now' })
      equal(again.body.quote_hash, preview.quote_hash)
    },
    /** By the same request, once the key of the process that died is free. */
    async assertResumed(): Promise<void> {
      await until('the request is done', async () => (await resume()).status === 200, 30_000)
      const { body } = await resume()
      deepEqual([body.status, body.installments_billed, body.payment.trigger], ['active', 2, 'resume'])
      equal((await api.get(`/subscriptions/${id}/payments`)).body.data.length, 2)
      await assertSoundBooks(service)
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** With a stored card; the paid time is refunded. */
async function pausedSubscription(service: KillableService): Promise<string> {
  const api = merchantApiOf(service)
  const token = await merchantOf(service).sessionToken()
  const { body: paid } = await payerOf(service).pay(token, payBody(undefined, { saveCard: true }))
  equal(paid.ok, true)
  const [card] = (await api.get('/payment_methods')).body.data
  const { id: product } = await api.made('/products', { name: 'Gold' })
  const price = await api.made('/prices', { product, unit_amount: 1234, recurring: { interval: 'month' } })
  const one = await api.made('/subscriptions', { customer: card.customer, payment_method: card.id, price: price.id })
  const refund = { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'RF-1' }
  equal((await api.post(`/subscriptions/${one.id}/pause`, refund)).status, 200)
  return one.id
}
