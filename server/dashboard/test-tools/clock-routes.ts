import { TestClockAdvance } from '../../../contract/test-clock.ts'
import { businessNow } from '../../businesses/business.ts'
import type { Route } from '../../http/route.ts'
import { type Clock, epochSeconds } from '../../lib/clock.ts'
import type { AdvanceTestClock } from '../../test-clock/advance-test-clock.ts'
import { findNextSubscriptionDueAt } from '../../test-clock/due-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'

/** Returns the routes of the business's test clock (OPS-20, OPS-21). */
export function clockRoutes(
  dashboard: DashboardRoutes,
  { clock, advanceTestClock }: { clock: Clock; advanceTestClock: AdvanceTestClock },
): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /test_clock', {
      permission: 'test.use',
      async handle({ member: { business } }) {
        const now = businessNow(clock, business)
        const next = await findNextSubscriptionDueAt(db, business.id, now)
        const view = { time_zone: business.timeZone, next_bill_at: next && epochSeconds(next) }
        const offset_seconds = business.clockOffsetSeconds
        return { body: { object: 'test_clock' as const, now: epochSeconds(now), offset_seconds, view } }
      },
    }),
    dashboard.once('POST /test_clock/advance', {
      permission: 'test.use',
      action: 'test_clock.advance',
      body: TestClockAdvance,
      asks: ({ body }) => ({ object: null, after: { ...body } }),
      handle: async ({ member, body }) => ({ body: await advanceTestClock(member.business, body) }),
    }),
  ]
}
