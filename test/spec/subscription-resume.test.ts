import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { assertConflict, assertInvalid, epoch, lifecycleCalls } from '../support/lifecycle-calls.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { eventsOf } from '../support/recorded.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import {
  createSubscribed,
  makeSubscribable,
  type Subscribable,
  storedBills,
  storedPauses,
  storedSubscription,
} from '../support/subscriptions.ts'

// SUB-26, SUB-28 to SUB-30, SUB-40: resumes that do not charge, and their previews. New York; the clocks go forward on
// 14 March 2027.

const START = '2027-03-01T15:00:00Z'
const PAUSED_AT = '2027-03-10T15:00:00Z'
/** 21 days and 13 hours before the end of the paid time. */
const REMAINING = epoch('2027-04-01T04:00:00Z') - epoch(PAUSED_AT)

const clock = stillClock(START)
let service: TestService
let calls: ReturnType<typeof lifecycleCalls>
let offer: Subscribable
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
  calls = lifecycleCalls(service)
  offer = await makeSubscribable(service)
})
after(() => service.close())

type Which = { id: string }

/** Creates a subscription that is paid from 1 March on, and paused on the 10th. */
async function paused(how: 'preserve' | 'refunded' | 'pauseAtEnd'): Promise<Which> {
  clock.set(START)
  const one = await createSubscribed(service, offer)
  clock.set(PAUSED_AT)
  equal((await calls[how](one)).status, 200)
  return one
}

const FREE = { object: 'subscription_resume_preview', charge_due_today: 0, payment_required_to_reactivate: false }

describe('From today, with preserved time', () => {
  test('SUB-26: serves what is left, to a midnight, and bills from there on', async () => {
    const one = await paused('preserve')
    clock.set('2027-06-05T20:30:00Z')
    deepEqual((await calls.previewResume(one, 'now')).body, {
      ...FREE,
      resume_path: 'from_today',
      quote_hash: null,
      new_period_start: '2027-06-05',
      new_period_end: '2027-06-28',
      next_billing_date: '2027-06-28',
    })
    const { status, body } = await calls.resume(one, 'now')
    equal(status, 200)
    const end = epoch('2027-06-28T04:00:00Z')
    deepEqual(
      [body.status, body.pause, body.paused_at, body.billing_cycle_anchor, body.payment],
      ['active', null, null, '2027-06-28', null],
    )
    deepEqual(
      [body.current_period_start, body.current_period_end, body.next_billing_at, body.installments_billed],
      [epoch('2027-06-05T04:00:00Z'), end, end, 1],
    )
    const { subscription } = await storedSubscription(service, one.id)
    deepEqual([subscription.segmentNo, subscription.nextPeriodNo, subscription.dueAt?.getTime()], [1, 0, end * 1_000])
  })

  test('a second pause knows what the payment bought', async () => {
    const one = await paused('preserve')
    clock.set('2027-06-05T20:30:00Z')
    await calls.resume(one, 'now')
    clock.set('2027-06-26T04:00:00Z')
    const { body } = await calls.previewPause(one, 'immediate')
    const left = epoch('2027-06-27T09:30:00Z') - epoch('2027-06-26T04:00:00Z')
    deepEqual(
      [body.remaining_paid_days, body.unused_prepaid_amount],
      [1, Math.round((1234 * left) / (31 * 86_400 - 3_600))],
    )
    const { body: again } = await calls.preserve(one)
    equal(again.pause.remaining_paid_seconds, left)
    clock.set('2027-07-01T05:00:00Z')
    equal((await calls.previewResume(one, 'now')).body.new_period_end, '2027-07-03')
    deepEqual(await calls.pauseStates(one), ['resumed', 'active'])
  })

  test('the pause object keeps how it ended, and the event has it', async () => {
    const one = await paused('preserve')
    clock.set('2027-03-12T15:00:00Z')
    const { body } = await calls.resume(one, 'now')
    const [row] = await storedPauses(service, one.id)
    deepEqual(
      [row?.status, row?.resume_mode, row?.resumed_at?.toISOString(), Number(row?.remaining_paid_seconds)],
      ['resumed', 'from_today', '2027-03-12T15:00:00.000Z', REMAINING],
    )
    const event = (await eventsOf(service, one.id)).at(-1)
    const { payment: _payment, ...object } = body
    deepEqual([event?.type, event?.data.object], ['subscription.resumed', object])
    deepEqual(await calls.eventTypes(one), ['subscription.created', 'subscription.paused', 'subscription.resumed'])
  })
})

describe('On the original schedule', () => {
  test('SUB-28: before the paid time ends, it serves the rest of the paid period', async () => {
    const one = await paused('preserve')
    clock.set('2027-03-20T15:00:00Z')
    const preview = await calls.previewResume(one, 'unchanged')
    deepEqual(preview.body, {
      ...FREE,
      resume_path: 'original_schedule',
      quote_hash: null,
      new_period_start: '2027-03-01',
      new_period_end: '2027-04-01',
      next_billing_date: '2027-04-01',
    })
    const { body } = await calls.resume(one, 'unchanged')
    deepEqual(
      [body.status, body.billing_cycle_anchor, body.next_billing_at, body.current_period_end, body.payment],
      ['active', '2027-03-01', epoch('2027-04-01T04:00:00Z'), epoch('2027-04-01T04:00:00Z'), null],
    )
    const [row] = await storedPauses(service, one.id)
    equal(row?.resume_mode, 'original_schedule')
  })

  test('SUB-40: after an external refund it serves the refunded rest again', async () => {
    const one = await paused('refunded')
    clock.set('2027-03-20T15:00:00Z')
    const { body } = await calls.previewResume(one, 'unchanged')
    deepEqual([body.charge_due_today, body.next_billing_date], [0, '2027-04-01'])
    equal((await calls.resume(one, 'unchanged')).body.status, 'active')
  })

  test('SUB-29: after the paid time ended, the days to the next date are free', async () => {
    for (const how of ['preserve', 'refunded', 'pauseAtEnd'] as const) {
      const one = await paused(how)
      clock.set('2027-06-15T15:00:00Z')
      const { body: preview } = await calls.previewResume(one, 'unchanged')
      deepEqual(
        [preview.charge_due_today, preview.new_period_start, preview.new_period_end, preview.next_billing_date],
        [0, '2027-06-01', '2027-07-01', '2027-07-01'],
      )
      const { body } = await calls.resume(one, 'unchanged')
      deepEqual(
        [body.status, body.next_billing_at, body.current_period_start],
        ['active', epoch('2027-07-01T04:00:00Z'), epoch('2027-06-01T04:00:00Z')],
      )
      const { subscription } = await storedSubscription(service, one.id)
      deepEqual([subscription.nextPeriodNo, subscription.segmentNo], [4, 0])
    }
  })

  test('SUB-29: on a date of the schedule, that date is due, for the scheduler', async () => {
    const one = await paused('preserve')
    clock.set('2027-07-01T12:00:00Z')
    equal((await calls.previewResume(one, 'unchanged')).body.next_billing_date, '2027-07-01')
    const { body } = await calls.resume(one, 'unchanged')
    deepEqual([body.next_billing_at, body.payment], [epoch('2027-07-01T04:00:00Z'), null])
    const { subscription, bill } = await storedSubscription(service, one.id)
    deepEqual([subscription.dueAt?.toISOString(), bill], ['2027-07-01T04:00:00.000Z', null])
  })

  test('SUB-18: what fell due before and during the pause is not billed', async () => {
    const one = await paused('preserve')
    clock.set('2027-06-15T15:00:00Z')
    await calls.resume(one, 'unchanged')
    deepEqual(
      (await storedBills(service, one.id)).map(({ period_no, status }) => [period_no, status]),
      [[0, 'FULFILLED']],
    )
  })

  test('a quote hash and an unknown field are ignored where nothing is charged', async () => {
    const one = await paused('preserve')
    equal((await calls.resume(one, 'unchanged', { quote_hash: 'x', other: 1 })).status, 200)
  })
})

test('SUB-11: a pause that took effect at its boundary can be resumed, whoever came first', async () => {
  const one = await paused('pauseAtEnd')
  clock.set('2027-04-10T15:00:00Z')
  deepEqual((await calls.resume(one, 'unchanged')).body.status, 'active')
  deepEqual(await calls.eventTypes(one), [
    'subscription.created',
    'subscription.pause_scheduled',
    'subscription.paused',
    'subscription.resumed',
  ])
})

test('SUB-11: a pause that took effect is read so, alone and in lists', async () => {
  const one = await paused('pauseAtEnd')
  clock.set('2027-04-01T04:00:00Z')
  const listed = async (status: string) =>
    (await calls.api.get(`/subscriptions?status=${status}&limit=100`)).body.data.find(({ id }: Which) => id === one.id)
  equal(await listed('active'), undefined)
  const { body } = await calls.api.get('/subscriptions?limit=1')
  deepEqual([body.data[0].id, body.data[0].status, body.data[0].next_billing_at], [one.id, 'paused', null])
  const { body: read } = await calls.api.get(`/subscriptions/${one.id}`)
  deepEqual([read.status, read.pause.status, read.paused_at], ['paused', 'active', epoch('2027-04-01T04:00:00Z')])
  equal((await storedSubscription(service, one.id)).subscription.status, 'paused')
  deepEqual((await listed('paused')).id, one.id)
})

describe('Refused', () => {
  test('in any state but paused: 409, also the preview', async () => {
    clock.set(START)
    const active = await createSubscribed(service, offer)
    const scheduled = await createSubscribed(service, offer)
    await calls.pauseAtEnd(scheduled)
    const canceling = await createSubscribed(service, offer)
    await calls.cancelAtEnd(canceling)
    const canceled = await paused('preserve')
    await calls.cancel(canceled)
    const completed = await createSubscribed(service, offer, { installments: 1 })
    for (const one of [active, scheduled, canceling, canceled, completed]) {
      for (const anchor of ['now', 'unchanged'] as const) {
        assertConflict(await calls.previewResume(one, anchor))
        assertConflict(await calls.resume(one, anchor))
      }
    }
  })

  test('a second time: 409', async () => {
    const one = await paused('preserve')
    equal((await calls.resume(one, 'now')).status, 200)
    assertConflict(await calls.resume(one, 'now'))
    assertConflict(await calls.resume(one, 'unchanged'))
  })

  test('the id of nothing, or of another business: 404', async () => {
    const one = await paused('preserve')
    const other = merchantApiOf({ ...service, demo: (await secondMerchant(service)).demo })
    const body = { billing_cycle_anchor: 'now', proration_behavior: 'none', idempotency_key: 'key' }
    for (const path of ['resume', 'resume/preview']) {
      const foreign = await other.post(`/subscriptions/${one.id}/${path}`, body)
      assertMerchantRefused(foreign, 404, 'resource_missing', 'id')
      const absent = await calls.api.post(`/subscriptions/${newId()}/${path}`, body)
      assertMerchantRefused(absent, 404, 'resource_missing', 'id')
    }
    equal((await storedSubscription(service, one.id)).subscription.status, 'paused')
  })

  const given = { billing_cycle_anchor: 'now', proration_behavior: 'none' }
  for (const [body, param] of [
    [{ ...given, billing_cycle_anchor: undefined }, 'billing_cycle_anchor'],
    [{ ...given, billing_cycle_anchor: null }, 'billing_cycle_anchor'],
    [{ ...given, billing_cycle_anchor: 'today' }, 'billing_cycle_anchor'],
    [{ ...given, billing_cycle_anchor: 5 }, 'billing_cycle_anchor'],
    [{ ...given, proration_behavior: undefined }, 'proration_behavior'],
    [{ ...given, proration_behavior: null }, 'proration_behavior'],
    [{ ...given, proration_behavior: 'create_prorations' }, 'proration_behavior'],
    [{ ...given, quote_hash: 5 }, 'quote_hash'],
    [{ ...given, quote_hash: 'x'.repeat(129) }, 'quote_hash'],
    [{ ...given, idempotency_key: 5 }, 'idempotency_key'],
    [{ ...given, idempotency_key: 'x'.repeat(256) }, 'idempotency_key'],
  ] as const) {
    test(`${JSON.stringify(body).slice(0, 90)}: 422 ${param}`, async () => {
      const one = await paused('preserve')
      assertInvalid(await calls.api.post(`/subscriptions/${one.id}/resume`, body), param)
      equal((await storedSubscription(service, one.id)).subscription.status, 'paused')
    })
  }

  for (const blank of ['', ' ', null]) {
    test(`API-24: what is ${JSON.stringify(blank)} is not given`, async () => {
      const one = await paused('preserve')
      const body = { ...given, quote_hash: blank, idempotency_key: blank }
      const { status, body: resumed } = await calls.api.post(`/subscriptions/${one.id}/resume`, body)
      deepEqual([status, resumed.status], [200, 'active'])
    })
  }

  test('card data: 422 raw_card_data_not_supported', async () => {
    const one = await paused('preserve')
    const response = await calls.resume(one, 'now', { card: { number: '4242424242424242' } })
    assertMerchantRefused(response, 422, 'raw_card_data_not_supported', 'card')
  })
})

test('nothing failed inside', () => equal(service.logged().includes('request failed'), false))
