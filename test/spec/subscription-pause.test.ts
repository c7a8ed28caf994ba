import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import type { Subscription } from '../../server/subscriptions/subscription.ts'
import { assertInvalid, epoch, lifecycleCalls } from '../support/lifecycle-calls.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { moneyRows } from '../support/money-rows.ts'
import { eventsOf } from '../support/recorded.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import {
  coveringPayment,
  makeSubscribable,
  type Subscribable,
  storedBills,
  storedSubscription,
  subscribed,
  unpaidSubscribed,
} from '../support/subscriptions.ts'

// SUB-14 to SUB-16, SUB-19, SUB-20, SUB-22 to SUB-25, SUB-36 to SUB-38: pause now, and the preview of a pause.

const NOW = '2027-03-10T15:00:00Z'
/** The first of April in New York; the clocks go forward on 14 March. */
const PERIOD_END = epoch('2027-04-01T04:00:00Z')
const REMAINING = PERIOD_END - epoch(NOW)
/** 12.34 for 31 days less an hour. */
const UNUSED = Math.round((1234 * REMAINING) / (31 * 86_400 - 3_600))

const clock = stillClock(NOW)
let service: TestService
let calls: ReturnType<typeof lifecycleCalls>
let offer: Subscribable
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
  calls = lifecycleCalls(service)
  offer = await makeSubscribable(service)
})
beforeEach(() => clock.set(NOW))
after(() => service.close())

const active = (given: Partial<Subscription> = {}) => subscribed(service, offer, '2027-03-01', given)
const unpaid = () => unpaidSubscribed(service, offer, '2027-03-09')

async function setPayment(one: Subscription, columns: { refunded_amount?: number; status?: string }): Promise<void> {
  await using book = moneyRows(service.databaseUrl)
  const { id } = await coveringPayment(service, one)
  await book.query('update payment set refunded_amount = $2, status = $3 where id = $1', [
    id,
    columns.refunded_amount ?? 0,
    columns.status ?? 'succeeded',
  ])
}

describe('Preview', () => {
  test('SUB-19, SUB-22 to SUB-25: of an immediate pause with paid time left', async () => {
    const one = await active()
    deepEqual((await calls.previewPause(one, 'immediate')).body, {
      object: 'subscription_pause_preview',
      pause_mode: 'immediate',
      requires_unused_time_choice: true,
      remaining_paid_days: 21,
      unused_prepaid_amount: UNUSED,
      suggested_refund_amount: UNUSED,
    })
    await calls.assertUntouched(one)
    deepEqual(await calls.eventTypes(one), [])
  })

  test('SUB-36: of a pause at the period end: the days until then, amounts 0, nothing to choose', async () => {
    for (const one of [await active(), await unpaidSubscribed(service, offer, '2027-03-01')]) {
      deepEqual((await calls.previewPause(one, 'period_end')).body, {
        object: 'subscription_pause_preview',
        pause_mode: 'period_end',
        requires_unused_time_choice: false,
        remaining_paid_days: 21,
        unused_prepaid_amount: 0,
        suggested_refund_amount: 0,
      })
    }
  })

  test('SUB-25: suggests at most what is not refunded yet', async () => {
    const one = await active()
    for (const [already, suggested] of [
      [100, UNUSED],
      [1000, 234],
      [1234, 0],
    ] as const) {
      await setPayment(one, { refunded_amount: already })
      const { body } = await calls.previewPause(one, 'immediate')
      deepEqual([body.unused_prepaid_amount, body.suggested_refund_amount], [UNUSED, suggested])
    }
  })

  test('SUB-25: a voided payment covers nothing', async () => {
    const one = await active()
    await setPayment(one, { status: 'voided' })
    const { body } = await calls.previewPause(one, 'immediate')
    const { unused_prepaid_amount: unused, suggested_refund_amount: suggested } = body
    deepEqual([body.requires_unused_time_choice, body.remaining_paid_days, unused, suggested], [false, 0, 0, 0])
  })

  test('SUB-37: of an unpaid period nothing is left', async () => {
    const { body } = await calls.previewPause(await unpaid(), 'immediate')
    deepEqual([body.requires_unused_time_choice, body.remaining_paid_days], [false, 0])
  })

  test('from the last second of the paid time on nothing is left', async () => {
    const one = await active()
    clock.set('2027-04-01T03:59:59Z')
    deepEqual((await calls.previewPause(one, 'immediate')).body.requires_unused_time_choice, true)
    clock.set('2027-04-01T04:00:00Z')
    deepEqual((await calls.previewPause(one, 'immediate')).body.requires_unused_time_choice, false)
  })

  for (const [name, body] of [
    ['no mode', {}],
    ['null', { mode: null }],
    ['an unknown mode', { mode: 'later' }],
    ['a number', { mode: 1 }],
  ] as const) {
    test(`${name}: 422 mode`, async () => {
      assertInvalid(await calls.api.post(`/subscriptions/${(await active()).id}/pause/preview`, body), 'mode')
    })
  }
})

describe('Pause now', () => {
  test('SUB-14, SUB-20: with preserved time; the mode may be left out', async () => {
    const one = await active()
    const { status, body } = await calls.pause(one, { unused_time_behavior: 'preserve_time', reason: 'Holiday' })
    equal(status, 200)
    const { id: pauseId } = body.pause
    deepEqual(
      [body.status, body.paused_at, body.pause_at, body.pause_reason, body.next_billing_at],
      ['paused', epoch(NOW), null, 'Holiday', null],
    )
    deepEqual(body.pause, {
      id: pauseId,
      status: 'active',
      mode: 'immediate',
      reason: 'Holiday',
      unused_time_behavior: 'preserve_time',
      scheduled_for: null,
      paused_at: epoch(NOW),
      paid_through_at: PERIOD_END,
      remaining_paid_seconds: REMAINING,
      requires_external_refund_confirmation: false,
      refund_reference: null,
      refund_note: null,
      resume_mode: null,
      resumed_at: null,
    })
    const [event, ...more] = await eventsOf(service, one.id)
    deepEqual([event?.type, event?.data.object, more], ['subscription.paused', body, []])
    const { subscription } = await storedSubscription(service, one.id)
    equal(subscription.dueAt, null)
  })

  test('SUB-16, SUB-38: with a refund of the merchant, which moves no money here', async () => {
    const one = await active()
    const { status, body } = await calls.pause(one, {
      mode: 'immediate',
      unused_time_behavior: 'external_refund',
      refund_confirmed: true,
      refund_reference: 'RF-1',
      refund_note: 'By cheque\nof today',
    })
    const { unused_time_behavior: behavior, refund_reference, refund_note } = body.pause
    deepEqual(
      [status, behavior, refund_reference, refund_note, body.pause.requires_external_refund_confirmation],
      [200, 'external_refund', 'RF-1', 'By cheque\nof today', false],
    )
    const payment = await coveringPayment(service, one)
    deepEqual([payment.status, payment.refundedAmount], ['succeeded', 0])
  })

  test('SUB-37: of an unpaid period needs no choice; the open bill and its retries end', async () => {
    const one = await unpaid()
    const { status, body } = await calls.pause(one)
    deepEqual(
      [status, body.status, body.pause.remaining_paid_seconds, body.pause.paid_through_at, body.next_retry_at],
      [200, 'paused', 0, body.pause.paused_at, null],
    )
    const [bill] = await storedBills(service, one.id)
    deepEqual([bill?.status, bill?.closed_reason], ['CLOSED', 'paused'])
  })

  test('SUB-37: a choice that is not required is accepted and kept', async () => {
    const { body } = await calls.preserve(await unpaid())
    deepEqual([body.pause.unused_time_behavior, body.pause.remaining_paid_seconds], ['preserve_time', 0])
    const refund = { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'RF-2' }
    equal((await calls.pause(await unpaid(), refund)).body.pause.refund_reference, 'RF-2')
  })

  test('on the billing day before its run the new period is due and unpaid', async () => {
    const one = await active()
    clock.set('2027-04-01T04:00:10Z')
    const { body } = await calls.pause(one)
    deepEqual([body.pause.remaining_paid_seconds, body.pause.paid_through_at], [0, PERIOD_END])
    equal((await storedBills(service, one.id)).length, 1)
  })

  test('before the first bill nothing is paid', async () => {
    const upcoming = { paid: null, paidBills: 0, currentPeriod: null, nextPeriodNo: 0, nextBillingDate: '2027-03-20' }
    const one = await subscribed(service, offer, '2027-03-20', upcoming as Partial<Subscription>)
    const { paid_through_at, paused_at } = (await calls.pause(one)).body.pause
    equal(paid_through_at, paused_at)
  })

  test('a period that is paid and has not begun is left as a whole', async () => {
    const one = await subscribed(service, offer, '2027-03-20')
    deepEqual((await calls.previewPause(one, 'immediate')).body.unused_prepaid_amount, 1234)
    equal((await calls.preserve(one)).body.pause.remaining_paid_seconds, 31 * 86_400)
  })
})

describe('Choices that are missing or wrong', () => {
  const refund = { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'RF-1' }
  for (const [body, param] of [
    [{}, 'unused_time_behavior'],
    [{ mode: 'immediate' }, 'unused_time_behavior'],
    [{ unused_time_behavior: null }, 'unused_time_behavior'],
    [{ unused_time_behavior: 'keep' }, 'unused_time_behavior'],
    [{ unused_time_behavior: true }, 'unused_time_behavior'],
    [{ refund_confirmed: true, refund_reference: 'RF-1' }, 'unused_time_behavior'],
    [{ unused_time_behavior: 'external_refund' }, 'refund_confirmed'],
    [{ ...refund, refund_confirmed: false }, 'refund_confirmed'],
    [{ ...refund, refund_confirmed: null }, 'refund_confirmed'],
    [{ ...refund, refund_confirmed: 'true' }, 'refund_confirmed'],
    [{ ...refund, refund_reference: undefined }, 'refund_reference'],
    [{ ...refund, refund_reference: '' }, 'refund_reference'],
    [{ ...refund, refund_reference: '  ' }, 'refund_reference'],
    [{ ...refund, refund_reference: null }, 'refund_reference'],
    [{ ...refund, refund_reference: 5 }, 'refund_reference'],
    [{ ...refund, refund_note: 5 }, 'refund_note'],
    [{ ...refund, unused_time_behavior: 'preserve_time' }, 'refund_confirmed'],
    [{ unused_time_behavior: 'preserve_time', refund_reference: 'RF-1' }, 'refund_reference'],
    [{ unused_time_behavior: 'preserve_time', refund_note: 'x' }, 'refund_note'],
    [{ mode: null }, 'unused_time_behavior'],
    [{ mode: 'now' }, 'mode'],
    [{ mode: 'period_end', unused_time_behavior: 'preserve_time' }, 'unused_time_behavior'],
    [{ mode: 'period_end', refund_confirmed: false }, 'refund_confirmed'],
    [{ mode: 'period_end', refund_reference: 'RF-1' }, 'refund_reference'],
    [{ mode: 'period_end', refund_note: 'x' }, 'refund_note'],
    [{ unused_time_behavior: 'preserve_time', reason: 5 }, 'reason'],
    [{ unused_time_behavior: 'preserve_time', reason: 'x'.repeat(256) }, 'reason'],
  ] as const) {
    test(`${JSON.stringify(body).slice(0, 110)}: 422 ${param}`, async () => {
      const one = await active()
      assertInvalid(await calls.pause(one, body), param)
      await calls.assertUntouched(one)
    })
  }

  test('SUB-16: refund_confirmed false beside preserve_time says nothing, and is accepted', async () => {
    const body = { unused_time_behavior: 'preserve_time', refund_confirmed: false }
    equal((await calls.pause(await active(), body)).status, 200)
  })

  test('card data: 422 raw_card_data_not_supported', async () => {
    const one = await active()
    for (const [body, param] of [
      [{ card: { number: '4242424242424242' } }, 'card'],
      [{ unused_time_behavior: 'preserve_time', reason: '4242 4242 4242 4242' }, 'reason'],
      [{ ...refund, refund_reference: '4242424242424242' }, 'refund_reference'],
    ] as const) {
      assertMerchantRefused(await calls.pause(one, body), 422, 'raw_card_data_not_supported', param)
    }
    await calls.assertUntouched(one)
  })

  test('the id of nothing, or of another business: 404', async () => {
    const one = await active()
    const other = merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
    for (const [path, body] of [
      ['pause', { unused_time_behavior: 'preserve_time' }],
      ['pause/preview', { mode: 'immediate' }],
      ['pause-at-period-end/undo', {}],
    ] as const) {
      const foreign = await other.post(`/subscriptions/${one.id}/${path}`, body)
      assertMerchantRefused(foreign, 404, 'resource_missing', 'id')
      assertMerchantRefused(
        await calls.api.post(`/subscriptions/${newId()}/${path}`, body),
        404,
        'resource_missing',
        'id',
      )
    }
    await calls.assertUntouched(one)
  })
})

test('nothing failed inside', () => equal(service.logged().includes('request failed'), false))
