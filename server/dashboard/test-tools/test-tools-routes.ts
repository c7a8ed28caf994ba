import type { Links } from '../../checkout/sessions/session-view.ts'
import type { LinkServices } from '../../emails/letter-link.ts'
import { centsOutcomes, testCards, threeDsVisaCards } from '../../gateway/simulator/test-cards.ts'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import type { AdvanceTestClock } from '../../test-clock/advance-test-clock.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { wholeList } from '../list-object.ts'
import { clockRoutes } from './clock-routes.ts'
import { mailboxRoutes } from './mailbox-routes.ts'
import { makeSampleData, type SampleServices } from './make-sample-data.ts'
import { type ReadLedger, rowsOfBusiness } from './simulator-rows.ts'

interface TestToolServices extends SampleServices, LinkServices {
  clock: Clock
  links: Links
  dashboardUrl: string
  advanceTestClock: AdvanceTestClock
  /** `null` without a simulator. */
  simulatorRows: ReadLedger | null
}

/** Returns the routes of the test tools. Production has none of these paths (DSH-20). */
export function testToolsRoutes(dashboard: DashboardRoutes, services: TestToolServices): Route[] {
  if (dashboard.environment === 'production') return []
  return [
    ...clockRoutes(dashboard, services),
    ...mailboxRoutes(dashboard, services),
    cardsRoute(dashboard),
    sampleRoute(dashboard, services),
    ledgerRoute(dashboard, services),
  ]
}

function cardsRoute(dashboard: DashboardRoutes): Route {
  return dashboard.read('GET /test_cards', {
    permission: 'test.use',
    handle: async () => ({
      body: {
        object: 'test_cards' as const,
        cards: [...testCards(), ...threeDsVisaCards()],
        cents: centsOutcomes(),
      },
    }),
  })
}

function sampleRoute(dashboard: DashboardRoutes, services: TestToolServices): Route {
  return dashboard.once('POST /test_data', {
    permission: 'test.use',
    action: 'test_data.create',
    asks: () => ({ object: null }),
    handle: async ({ member, ip }) => ({ status: 201, body: await makeSampleData(services, member.business, ip) }),
  })
}

function ledgerRoute(dashboard: DashboardRoutes, { simulatorRows }: TestToolServices): Route {
  const { db } = dashboard
  return dashboard.read('GET /simulator_ledger', {
    permission: 'test.use',
    async handle({ member }) {
      const rows = simulatorRows ? await rowsOfBusiness(db, simulatorRows, member.business.id) : []
      return { body: wholeList(rows, (row) => row) }
    },
  })
}
