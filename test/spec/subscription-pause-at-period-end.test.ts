import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Subscription } from '../../server/subscriptions/subscription.ts'
import { assertConflict, epoch, lifecycleCalls, statusesOf } from '../support/lifecycle-calls.ts'
import type { Response } from '../support/merchant.ts'
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

// SUB-10, SUB-11, SUB-17, SUB-21: a pause at the end of the period, its revocation, and states that refuse a pause.

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
const unpaid = () => unpaidSubscribed(service, offer, '2027-03-09')

describe('Pause at the end of the period', () => {
  test('SUB-17: is scheduled; service and billing go on until then', async () => {
    const one = await active()
    const { status, body } = await calls.pauseAtEnd(one, { reason: 'Holiday' })
    deepEqual(
      [status, body.status, body.pause_at, body.paused_at, body.pause_reason, body.next_billing_at],
      [200, 'active', PERIOD_END, null, 'Holiday', PERIOD_END],
    )
    const { status: state, mode, scheduled_for, paused_at, paid_through_at, remaining_paid_seconds } = body.pause
    deepEqual(
      [state, mode, scheduled_for, paused_at, paid_through_at, remaining_paid_seconds],
      ['pending', 'period_end', PERIOD_END, PERIOD_END, PERIOD_END, 0],
    )
    deepEqual(await calls.eventTypes(one), ['subscription.pause_scheduled'])
  })

  for (const reason of ['Holiday\nuntil May', 'x'.repeat(255)]) {
    test(`SUB-14: the reason is any text: ${JSON.stringify(reason).slice(0, 30)}`, async () => {
      const { status, body } = await calls.pauseAtEnd(await active(), { reason })
      deepEqual([status, body.pause_reason, body.pause?.reason], [200, reason, reason])
    })
  }

  test('API-24: a blank reason is none', async () => {
    const { status, body } = await calls.pauseAtEnd(await active(), { reason: '' })
    deepEqual([status, body.pause_reason, body.pause?.reason], [200, null, null])
  })

  test('leaves an unpaid bill its retries', async () => {
    const one = await unpaid()
    equal((await calls.pauseAtEnd(one)).body.pause_at, epoch('2027-04-09T04:00:00Z'))
    const { bill, subscription } = await storedSubscription(service, one.id)
    deepEqual([bill?.status, subscription.dueAt], ['PENDING', bill?.nextAttemptAt])
  })

  test('SUB-11: at its boundary the filters of the list agree with what is retrieved, before anything is written', async () => {
    const [paused, canceled, both, running] = [await active(), await active(), await active(), await active()]
    await calls.pauseAtEnd(paused)
    await calls.cancelAtEnd(canceled)
    await calls.pauseAtEnd(both)
    await calls.cancelAtEnd(both)
    const ids = [running, both, canceled, paused].map(({ id }) => id)
    const listed = async (query: string): Promise<string[]> => {
      const { body } = await calls.api.get(`/subscriptions?limit=100&${query}`)
      return body.data.map(({ id }: { id: string }) => id).filter((id: string) => ids.includes(id))
    }
    deepEqual((await listed('status=active')).sort(), [...ids].sort())
    clock.set('2027-04-02T12:00:00Z')
    deepEqual(await listed('status=active'), [running.id])
    deepEqual(await listed('status=paused'), [paused.id])
    deepEqual((await listed('status=canceled')).sort(), [both.id, canceled.id].sort())
    deepEqual((await calls.api.get('/subscriptions?limit=1&status=paused')).body.data.length, 1)
    equal((await storedSubscription(service, paused.id)).subscription.status, 'active')
    const shown = await Promise.all(ids.map(async (id) => (await calls.api.get(`/subscriptions/${id}`)).body.status))
    deepEqual(shown, ['active', 'canceled', 'canceled', 'paused'])
    deepEqual(await listed('status=paused'), [paused.id])
    deepEqual((await listed('status=canceled')).sort(), [both.id, canceled.id].sort())
  })

  test('SUB-11: takes effect at its boundary, whenever it is read', async () => {
    const one = await active()
    await calls.pauseAtEnd(one)
    clock.set('2027-04-02T12:00:00Z')
    assertConflict(await calls.undoPause(one))
    const { subscription, pause: taken } = await storedSubscription(service, one.id)
    deepEqual(
      [subscription.status, subscription.dueAt, taken?.status, taken?.pausedAt, taken?.remainingPaidSeconds],
      ['paused', null, 'active', new Date(PERIOD_END * 1_000), 0],
    )
    deepEqual(await calls.eventTypes(one), ['subscription.pause_scheduled', 'subscription.paused'])
  })
})

describe('Taking a scheduled pause back', () => {
  test('SUB-21: leaves no pause, and the billing days as they were', async () => {
    const one = await active()
    await calls.pauseAtEnd(one)
    const { status, body } = await calls.undoPause(one)
    deepEqual(
      [status, body.pause, body.pause_at, body.pause_reason, body.next_billing_at],
      [200, null, null, null, PERIOD_END],
    )
    deepEqual(
      [await calls.pauseStates(one), await calls.eventTypes(one)],
      [['canceled'], ['subscription.pause_scheduled', 'subscription.pause_undone']],
    )
    const { subscription } = await storedSubscription(service, one.id)
    equal(subscription.dueAt?.getTime(), PERIOD_END * 1_000)
  })

  test('to the last millisecond before the boundary; not at it', async () => {
    const [early, late] = [await active(), await active()]
    await calls.pauseAtEnd(early)
    await calls.pauseAtEnd(late)
    clock.set('2027-04-01T03:59:59.999Z')
    equal((await calls.undoPause(early)).status, 200)
    clock.set('2027-04-01T04:00:00Z')
    assertConflict(await calls.undoPause(late))
    deepEqual(await calls.pauseStates(late), ['active'])
  })

  test('it can be paused again', async () => {
    const one = await active()
    await calls.pauseAtEnd(one)
    await calls.undoPause(one)
    equal((await calls.preserve(one)).status, 200)
    deepEqual(await calls.pauseStates(one), ['canceled', 'active'])
  })
})

describe('States in which it is 409', () => {
  const pauses: [string, (one: { id: string }) => Promise<Response>][] = [
    ['pause now', (one) => calls.preserve(one)],
    ['pause at the end', (one) => calls.pauseAtEnd(one)],
    ['preview of now', (one) => calls.previewPause(one, 'immediate')],
    ['preview of the end', (one) => calls.previewPause(one, 'period_end')],
  ]
  const states: [string, () => Promise<{ id: string }>][] = [
    ['pending_payment_method', () => active({ status: 'pending_payment_method', storedCardId: null, dueAt: null })],
    ['completed', () => active({ status: 'completed', dueAt: null })],
    ['canceled', () => active({ status: 'canceled', dueAt: null })],
    [
      'paused',
      async () => {
        const one = await active()
        await calls.preserve(one)
        return one
      },
    ],
    [
      'active with a scheduled pause',
      async () => {
        const one = await active()
        await calls.pauseAtEnd(one)
        return one
      },
    ],
    [
      'active with a scheduled cancel',
      async () => {
        const one = await active()
        await calls.api.post(`/subscriptions/${one.id}`, { cancel_at_period_end: true })
        return one
      },
    ],
  ]
  for (const [state, make] of states) {
    test(`${state}: pausing in either mode, and its preview`, async () => {
      const one = await make()
      const { subscription } = await storedSubscription(service, one.id)
      for (const [, call] of pauses) assertConflict(await call(one))
      equal((await storedSubscription(service, one.id)).subscription.version, subscription.version)
    })
    if (state === 'active with a scheduled pause') continue
    test(`${state}: taking a pause back`, async () => {
      assertConflict(await calls.undoPause(await make()))
    })
  }

  test('active: taking a pause back', async () => assertConflict(await calls.undoPause(await active())))
})

describe('Calls at once', () => {
  for (let round = 0; round < 5; round++) {
    test(`ten pauses of both modes: one is done (${round})`, async () => {
      const one = await active()
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? calls.preserve(one) : calls.pauseAtEnd(one))),
      )
      deepEqual(statusesOf(responses), [200, ...Array(9).fill(409)])
      equal((await storedPauses(service, one.id)).length, 1)
    })

    test(`ten undos: one is done (${round})`, async () => {
      const one = await active()
      await calls.pauseAtEnd(one)
      deepEqual(statusesOf(await Promise.all(Array.from({ length: 10 }, () => calls.undoPause(one)))), [
        200,
        ...Array(9).fill(409),
      ])
      deepEqual(await calls.eventTypes(one), ['subscription.pause_scheduled', 'subscription.pause_undone'])
    })

    test(`a pause and a cancel: canceled, its pause ended (${round})`, async () => {
      const one = await active()
      const [paused, canceled] = await Promise.all([calls.preserve(one), calls.api.delete(`/subscriptions/${one.id}`)])
      equal(canceled?.status, 200)
      deepEqual(await calls.pauseStates(one), paused?.status === 200 ? ['ended'] : [])
      equal((await storedSubscription(service, one.id)).subscription.status, 'canceled')
    })

    test(`an undo and a cancel (${round})`, async () => {
      const one = await active()
      await calls.pauseAtEnd(one)
      const [undone, canceled] = await Promise.all([calls.undoPause(one), calls.api.delete(`/subscriptions/${one.id}`)])
      equal(canceled?.status, 200)
      deepEqual(await calls.pauseStates(one), [undone?.status === 200 ? 'canceled' : 'ended'])
    })
  }
})

test('nothing failed inside', () => equal(service.logged().includes('request failed'), false))
