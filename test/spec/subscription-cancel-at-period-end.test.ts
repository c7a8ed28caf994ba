import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Subscription } from '../../server/subscriptions/subscription.ts'
import { assertConflict, epoch, lifecycleCalls, statusesOf } from '../support/lifecycle-calls.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import {
  makeSubscribable,
  type Subscribable,
  storedPauses,
  storedSubscription,
  subscribed,
  unpaidSubscribed,
} from '../support/subscriptions.ts'

// SUB-11, SUB-12: cancellation at the end of the period, and immediate cancellation during other calls.

const NOW = '2027-03-10T15:00:00Z'
/** The first of April in New York. */
const PERIOD_END = epoch('2027-04-01T04:00:00Z')

const clock = stillClock(NOW)
let service: TestService
let calls: ReturnType<typeof lifecycleCalls>
let offer: Subscribable
before(async () => {
  service = await openService({ clock })
  calls = lifecycleCalls(service)
  offer = await makeSubscribable(service)
})
beforeEach(() => clock.set(NOW))
after(() => service.close())

const active = (given: Partial<Subscription> = {}) => subscribed(service, offer, '2027-03-01', given)

describe('Cancel at the end of the period', () => {
  test('SUB-12: is scheduled for the end of the running period', async () => {
    const one = await active()
    const { status, body } = await calls.cancelAtEnd(one, true, {
      cancellation_details: { comment: 'Too dear' },
      proration_behavior: 'none',
    })
    deepEqual(
      [status, body.status, body.cancel_at_period_end, body.cancel_at, body.canceled_at, body.cancellation_details],
      [200, 'active', true, PERIOD_END, null, { comment: 'Too dear', reason: null }],
    )
    deepEqual(await calls.eventTypes(one), ['subscription.cancel_scheduled'])
    const { subscription } = await storedSubscription(service, one.id)
    equal(subscription.dueAt?.toISOString(), '2027-04-01T04:00:00.000Z')
  })

  test('clears a scheduled pause', async () => {
    const one = await active()
    await calls.pauseAtEnd(one)
    const { body } = await calls.cancelAtEnd(one)
    deepEqual([body.pause, body.pause_at, body.cancel_at], [null, null, PERIOD_END])
    deepEqual(await calls.pauseStates(one), ['canceled'])
  })

  test('leaves an unpaid bill its retries, and ends it at the boundary', async () => {
    const one = await unpaidSubscribed(service, offer, '2027-03-09')
    const { body } = await calls.cancelAtEnd(one)
    equal(body.cancel_at, epoch('2027-04-09T04:00:00Z'))
    const { subscription, bill } = await storedSubscription(service, one.id)
    deepEqual([bill?.status, subscription.dueAt], ['PENDING', bill?.nextAttemptAt])
    clock.set('2027-04-09T04:00:00Z')
    assertConflict(await calls.cancelAtEnd(one, false))
    equal((await calls.cancel(one)).status, 409)
  })

  test('before the first bill it is the day of that bill', async () => {
    const upcoming = { status: 'active', paid: null, paidBills: 0, currentPeriod: null, nextPeriodNo: 0 } as const
    const one = await subscribed(service, offer, '2027-03-20', { ...upcoming, nextBillingDate: '2027-03-20' as never })
    equal((await calls.cancelAtEnd(one)).body.cancel_at, epoch('2027-03-20T04:00:00Z'))
  })

  test('on a billing day that is not billed yet it is the end of the period that begins', async () => {
    const one = await active()
    clock.set('2027-04-01T04:00:01Z')
    equal((await calls.cancelAtEnd(one)).body.cancel_at, epoch('2027-05-01T04:00:00Z'))
  })

  test('taken back, the schedule is as before', async () => {
    const one = await active()
    await calls.cancelAtEnd(one, true, { cancellation_details: { comment: 'Too dear' } })
    const { status, body } = await calls.cancelAtEnd(one, false)
    deepEqual(
      [status, body.cancel_at_period_end, body.cancel_at, body.cancellation_details, body.next_billing_at],
      [200, false, null, null, PERIOD_END],
    )
    deepEqual(await calls.eventTypes(one), ['subscription.cancel_scheduled', 'subscription.cancel_undone'])
  })

  test('repeated in either direction: 200, and nothing changes', async () => {
    const one = await active()
    const unscheduled = await calls.cancelAtEnd(one, false)
    deepEqual([unscheduled.status, unscheduled.body.cancel_at_period_end], [200, false])
    const scheduled = await calls.cancelAtEnd(one)
    const again = await calls.cancelAtEnd(one, true, { cancellation_details: { comment: 'Other' } })
    deepEqual([again.status, again.body], [200, scheduled.body])
    equal((await storedSubscription(service, one.id)).subscription.version, 2)
    deepEqual(await calls.eventTypes(one), ['subscription.cancel_scheduled'])
  })

  test('SUB-11: after its boundary the cancel has taken effect there, and cannot be taken back', async () => {
    const one = await active()
    await calls.cancelAtEnd(one)
    clock.set('2027-04-01T04:01:00Z')
    assertConflict(await calls.cancelAtEnd(one, false))
    assertConflict(await calls.cancel(one))
    const { subscription } = await storedSubscription(service, one.id)
    deepEqual([subscription.status, subscription.canceledAt?.toISOString()], ['canceled', '2027-04-01T04:00:00.000Z'])
    deepEqual(await calls.eventTypes(one), ['subscription.cancel_scheduled', 'subscription.cancelled'])
  })

  for (const status of ['pending_payment_method', 'paused', 'completed', 'canceled'] as const) {
    test(`of a ${status} subscription: 409`, async () => {
      const one = await active({ status })
      assertConflict(await calls.cancelAtEnd(one))
      assertConflict(await calls.cancelAtEnd(one, false))
      equal((await storedSubscription(service, one.id)).subscription.version, 1)
    })
  }
})

describe('Two calls at once', () => {
  const ROUNDS = 5

  for (let round = 0; round < ROUNDS; round++) {
    test(`ten cancels: one is done (${round})`, async () => {
      const one = await active()
      const responses = await Promise.all(Array.from({ length: 10 }, () => calls.cancel(one)))
      deepEqual(statusesOf(responses), [200, ...Array(9).fill(409)])
      deepEqual(await calls.eventTypes(one), ['subscription.cancelled'])
    })

    test(`cancels now and at the end of the period: canceled, in one of two orders (${round})`, async () => {
      const one = await active()
      const [now, end] = await Promise.all([calls.cancel(one), calls.cancelAtEnd(one)])
      equal(now?.status, 200)
      const types = await calls.eventTypes(one)
      deepEqual(
        types,
        end?.status === 200 ? ['subscription.cancel_scheduled', 'subscription.cancelled'] : ['subscription.cancelled'],
      )
    })

    test(`ten scheduled cancels: all 200, one change (${round})`, async () => {
      const one = await active()
      const responses = await Promise.all(Array.from({ length: 10 }, () => calls.cancelAtEnd(one)))
      deepEqual(statusesOf(responses), Array(10).fill(200))
      deepEqual(await calls.eventTypes(one), ['subscription.cancel_scheduled'])
    })

    test(`a scheduled cancel and a scheduled pause: never both (${round})`, async () => {
      const one = await active()
      const [canceled, paused] = await Promise.all([calls.cancelAtEnd(one), calls.pauseAtEnd(one)])
      equal(canceled?.status, 200)
      const { subscription, pause } = await storedSubscription(service, one.id)
      deepEqual([subscription.cancelAt === null, pause], [false, null])
      equal((await storedPauses(service, one.id)).length, paused?.status === 200 ? 1 : 0)
    })
  }
})

test('nothing failed inside', () => equal(service.logged().includes('request failed'), false))
