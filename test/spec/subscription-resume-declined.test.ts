import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { BehaviourName } from '../../server/gateway/simulator/behaviours.ts'
import { assertConflict, statusesOf } from '../support/lifecycle-calls.ts'
import type { Response } from '../support/merchant.ts'
import { assertDeclined, openResumes, type Resumes } from '../support/paused-subscriptions.ts'
import { eventsOf } from '../support/recorded.ts'
import { makeSubscribable, type Subscribable } from '../support/subscriptions.ts'

// SUB-33: a resume whose charge fails. SUB-10: several resumes at once.

let resumes: Resumes
/** Cards for one test each. */
let ownCards: Record<'blocked' | 'stopped' | 'detached', Subscribable>
before(async () => {
  resumes = await openResumes()
  const own = () => makeSubscribable(resumes.service)
  ownCards = { blocked: await own(), stopped: await own(), detached: await own() }
})
beforeEach(() => resumes.service.simulator.resetScript())
after(() => resumes.close())

const next = (outcome: BehaviourName) => resumes.service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })

describe('SUB-33: a charge that fails leaves the subscription as it was', () => {
  for (const [outcome, code] of [
    ['declined', 'ND'],
    ['referral', 'NR'],
    ['partial_ap', 'AP'],
    ['partial_ac', 'AC'],
  ] as const) {
    test(`${outcome}: 402 ${code}, a failed payment, and the same quote works afterwards`, async () => {
      const one = await resumes.paused()
      const before = await resumes.stored(one)
      const quote_hash = await resumes.quoteOf(one)
      await next(outcome)
      assertDeclined(await resumes.calls.resume(one, 'now', { quote_hash }), code)
      if (code === 'AP' || code === 'AC') await resumes.resolved()
      deepEqual(await resumes.stored(one), before)
      const [failed] = await resumes.paymentsOf(one)
      deepEqual(
        [failed.status, failed.trigger, failed.failure_code, failed.amount, failed.next_retry_at],
        ['failed', 'resume', code, 1234, null],
      )
      deepEqual(
        (await eventsOf(resumes.service, failed.id)).map(({ type, data }) => [type, data.object]),
        [['payment.failed', failed]],
      )
      equal((await resumes.calls.resume(one, 'now', { quote_hash })).status, 200)
    })
  }

  for (const [outcome, code, isBlocked] of [
    ['declined_reset', 'ND', false],
    ['partial_reset', 'AP', false],
    ['stop_recurring_reset', 'ND', true],
  ] as const) {
    test(`${outcome} that recovery finds leaves the same: a failed payment, and the block of its card`, async () => {
      const one = await resumes.paused({}, isBlocked ? ownCards.stopped : resumes.offer)
      const before = await resumes.stored(one)
      const quote_hash = await resumes.quoteOf(one)
      await next(outcome)
      assertDeclined(await resumes.calls.resume(one, 'now', { quote_hash }))
      equal((await resumes.paymentsOf(one)).length, 1)
      await resumes.resolved()
      deepEqual(await resumes.stored(one), before)
      const [failed, ...earlier] = await resumes.paymentsOf(one)
      equal(earlier.length, 1)
      deepEqual(
        [failed.status, failed.trigger, failed.failure_code, failed.amount, failed.next_retry_at, failed.period],
        ['failed', 'resume', code, 1234, null, { start: '2027-05-31', end: '2027-06-30' }],
      )
      deepEqual(
        (await eventsOf(resumes.service, failed.id)).map(({ type, data }) => [type, data.object]),
        [['payment.failed', failed]],
      )
      equal((await resumes.calls.resume(one, 'now', { quote_hash })).status, isBlocked ? 402 : 200)
    })
  }

  test('NC: 402, and the card is not charged again without its holder', async () => {
    const one = await resumes.paused({}, ownCards.blocked)
    await next('pick_up_card')
    assertDeclined(await resumes.resume(one), 'NC')
    const sold = await resumes.sales()
    assertDeclined(await resumes.resume(one), 'NC')
    equal(await resumes.sales(), sold)
    equal((await resumes.paymentsOf(one)).length, 2)
  })

  test('a detached card: 402 without a call to the gateway', async () => {
    const one = await resumes.paused({}, ownCards.detached)
    await resumes.calls.api.delete(`/payment_methods/${ownCards.detached.stored.cardId}`)
    const sold = await resumes.sales()
    assertDeclined(await resumes.resume(one))
    equal(await resumes.sales(), sold)
  })

  test('not sent: 402, nothing recorded, and the next one works', async () => {
    const one = await resumes.paused()
    const before = await resumes.stored(one)
    const quote_hash = await resumes.quoteOf(one)
    assertDeclined(await resumes.service.whileGatewayAway(() => resumes.calls.resume(one, 'now', { quote_hash })))
    deepEqual(await resumes.stored(one), before)
    equal((await resumes.paymentsOf(one)).length, 1)
    equal((await resumes.resume(one)).status, 200)
  })

  test('silence with a charge behind it: 402, 409 until it is resolved, then reversed and still paused', async () => {
    const one = await resumes.paused()
    const before = await resumes.stored(one)
    const quote_hash = await resumes.quoteOf(one)
    await resumes.service.simulator.script({ latency: { minMs: 6_000, maxMs: 6_000 } })
    assertDeclined(await resumes.calls.resume(one, 'now', { quote_hash }))
    await resumes.service.simulator.resetScript()
    assertConflict(await resumes.calls.previewResume(one, 'now'))
    assertConflict(await resumes.calls.resume(one, 'unchanged'))
    equal((await resumes.paymentsOf(one)).length, 1)
    await resumes.resolved()
    deepEqual(await resumes.stored(one), before)
    equal((await resumes.paymentsOf(one)).length, 1)
    equal((await resumes.calls.resume(one, 'now', { quote_hash })).status, 200)
  })
})

describe('At once', () => {
  for (let round = 0; round < 5; round++) {
    test(`five resumes that charge: one is done, one sale (${round})`, async () => {
      const one = await resumes.paused()
      const quote_hash = await resumes.quoteOf(one)
      const sold = await resumes.sales()
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => resumes.calls.resume(one, 'now', { quote_hash })),
      )
      deepEqual(statusesOf(responses), [200, 409, 409, 409, 409])
      equal(await resumes.sales(), sold + 1)
      equal((await resumes.paymentsOf(one)).length, 2)
    })

    test(`a resume that charges and one that does not: one is done (${round})`, async () => {
      const one = await resumes.paused()
      const quote_hash = await resumes.quoteOf(one)
      const sold = await resumes.sales()
      const [charging, free] = await Promise.all([
        resumes.calls.resume(one, 'now', { quote_hash }),
        resumes.calls.resume(one, 'unchanged'),
      ])
      deepEqual(statusesOf([charging, free] as Response[]), [200, 409])
      equal(await resumes.sales(), sold + (charging?.status === 200 ? 1 : 0))
    })

    test(`a resume that charges and a cancel: never active (${round})`, async () => {
      const one = await resumes.paused()
      const quote_hash = await resumes.quoteOf(one)
      const [charging, canceled] = await Promise.all([
        resumes.calls.resume(one, 'now', { quote_hash }),
        resumes.calls.cancel(one),
      ])
      equal(canceled?.status, 200)
      const { loaded } = await resumes.stored(one)
      equal(loaded.subscription.status, 'canceled')
      equal((await resumes.paymentsOf(one)).length, charging?.status === 200 ? 2 : 1)
    })
  }
})
