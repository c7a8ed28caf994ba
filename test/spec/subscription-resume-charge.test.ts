import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { findBusiness } from '../../server/businesses/business-queries.ts'
import { findTerminal } from '../../server/businesses/terminal-queries.ts'
import { ApiError } from '../../server/lib/errors.ts'
import { offerResume } from '../../server/subscriptions/resume/resumable.ts'
import { openResumeCard } from '../../server/subscriptions/resume/resume-card.ts'
import { resumeCharge } from '../../server/subscriptions/resume/resume-charge.ts'
import { resumeSubscription } from '../../server/subscriptions/resume/resume-subscription.ts'
import { assertInvalid, epoch } from '../support/lifecycle-calls.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { openResumes, RESUMED_AT, type Resumes, START } from '../support/paused-subscriptions.ts'
import { eventsOf } from '../support/recorded.ts'
import { createSubscribed } from '../support/subscriptions.ts'

// SUB-7, SUB-27, SUB-30, SUB-31, SUB-39: a resume from today that charges a full bill, and its quote.

let resumes: Resumes
before(async () => {
  resumes = await openResumes()
})
beforeEach(() => resumes.service.simulator.resetScript())
after(() => resumes.close())

describe('An approved charge', () => {
  test('SUB-27, SUB-30: is previewed, and opens a new schedule whose first period is paid', async () => {
    const one = await resumes.paused({ tax_rate: 10 })
    const { body: preview } = await resumes.calls.previewResume(one, 'now')
    const { quote_hash: quote, ...rest } = preview
    match(quote, /^[0-9a-f]{64}$/)
    deepEqual(rest, {
      object: 'subscription_resume_preview',
      resume_path: 'from_today',
      charge_due_today: 1357,
      payment_required_to_reactivate: true,
      new_period_start: '2027-05-31',
      new_period_end: '2027-06-30',
      next_billing_date: '2027-06-30',
    })
    const sold = await resumes.sales()
    const { status, body } = await resumes.calls.resume(one, 'now', { quote_hash: quote })
    equal(status, 200)
    equal(await resumes.sales(), sold + 1)
    const end = epoch('2027-06-30T04:00:00Z')
    deepEqual(
      [body.status, body.pause, body.billing_cycle_anchor, body.next_billing_at, body.current_period_end],
      ['active', null, '2027-05-31', end, end],
    )
    deepEqual(
      [body.installments_billed, body.latest_payment, body.last_payment_at],
      [2, body.payment.id, epoch(RESUMED_AT)],
    )
    const { id: _id, receipt_id: _receipt, ...payment } = body.payment
    deepEqual(payment, {
      object: 'payment',
      subscription: one.id,
      customer: resumes.offer.stored.customerId,
      payment_method: resumes.offer.stored.cardId,
      amount: 1357,
      surcharge_amount: 0,
      tax_amount: 123,
      currency: 'usd',
      status: 'succeeded',
      refunded_amount: 0,
      attempt: 1,
      trigger: 'resume',
      failure_code: null,
      failure_message: null,
      next_retry_at: null,
      period: { start: '2027-05-31', end: '2027-06-30' },
      batch: null,
      created: epoch(RESUMED_AT),
    })
    deepEqual((await resumes.calls.api.get(`/subscriptions/${one.id}/payments/${body.payment.id}`)).body, body.payment)
    const { loaded, bills, pauses } = await resumes.stored(one)
    const { subscription } = loaded
    deepEqual([subscription.segmentNo, subscription.nextPeriodNo, subscription.dueAt?.getTime()], [1, 1, end * 1_000])
    deepEqual(
      bills.map((bill) => [bill.segment_no, bill.period_no, bill.status, bill.payment_id === body.payment.id]),
      [
        [0, 0, 'FULFILLED', false],
        [1, 0, 'FULFILLED', true],
      ],
    )
    deepEqual(
      pauses.map((pause) => [pause.status, pause.resume_mode]),
      [['resumed', 'from_today']],
    )
    deepEqual(await resumes.calls.eventTypes(one), [
      'subscription.created',
      'subscription.paused',
      'subscription.resumed',
    ])
    deepEqual(
      (await eventsOf(resumes.service, body.payment.id)).map(({ type, data }) => [type, data.object]),
      [['payment.succeeded', body.payment]],
    )
  })

  test('its paid time covers a second pause', async () => {
    const one = await resumes.paused()
    await resumes.resume(one)
    resumes.clock.set('2027-06-10T04:00:00Z')
    const { body } = await resumes.calls.previewPause(one, 'immediate')
    deepEqual([body.remaining_paid_days, body.unused_prepaid_amount], [20, Math.round((1234 * 20) / 30)])
  })

  test('BIL-25: the last installment completes the plan', async () => {
    const one = await resumes.paused({ installments: 2 })
    const { body } = await resumes.resume(one)
    deepEqual(
      [body.status, body.installments_remaining, body.next_billing_at, body.ended_at, body.pause],
      ['completed', 0, null, epoch(RESUMED_AT), null],
    )
    const events = await eventsOf(resumes.service, one.id)
    deepEqual(
      events.slice(-2).map(({ type, data }) => [type, data.object.status]),
      [
        ['subscription.resumed', 'active'],
        ['subscription.completed', 'completed'],
      ],
    )
    equal((await resumes.stored(one)).loaded.subscription.dueAt, null)
  })

  test('is due without paid time too: after a pause at the end of the period, and of an unpaid one', async () => {
    resumes.clock.set(START)
    const one = await createSubscribed(resumes.service, resumes.offer)
    await resumes.calls.pauseAtEnd(one)
    resumes.clock.set(RESUMED_AT)
    equal((await resumes.calls.previewResume(one, 'now')).body.charge_due_today, 1234)
    equal((await resumes.resume(one)).body.payment.amount, 1234)
  })

  test('canceled while it is open: the payment is recorded, and the subscription stays canceled', async () => {
    const one = await resumes.paused()
    const quote_hash = await resumes.quoteOf(one)
    const release = resumes.holdSales()
    const resuming = resumes.calls.resume(one, 'now', { quote_hash })
    await resumes.untilCharging(one)
    const canceled = await resumes.calls.cancel(one)
    release()
    const { status, body } = await resuming
    deepEqual([canceled.status, status, body.status, body.payment.status], [200, 200, 'canceled', 'succeeded'])
    deepEqual([body.installments_billed, body.next_billing_at, body.pause], [2, null, null])
    deepEqual(await resumes.calls.eventTypes(one), [
      'subscription.created',
      'subscription.paused',
      'subscription.cancelled',
    ])
    deepEqual((await resumes.paymentsOf(one)).length, 2)
  })
})

describe('SUB-31: the quote', () => {
  test('missing or blank: 422 quote_hash; another one: 409 quote_stale; nothing is charged', async () => {
    const one = await resumes.paused()
    const sold = await resumes.sales()
    assertInvalid(await resumes.calls.resume(one, 'now'), 'quote_hash')
    for (const quote_hash of ['', ' ', null])
      assertInvalid(await resumes.calls.resume(one, 'now', { quote_hash }), 'quote_hash')
    const stale = await resumes.calls.resume(one, 'now', { quote_hash: 'f'.repeat(64) })
    assertMerchantRefused(stale, 409, 'quote_stale', 'quote_hash')
    equal(await resumes.sales(), sold)
    equal((await resumes.stored(one)).loaded.subscription.version, 2)
  })

  test('holds all day, and expires at midnight', async () => {
    const one = await resumes.paused()
    const quote_hash = await resumes.quoteOf(one)
    resumes.clock.set('2027-06-01T03:59:59Z')
    equal(await resumes.quoteOf(one), quote_hash)
    resumes.clock.set('2027-06-01T04:00:00Z')
    assertMerchantRefused(await resumes.calls.resume(one, 'now', { quote_hash }), 409, 'quote_stale', 'quote_hash')
    notEqual(await resumes.quoteOf(one), quote_hash)
  })

  test('of another pause, or another subscription, is stale', async () => {
    const [one, other] = [await resumes.paused(), await resumes.paused()]
    const first = await resumes.quoteOf(one)
    assertMerchantRefused(
      await resumes.calls.resume(other, 'now', { quote_hash: first }),
      409,
      'quote_stale',
      'quote_hash',
    )
    await resumes.calls.resume(one, 'unchanged')
    await resumes.calls.pause(one)
    assertMerchantRefused(
      await resumes.calls.resume(one, 'now', { quote_hash: first }),
      409,
      'quote_stale',
      'quote_hash',
    )
  })
})

test('SUB-7: an unsigned contract: 403, nothing charged', async () => {
  const one = await resumes.paused()
  const { db } = resumes.service.app.services
  const contract = '0199a3f3-a9f0-7d43-9e0a-b2f6da50700c'
  await db.updateTable('subscription').set({ contract_id: contract }).where('id', '=', one.id).execute()
  const business = await findBusiness(db, resumes.service.demo.business_id)
  if (!business) throw new Error('There is no business')
  const { services } = resumes.service.app
  const order = { business, id: one.id, idempotencyKey: null }
  for (const anchor of ['now', 'unchanged'] as const) {
    const body = { billing_cycle_anchor: anchor, proration_behavior: 'none' } as const
    const refusal = await resumeSubscription(services, { ...order, body }).catch((error: unknown) => error)
    equal(refusal instanceof ApiError && refusal.code, 'contract_unsigned')
  }
  equal((await resumes.stored(one)).loaded.subscription.status, 'paused')
})

test('BIL-28: no intent is recorded for a subscription that has changed since its terms were read', async () => {
  const { services } = resumes.service.app
  const { db } = services
  const one = await resumes.paused()
  const offer = offerResume((await resumes.stored(one)).loaded, 'now', new Date(RESUMED_AT))
  const business = await findBusiness(db, resumes.service.demo.business_id)
  const terminal = await findTerminal(db, resumes.service.demo.business_id, 'USD')
  if (!business || !terminal) throw new Error('There is no terminal')
  const card = await openResumeCard(services, offer.paused.subscription)
  const plan = resumeCharge(services, { business, terminal, card, offer, claim: null })
  equal((await resumes.calls.cancel(one)).status, 200)
  equal(await plan.begin(), null)
})
