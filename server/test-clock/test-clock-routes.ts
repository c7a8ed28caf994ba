import { type TestClock, TestClockAdvance } from '../../contract/test-clock.ts'
import type { MerchantApi } from '../access/keys/merchant-api.ts'
import { businessNow } from '../businesses/business.ts'
import { findBusiness } from '../businesses/business-queries.ts'
import { type Route, route } from '../http/route.ts'
import { epochSeconds } from '../lib/clock.ts'
import type { AdvanceTestClock } from './advance-test-clock.ts'
import { TEST_CLOCK_DOCUMENTS as documents } from './test-clock-openapi.ts'

/** Routes of the test clock; see docs/specification/operations.md. Staging only. */
export function testClockRoutes({ db, clock, shared }: MerchantApi, advanceTestClock: AdvanceTestClock): Route[] {
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/test_clock',
      scope: 'test_clock:read',
      document: documents.retrieve,
      async handle({ caller }) {
        const business = (await findBusiness(db, caller.business.id)) ?? caller.business
        const now = epochSeconds(businessNow(clock, business))
        const body: TestClock = { object: 'test_clock', now, offset_seconds: business.clockOffsetSeconds }
        return { body }
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/test_clock/advance',
      scope: 'test_clock:write',
      body: TestClockAdvance,
      document: documents.advance,
      handle: async ({ caller, body }) => ({ body: await advanceTestClock(caller.business, body) }),
    }),
  ]
}
