import type { MerchantApi } from '../access/keys/merchant-api.ts'
import { composeDue } from '../emails/compose/compose-due.ts'
import type { Route } from '../http/route.ts'
import { resolveOperations } from '../payments/recovery/resolve-operations.ts'
import { type AdvanceTestClock, createAdvanceTestClock } from '../test-clock/advance-test-clock.ts'
import { billing } from '../test-clock/billing.ts'
import { dailySettlement } from '../test-clock/daily-settlement.ts'
import type { DueWork } from '../test-clock/due-work.ts'
import { cardNotices, renewalNotices } from '../test-clock/notices.ts'
import { sessionExpiry } from '../test-clock/session-expiry.ts'
import { testClockRoutes } from '../test-clock/test-clock-routes.ts'
import type { Services } from './services.ts'

/**
 * Real time that an advance may take for its letters, after 90 seconds of work. Connections are closed after 120
 * seconds.
 */
const COMPOSE_MS = 20_000

/**
 * Returns what an advance does at an instant, in this order. Anything else that falls due in a business's time is added
 * here.
 */
const dueWorkOf = (services: Services): DueWork[] => [
  dailySettlement(services),
  billing(services),
  renewalNotices(services),
  cardNotices(services),
  sessionExpiry(services),
]

/**
 * Creates the function that advances the test clocks of businesses, for the merchant API and the dashboard alike.
 *
 * @param caches caches that hold a business, with the offset of its clock, for a second
 */
export function testClockOf(services: Services, caches: { forgetAll(): void }[]): AdvanceTestClock {
  return createAdvanceTestClock({
    ...services,
    dueWork: dueWorkOf(services),
    resolve: () => resolveOperations(services),
    composeLetters: (businessId) => composeDue(services, { businessId, withinMs: COMPOSE_MS }),
    forgetBusinesses() {
      services.merchants.forget()
      for (const cache of caches) cache.forgetAll()
    },
  })
}

/** Returns the paths of the test clock; none in production, where they are unknown paths (OPS-20). */
export function stagingRoutes({ environment }: Services, api: MerchantApi, advance: AdvanceTestClock): Route[] {
  return environment === 'production' ? [] : testClockRoutes(api, advance)
}
