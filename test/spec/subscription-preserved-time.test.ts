import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { signIn } from '../support/dashboard.ts'
import { epoch, lifecycleCalls } from '../support/lifecycle-calls.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import { createSubscribed, makeSubscribable, type Subscribable } from '../support/subscriptions.ts'

// SUB-131: preserved time is rounded once, however often a subscription is paused. New York, which sets its clocks
// forward on 14 March 2027.

const START = '2027-03-01T05:00:00Z'
const PAID_SECONDS = 31 * 86_400 - 3_600
const ROUNDED_SECONDS = 25 * 3_600

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

async function paidFromMarch() {
  clock.set(START)
  return createSubscribed(service, offer)
}

const seconds = fc.oneof(
  fc.constantFrom(1, 2, 86_399),
  fc.nat({ max: 6 * 86_400 }).map((more) => more + 1),
)

describe('Preserved time', () => {
  test('SUB-131: a pause of two seconds a day neither puts the bill off nor makes the payment refundable', async () => {
    const one = await paidFromMarch()
    for (let day = 0; day < 25; day += 1) {
      clock.advance(86_398)
      equal((await calls.preserve(one)).status, 200)
      clock.advance(2)
      const { body } = await calls.resume(one, 'now')
      ok(body.next_billing_at <= epoch('2027-04-02T04:00:00Z'), `day ${day}: ${body.next_billing_at}`)
    }
    const left = PAID_SECONDS - 25 * 86_398
    const { body } = await calls.previewPause(one, 'immediate')
    deepEqual(
      [body.remaining_paid_days, body.suggested_refund_amount],
      [Math.floor(left / 86_400), Math.round((1_234 * left) / PAID_SECONDS)],
    )
  })

  test('SUB-131: for any pauses and resumes, in the calls and in the events', async () => {
    const step = fc.record({ served: seconds, away: seconds })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
        const one = await paidFromMarch()
        let served = 0
        for (const { served: more, away } of steps) {
          const { body: shown } = await calls.api.get(`/subscriptions/${one.id}`)
          if (clock.now().getTime() / 1_000 + more >= shown.next_billing_at) return
          clock.advance(more)
          served += more
          const { body: preview } = await calls.previewPause(one, 'immediate')
          const { body: paused } = await calls.preserve(one)
          if (!preview.requires_unused_time_choice) return
          const { remaining_paid_seconds: remaining, paid_through_at: through, paused_at: at } = paused.pause
          equal(through - at, remaining)
          ok(served + remaining <= PAID_SECONDS + ROUNDED_SECONDS)
          ok(preview.suggested_refund_amount <= (1_234 * remaining) / PAID_SECONDS + 0.5)
          clock.advance(away)
          const { body: resumed } = await calls.resume(one, 'now')
          ok(served + resumed.next_billing_at - clock.now().getTime() / 1_000 <= PAID_SECONDS + ROUNDED_SECONDS)
        }
      }),
      { numRuns: 12, seed: 1 },
    )
  })

  test('SUB-131: between the paid time and the bill nothing is left, and the days are still not free', async () => {
    const one = await paidFromMarch()
    clock.set('2027-03-10T15:00:00Z')
    await calls.preserve(one)
    clock.set('2027-06-05T20:30:00Z')
    await calls.resume(one, 'now')
    const [through, bill] = [epoch('2027-06-27T09:30:00Z'), epoch('2027-06-28T04:00:00Z')]
    const { body: page } = await (await signIn(service)).call(`GET /subscriptions/${one.id}`)
    deepEqual(
      [page.next_billing_at, page.current_period_end, page.view.paid_through, page.view.paid_through_at],
      [bill, bill, '2027-06-27', through],
    )
    clock.set(new Date((through - 1) * 1_000))
    equal((await calls.previewPause(one, 'immediate')).body.requires_unused_time_choice, true)
    clock.set(new Date(through * 1_000))
    const owner = await signIn(service)
    const { body } = await owner.call(`POST /subscriptions/${one.id}/pause/preview`, { body: { mode: 'immediate' } })
    deepEqual(
      [body.requires_unused_time_choice, body.suggested_refund_amount, body.view.paid_through_at],
      [false, 0, through],
    )
    const { body: paused } = await calls.pause(one)
    deepEqual([paused.pause.remaining_paid_seconds, paused.pause.paid_through_at], [0, through])
    const { body: previews } = await owner.call(`POST /subscriptions/${one.id}/resume/preview`)
    deepEqual([previews.unchanged.free_days, previews.unchanged.next_billing_date], [0, '2027-06-28'])
    equal(previews.now.charge_due_today, 1_234)
    equal((await calls.resume(one, 'unchanged')).body.next_billing_at, bill)
  })
})
