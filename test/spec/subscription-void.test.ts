import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openResumes, type Resumes } from '../support/paused-subscriptions.ts'
import { eventsOf } from '../support/recorded.ts'
import { createSubscribed } from '../support/subscriptions.ts'

// BIL-30, SUB-25: the paid time that remains after a void or a refund of a payment.

let resumes: Resumes
before(async () => {
  resumes = await openResumes()
})
beforeEach(() => resumes.clock.set('2027-03-01T15:00:00Z'))
after(() => resumes.close())

const voided = async (payment: string) => {
  const response = await resumes.calls.api.post('/voids', { payment })
  equal(response.status, 200, JSON.stringify(response.body))
}
const FROM = '2027-03-01T05:00:00.000Z'

describe('A void', () => {
  test('makes its period unpaid, which is not billed again, and still counts', async () => {
    const one = await createSubscribed(resumes.service, resumes.offer)
    await voided(one.latest_payment)
    const { loaded, events, bills } = await resumes.stored(one)
    const { paid, paidBills, nextBillingDate, status } = loaded.subscription
    deepEqual(
      [paid?.paymentId, paid?.throughAt.toISOString(), paidBills, nextBillingDate, status],
      [null, FROM, 1, '2027-04-01', 'active'],
    )
    deepEqual([bills.map((bill) => bill.status), events], [['FULFILLED'], ['subscription.created']])
    const { body } = await resumes.calls.previewPause(one, 'immediate')
    deepEqual([body.requires_unused_time_choice, body.unused_prepaid_amount], [false, 0])
    const paused = await resumes.calls.pause(one)
    deepEqual([paused.status, paused.body.pause.remaining_paid_seconds], [200, 0])
  })

  test('during a pause leaves nothing of the preserved time: resuming from today charges', async () => {
    const one = await createSubscribed(resumes.service, resumes.offer)
    await resumes.calls.preserve(one)
    equal((await resumes.calls.previewResume(one, 'now')).body.charge_due_today, 0)
    await voided(one.latest_payment)
    const { body } = await resumes.calls.api.get(`/subscriptions/${one.id}`)
    deepEqual([body.pause.remaining_paid_seconds, body.pause.paid_through_at], [0, Date.parse(FROM) / 1_000])
    const event = (await eventsOf(resumes.service, one.id)).at(-1)
    deepEqual([event?.type, event?.data.object], ['subscription.updated', body])
    equal((await resumes.calls.previewResume(one, 'now')).body.charge_due_today, 1234)
    equal((await resumes.resume(one)).status, 200)
  })

  test('during a pause leaves nothing to serve on the original schedule but the days to the next date', async () => {
    const one = await createSubscribed(resumes.service, resumes.offer)
    await resumes.calls.preserve(one)
    await voided(one.latest_payment)
    const { body } = await resumes.calls.resume(one, 'unchanged')
    equal(body.billing_cycle_anchor, '2027-03-01')
    const { subscription } = (await resumes.stored(one)).loaded
    deepEqual([subscription.nextBillingDate, subscription.nextPeriodNo], ['2027-04-01', 1])
  })

  test('of an earlier payment leaves the paid time of the later one', async () => {
    const one = await resumes.paused()
    await resumes.resume(one)
    const [second, first] = await resumes.paymentsOf(one)
    const before = await resumes.stored(one)
    await voided(first.id)
    deepEqual(await resumes.stored(one), before)
    await voided(second.id)
    const { paid, status } = (await resumes.stored(one)).loaded.subscription
    deepEqual([paid?.throughAt.toISOString(), status], ['2027-05-31T04:00:00.000Z', 'active'])
  })
})

test('A refund changes nothing but what a pause suggests to refund', async () => {
  const one = await createSubscribed(resumes.service, resumes.offer)
  const before = await resumes.stored(one)
  const whole = (await resumes.calls.previewPause(one, 'immediate')).body
  equal((await resumes.calls.api.post('/refunds', { payment: one.latest_payment, amount: 1000 })).status, 201)
  deepEqual(await resumes.stored(one), before)
  const { body } = await resumes.calls.previewPause(one, 'immediate')
  deepEqual(body, { ...whole, suggested_refund_amount: 234 })
})
