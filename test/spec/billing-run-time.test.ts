import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runDue } from '../../server/subscriptions/bills/run-due-bills.ts'
import { openWorld, type World } from '../simulation/recurring/world.ts'
import { beginCourse, type Course, type CourseTerms } from '../support/course.ts'

// A business whose bills are charged in the evening, in Toronto: five hours behind UTC in winter, four in summer.

const MONTHLY = { on: '2026-01-10', interval: 'month' }
const UNCHANGED = { billing_cycle_anchor: 'unchanged', proration_behavior: 'none' }

let world: World
before(async () => {
  world = await openWorld(1, Date.UTC(2026, 0, 1))
})
after(() => world[Symbol.asyncDispose]())

async function set(course: Course, billing_run_local_time: string): Promise<void> {
  const { db } = world.app.services
  await db.updateTable('business').set({ billing_run_local_time }).where('id', '=', course.shop.id).execute()
}

async function begin(terms: CourseTerms, time = '18:30'): Promise<Course> {
  const course = await beginCourse(world, terms)
  await set(course, time)
  return course
}

/** Runs what is due at an instant. */
async function at({ shop }: Course, instant: string): Promise<void> {
  world.clock.set(Date.parse(instant))
  await runDue(world.app.services, { businessId: shop.id })
}

const epoch = (instant: string) => Date.parse(instant) / 1_000

describe('A later time of charges', () => {
  test('BIL-4: charges a bill at that time of its day and not a second before, also when the clocks change', async () => {
    const course = await begin({ on: '2026-02-08', interval: 'month' })
    // The clocks are set forward on 8 March.
    await at(course, '2026-03-08T05:00:00Z')
    await at(course, '2026-03-08T22:29:59Z')
    deepEqual(await course.paidOn(), ['2026-02-08'])
    await at(course, '2026-03-08T22:30:00Z')
    deepEqual(await course.paidOn(), ['2026-02-08', '2026-03-08'])
  })

  test('BIL-4: retries at that time, and says so', async () => {
    const course = await begin({ ...MONTHLY, outcomes: ['approved', 'declined', 'approved'] })
    await at(course, '2026-02-10T05:00:00Z')
    await at(course, '2026-02-10T23:30:00Z')
    equal((await course.get()).next_retry_at, epoch('2026-02-13T23:30:00Z'))
    await at(course, '2026-02-13T23:29:59Z')
    deepEqual(await course.attempts(), ['2026-01-10 succeeded', '2026-02-10 failed'])
    await at(course, '2026-02-13T23:30:00Z')
    deepEqual(await course.paidOn(), ['2026-01-10', '2026-02-13'])
  })

  test('BIL-4: keeps the time of a bill whose day has begun when the setting changes', async () => {
    const course = await begin(MONTHLY)
    await at(course, '2026-02-10T05:00:00Z')
    await set(course, '06:00')
    await at(course, '2026-02-10T23:29:59Z')
    deepEqual(await course.paidOn(), ['2026-01-10'])
    await at(course, '2026-02-10T23:30:00Z')
    await at(course, '2026-03-10T04:00:00Z')
    await at(course, '2026-03-10T10:00:00Z')
    deepEqual(await course.paidOn(), ['2026-01-10', '2026-02-10', '2026-03-10'])
  })

  test('BIL-4: charges at once what is found later on its day, or on a later one', async () => {
    const course = await begin(MONTHLY)
    await at(course, '2026-02-11T04:59:00Z')
    await at(course, '2026-03-12T15:00:00Z')
    deepEqual(await course.paidOn(), ['2026-01-10', '2026-02-10', '2026-03-12'])
  })

  test('BIL-31: until it is charged the period is due and unpaid, and a pause drops the bill', async () => {
    const course = await begin(MONTHLY)
    await at(course, '2026-02-10T05:00:00Z')
    const { body } = await course.post('/pause/preview', { mode: 'immediate' })
    deepEqual([body.requires_unused_time_choice, body.unused_prepaid_amount], [false, 0])
    const shown = await course.get()
    deepEqual([shown.status, course.dayOf(shown.current_period_start)], ['active', '2026-02-10'])
    equal(shown.next_billing_at, epoch('2026-03-10T04:00:00Z'))
    equal((await course.post('/pause', { mode: 'immediate' })).status, 200)
    equal((await course.bills()).get('0/1'), 'paused')
    const resumed = await course.post('/resume', UNCHANGED)
    equal(course.dayOf(resumed.body.next_billing_at), '2026-03-10')
    await at(course, '2026-02-10T23:30:00Z')
    deepEqual(await course.paidOn(), ['2026-01-10'])
  })

  for (const [what, path, body, status] of [
    ['cancel', '', { cancel_at_period_end: true }, 'canceled'],
    ['pause', '/pause', { mode: 'period_end' }, 'paused'],
  ] as const) {
    test(`BIL-31: a scheduled ${what} takes effect when the day begins, and nothing is charged on it`, async () => {
      const course = await begin(MONTHLY)
      equal((await course.post(path, body)).status, 200)
      await at(course, '2026-02-10T05:00:00Z')
      equal((await course.get()).status, status)
      await at(course, '2026-02-10T23:30:00Z')
      deepEqual(await course.paidOn(), ['2026-01-10'])
    })
  }
})
