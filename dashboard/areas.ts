import { batchesArea } from './areas/batches/area.ts'
import { calendarArea } from './areas/calendar/area.ts'
import { catalogArea } from './areas/catalog/area.ts'
import { contractsArea } from './areas/contracts/area.ts'
import { credentialsArea } from './areas/credentials/area.ts'
import { customersArea } from './areas/customers/area.ts'
import { entryArea } from './areas/entry/area.ts'
import { homeArea } from './areas/home/area.ts'
import { paymentsArea } from './areas/payments/area.ts'
import { sessionsArea } from './areas/sessions/area.ts'
import { settingsArea } from './areas/settings/area.ts'
import { subscriptionsArea } from './areas/subscriptions/area.ts'
import { teamArea } from './areas/team/area.ts'
import { testToolsArea } from './areas/test-tools/area.ts'
import { webhooksArea } from './areas/webhooks/area.ts'
import type { Area } from './kit/area.ts'

/** Every area of the dashboard's pages. */
export const AREAS: Area[] = [
  batchesArea,
  calendarArea,
  catalogArea,
  contractsArea,
  credentialsArea,
  customersArea,
  entryArea,
  homeArea,
  paymentsArea,
  sessionsArea,
  settingsArea,
  subscriptionsArea,
  teamArea,
  testToolsArea,
  webhooksArea,
]
