import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { SubscriptionPage } from '../../contract/dashboard/subscription-views.ts'
import type { TimelineEntry } from '../../contract/dashboard/timeline.ts'
import { newId } from '../../server/lib/ids.ts'
import { scriptSales } from '../support/billing.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { makeSubscriber, type Subscriber, subscribe } from '../support/subscriber.ts'

// Actions of people on a subscription, on its page and in the timelines of its payments.

let service: TestService
let ana: Subscriber
let owner: DashboardClient
let support: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  ana = await makeSubscriber(service)
  owner = await signIn(service)
  support = await signIn(service, { role: 'support' })
})
beforeEach(async () => {
  await service.simulator.resetScript()
  for (const { id } of (await ana.api.get('/subscriptions?limit=100&status=active')).body.data)
    await ana.api.delete(`/subscriptions/${id}`)
})
after(() => service.close())

const as = (person: DashboardClient) => (id: string, path: string, body: object) =>
  person.call(`POST /subscriptions/${id}${path}`, { body })
const pageOf = async (id: string): Promise<SubscriptionPage> => (await owner.call(`GET /subscriptions/${id}`)).body
/** Returns who began each operation of a payment. @param id of the payment or of its sale */
async function peopleOf(id: string): Promise<(string | null)[]> {
  const entries = (await owner.call(`GET /payments/${id}/timeline`)).body.data as TimelineEntry[]
  equal(entries.filter(({ type }) => type === 'audit').length, 0)
  return entries.flatMap((entry) => (entry.type === 'operation' ? [entry.by?.name ?? null] : []))
}
const advanceToBill = async (id: string) => {
  const { next_billing_at: to } = await pageOf(id)
  return ana.api.post('/test_clock/advance', { to })
}
const newestPayment = async (id: string) => (await ana.api.get(`/subscriptions/${id}/payments`)).body.data[0].id

describe('DSH-48: the timeline of a payment', () => {
  test('names who created the subscription that it began, also of a declined attempt, and nobody for an API key', async () => {
    const { customer, payment_method, price } = ana
    const body = { customer, payment_method, price }
    const made = await support.call('POST /subscriptions', { body })
    equal(made.status, 201, JSON.stringify(made.body))
    deepEqual(await peopleOf(await newestPayment(made.body.id)), [support.email])
    await scriptSales(service, 'declined')
    equal((await support.call('POST /subscriptions', { body: { ...body, tax_rate: 5 } })).status, 402)
    const [attempt] = (await owner.call('GET /payments')).body.data
    deepEqual(await peopleOf(attempt.id), [support.email])
    deepEqual(await peopleOf(await newestPayment(await subscribe(ana))), [null])
  })

  test('names who retried its bill: not of the attempts of the schedule', async () => {
    const id = await subscribe(ana)
    await scriptSales(service, 'declined', 'declined')
    await advanceToBill(id)
    const byItself = await newestPayment(id)
    const declined = (await as(support)(id, '/retry', {})).body
    const paid = (await as(owner)(id, '/retry', {})).body
    deepEqual([declined.outcome, paid.outcome], ['declined', 'approved'])
    deepEqual(
      [await peopleOf(byItself), await peopleOf(declined.payment), await peopleOf(paid.payment)],
      [[null], [support.email], [owner.email]],
    )
  })

  test('names who resumed the subscription', async () => {
    const id = await subscribe(ana)
    const given = { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'RF-1' }
    await as(owner)(id, '/pause', given)
    const { quote_hash } = (await as(support)(id, '/resume/preview', {})).body.now
    const order = { billing_cycle_anchor: 'now', proration_behavior: 'none', quote_hash }
    const resumed = await as(support)(id, '/resume', order)
    deepEqual(await peopleOf(resumed.body.payment.id), [support.email])
  })
})

describe('DSH-60: the page of a subscription', () => {
  test('has what people did about it, newest first, and what it sells', async () => {
    const id = await subscribe(ana, { items: [{ price: ana.price, quantity: 2 }], price: undefined })
    await as(support)(id, '/pause', { mode: 'period_end', reason: 'On holiday' })
    await as(owner)(id, '/pause-at-period-end/undo', {})
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await as(analyst)(id, '/pause', { mode: 'period_end' })).status, 403)
    const { view } = (await analyst.call(`GET /subscriptions/${id}`)).body as SubscriptionPage
    deepEqual(
      view.done.map(({ action, who }) => [action, who]),
      [
        ['subscription.undo_pause', owner.email],
        ['subscription.pause', support.email],
      ],
    )
    deepEqual(view.sold, [
      { product: ana.product, price: ana.price, name: 'Gold plan', quantity: 2, unit_amount: 2500 },
    ])
    equal((await owner.call(`GET /audit/${view.done[0]?.id}`)).body.action, 'subscription.undo_pause')
    deepEqual([view.bills.length, view.has_more_bills], [1, false])
  })

  test('says when it has more bills than it shows', async () => {
    const id = await subscribe(ana)
    const { db } = service.app.services
    const bill = await db.selectFrom('bill').selectAll().where('subscription_id', '=', id).executeTakeFirstOrThrow()
    const more = Array.from({ length: 24 }, (_none, index) => ({
      ...bill,
      id: newId(),
      period_no: bill.period_no + 1 + index,
      payment_id: null,
    }))
    await db.insertInto('bill').values(more.slice(0, 23)).execute()
    equal((await pageOf(id)).view.has_more_bills, false)
    await db.insertInto('bill').values(more.slice(23)).execute()
    const { view } = await pageOf(id)
    deepEqual([view.bills.length, view.has_more_bills], [24, true])
  })
})
