import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dayFrom, textOf } from '../simulation/recurring/days.ts'
import type { OutcomeName } from '../simulation/recurring/gateway-outcomes.ts'
import { openWorld, type World } from '../simulation/recurring/world.ts'
import { billingVectors, NEED_THE_ENGINE } from '../support/billing-vectors.ts'
import { beginCourse, type Course, type CourseTerms } from '../support/course.ts'

// Documented courses of other billing systems, run against the whole service with a clock: those that pure functions
// cannot cover, and the schedules as charges.

// biome-ignore lint/suspicious/noExplicitAny: each course has members of its own.
type Members = any

let world: World
before(async () => {
  world = await openWorld(1, Date.UTC(2024, 0, 1))
})
after(() => world[Symbol.asyncDispose]())

const begin = (terms: CourseTerms): Promise<Course> => beginCourse(world, terms)
const dayBefore = (day: string, days = 1) => textOf(dayFrom(day) - days)
const OUTCOMES: Record<string, OutcomeName> = {
  AA: 'approved',
  ND: 'declined',
  NC: 'stolen',
  UNKNOWN: 'lost_request',
}
const outcomesOf = (codes: readonly string[]) => codes.map((code) => OUTCOMES[code] ?? 'approved')

/** Begins a subscription whose first bill falls on the billing date of the course. */
const beginRetries = ({ billing_date: day, outcomes = [], ...given }: Members) =>
  begin({ ...given, on: dayBefore(day), start_date: day, outcomes: outcomesOf(outcomes) })

const MONTHLY = { on: '2024-01-10', interval: 'month' }
const END = { cancel_at_period_end: true }
const TAKE_BACK = { cancel_at_period_end: false }
const [NOW, UNCHANGED] = ['now', 'unchanged'].map((billing_cycle_anchor) => ({
  billing_cycle_anchor,
  proration_behavior: 'none',
}))

const COURSES: Record<string, (given: Members, expected: Members) => Promise<void>> = {
  async 'pl-p01'({ request }, expected) {
    const course = await begin(MONTHLY)
    await course.on('2024-01-20')
    const { body } = await course.post('/pause', request)
    deepEqual([body.status, body.pause.status, body.paused_at], [expected.status, expected['pause.status'], null])
    equal(body.pause_at, body.current_period_end)
  },
  async 'pl-p05'(_given, expected) {
    const course = await begin(MONTHLY)
    await course.post('/pause', { mode: 'period_end' })
    const { status, body } = await course.post('/pause-at-period-end/undo')
    deepEqual([status, body.status, body.pause], [expected.http, expected.status, expected.pause])
    equal(course.dayOf(body.next_billing_at), '2024-02-10')
  },
  async 'fx-p02'({ period_start }, expected) {
    const course = await begin({ on: period_start })
    await course.post('/pause', { mode: 'period_end' })
    await course.through('2024-03-02')
    const found = await course.get()
    const period = [course.dayOf(found.current_period_start), course.dayOf(found.current_period_end)]
    deepEqual([found.status, ...period], [expected.status, expected.period_start, expected.period_end])
    equal((await course.attempts()).length - 1, expected.charges_created)
  },
  're-p01': (_given, { http, retries_after_pause }) => pausesRetries(http, retries_after_pause),
  'cb-p01': (_given, { retries_after_pause }) => pausesRetries(200, retries_after_pause),
  async 're-21'({ start_date, interval, interval_count, paused_on, resume_on }, expected) {
    const course = await begin({ on: start_date, interval, interval_count })
    await course.on(paused_on)
    await course.post('/pause', { unused_time_behavior: 'preserve_time' })
    await course.on(resume_on)
    const { status, body } = await course.post('/resume', UNCHANGED)
    deepEqual([status, course.dayOf(body.next_billing_at)], [expected.http, expected.next_billing_date])
    deepEqual([body.payment, (await course.attempts()).length], [null, 1])
  },
  async 're-28'(_given, expected) {
    const course = await begin({ ...MONTHLY, outcomes: ['approved', 'declined'] })
    await course.post('/pause', {
      unused_time_behavior: 'external_refund',
      refund_confirmed: true,
      refund_reference: 'x',
    })
    const before = await course.get()
    await course.on('2024-01-25')
    const { body: preview } = await course.post('/resume/preview', { billing_cycle_anchor: 'now' })
    const { status } = await course.post('/resume', { ...NOW, quote_hash: preview.quote_hash })
    const found = await course.get()
    deepEqual([status, found.status], [expected.http, expected.status])
    equal(found.billing_cycle_anchor, before.billing_cycle_anchor)
    equal((await course.paidOn()).length - 1, expected.charges_succeeded)
  },
  async 'rt-04'(given, expected) {
    const course = await beginRetries(given)
    await course.through('2024-02-09')
    equal((await course.attempts()).length, expected.attempts)
    equal((await course.get()).installments_billed, expected.paid_bills)
  },
  async 'rt-06'(given, expected) {
    const course = await beginRetries(given)
    await course.on(given.billing_date)
    const sent = () => world.gateway.sales.filter(({ merchantRef }) => !known.has(merchantRef)).length
    equal(sent(), expected.attempts)
    await course.through('2024-01-12')
    equal(sent() > 1, expected.automatic_second_attempt_before_reconciliation)
    deepEqual(await course.attempts(), [])
  },
  async 'rt-10'(given, expected) {
    const course = await beginRetries(given)
    await course.through('2024-03-15')
    equal((await course.attempts()).length, expected.attempts)
    equal((await course.attempts()).length - 1, expected.further_attempts_same_card)
    equal((await course.get()).status, expected.status)
  },
  async 'rt-17'(given, expected) {
    const course = await beginRetries(given)
    await course.through('2024-01-20')
    const { status, retry_count } = await course.get()
    deepEqual([status, retry_count], [expected.status, expected.retry_counter])
    equal([...(await course.bills()).values()].includes('PENDING'), expected.queue_entry_open)
  },
  async 'rt-20'({ start_date, outcomes, ...given }, expected) {
    const course = await begin({ ...given, on: start_date, outcomes: outcomesOf(['AA', ...outcomes]) })
    await course.through('2024-05-15')
    equal((await course.paidOn()).at(-1), expected.next_billing_date)
    const { body } = await course.call(course.shop, 'GET', `/subscriptions/${(await course.get()).id}/payments?limit=1`)
    equal(body.data[0].amount, 1_000)
  },
  async 'rt-21'(given, expected) {
    const course = await beginRetries(given)
    await course.on(given.billing_date)
    equal((await course.post('', END)).status, 200)
    await course.through('2012-07-15')
    deepEqual(
      await course.attempts(),
      expected.attempt_dates.map((day: string) => `${day} failed`),
    )
    equal(course.dayOf((await course.get()).canceled_at), expected.canceled_on)
  },
  'in-01': (given, expected) => paysInstallments(given, expected),
  'in-02': (given, expected) => paysInstallments(given, expected),
  'in-03': (given, expected) => paysInstallments(given, expected),
  async 'in-04'({ start_date, installments, scheduler_down: { to } }, expected) {
    const course = await begin({ on: start_date, installments })
    await course.on(to, 2)
    equal((await course.paidOn()).filter((day) => day === to).length, expected.charges_created_on[to])
    deepEqual([...(await course.bills()).values()], ['FULFILLED', 'FULFILLED', 'FULFILLED'])
    equal((await course.get()).status, expected.status_after)
  },
  async 'in-06'({ start_date, installments }, expected) {
    const outcomes = outcomesOf(['AA', 'ND', 'ND', 'ND', 'ND', 'AA', 'AA', 'AA'])
    const course = await begin({ on: start_date, installments, outcomes })
    await course.through('2024-06-10')
    const { status, installments_billed, ended_at } = await course.get()
    deepEqual([status, installments_billed], ['completed', expected.paid_bills])
    equal(course.dayOf(ended_at), expected.completed_on)
  },
  async 'cn-01'({ start_date, request }, expected) {
    const course = await begin({ on: start_date })
    await course.through(request.on)
    await course.post('', END)
    await course.through('2012-09-01')
    equal((await course.paidOn()).at(-1), expected.last_charge_on)
    equal(course.dayOf((await course.get()).canceled_at), expected.canceled_on)
  },
  async 'cn-02'({ start_date, cancel_effective_on: end }, expected) {
    const course = await begin({ on: start_date })
    await course.through(dayBefore(end, 5))
    await course.post('', END)
    await course.through(textOf(dayFrom(end) + 3))
    equal((await course.paidOn()).includes(end), expected.charged_on_cancel_date)
    equal(course.dayOf((await course.get()).canceled_at), end)
  },
  async 'cn-03'({ start_date, cancel_effective_on: end }, expected) {
    const course = await begin({ on: start_date })
    await course.post('', END)
    await course.through(textOf(dayFrom(end) + 3))
    deepEqual(await course.paidOn(), expected.charged_on)
    equal(course.dayOf((await course.get()).canceled_at), end)
  },
  async 'cn-05'({ request }, expected) {
    const course = await begin(MONTHLY)
    await course.post('/pause', { mode: 'period_end' })
    const { body } = await course.post('', request)
    deepEqual([body.cancel_at_period_end, body.pause], [expected.cancel_at_period_end, expected.pause])
  },
  async 'cn-06'(_given, expected) {
    const course = await begin(MONTHLY)
    await course.post('', END)
    const { body } = await course.post('', TAKE_BACK)
    deepEqual([body.status, body.cancel_at_period_end], [expected.status, expected.cancel_at_period_end])
    equal(course.dayOf(body.next_billing_at), '2024-02-10')
  },
  async 'cn-10'(_given, expected) {
    const course = await begin({ ...MONTHLY, outcomes: ['approved', 'declined'] })
    await course.through('2024-02-11')
    await course.cancel()
    await course.through('2024-03-15')
    equal((await course.attempts()).length - 2, expected.attempts)
    equal([...(await course.bills()).values()].includes('PENDING'), expected.queue_entry_open)
  },
  'rf-06': (given, expected) => givesBack(given, expected),
  'rf-07': (given, expected) => givesBack(given, expected),
  'rf-08': (given, expected) => givesBack(given, expected),
}

/** Ids of sales of other courses. */
const known = new Set<string>()

async function pausesRetries(http: number, retries: number): Promise<void> {
  const course = await begin({ ...MONTHLY, outcomes: ['approved', 'declined'] })
  await course.through('2024-02-11')
  const { status, body } = await course.post('/pause', { mode: 'immediate' })
  deepEqual([status, body.status, body.pause.remaining_paid_seconds], [http, 'paused', 0])
  await course.through('2024-03-15')
  equal((await course.attempts()).length - 2, retries)
  equal((await course.bills()).get('0/1'), 'paused')
}

async function paysInstallments({ start_date, installments }: Members, expected: Members): Promise<void> {
  const course = await begin({ on: start_date, installments })
  await course.through(expected.billing_dates_exclude.at(-1))
  deepEqual(await course.paidOn(), expected.billing_dates)
  const { status, next_billing_at } = await course.get()
  deepEqual([status, next_billing_at], ['completed', null])
}

async function givesBack({ amount, operations }: Members, expected: Members): Promise<void> {
  const course = await begin({ ...MONTHLY, amount })
  const payment = await course.latestPaymentId()
  for (const { refund, http = 201, detach_payment_method } of operations) {
    if (detach_payment_method) {
      await course.call(course.shop, 'DELETE', `/payment_methods/${course.cardId}`)
      continue
    }
    const wanted = { payment, ...(refund !== null && { amount: refund }) }
    equal((await course.call(course.shop, 'POST', '/refunds', wanted)).status, http)
  }
  const { body } = await course.call(
    course.shop,
    'GET',
    `/subscriptions/${(await course.get()).id}/payments/${payment}`,
  )
  deepEqual([body.status, body.refunded_amount], [expected.status, expected.refunded_amount])
}

describe('A documented course, against the whole service', { concurrency: false }, () => {
  for (const { id, given, expect } of billingVectors.filter(({ id: of }) => Object.hasOwn(NEED_THE_ENGINE, of))) {
    test(`${id}: ${NEED_THE_ENGINE[id]}`, async () => {
      for (const { merchantRef } of world.gateway.sales) known.add(merchantRef)
      await COURSES[id]?.(given, expect)
    })
  }

  test('none that needs the engine is left out', () => {
    deepEqual(Object.keys(COURSES).sort(), Object.keys(NEED_THE_ENGINE).sort())
  })

  for (const { id, given, expect } of billingVectors as Members) {
    if (!Array.isArray(expect.billing_dates) || given.timezone || given.installments) continue
    test(`${id}: charged on its dates`, async () => {
      const { start_date, interval, interval_count } = given
      const course = await begin({ on: start_date, interval, interval_count })
      for (const day of expect.billing_dates.slice(1)) {
        await course.on(dayBefore(day))
        await course.on(day)
      }
      deepEqual(await course.paidOn(), expect.billing_dates)
    })
  }
})
