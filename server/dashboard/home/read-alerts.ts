import { ALERT_KINDS, type Alert } from '../../../contract/dashboard/home-api.ts'
import type { Environment } from '../../access/shared/context.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { boundedRead } from '../../db/bounded-read.ts'
import type { Db } from '../../db/connection.ts'
import { listFailedJobs } from '../../jobs/failed-job-queries.ts'
import { addSeconds, type Clock, epochSeconds } from '../../lib/clock.ts'
import { type Day, dayOf } from '../../subscriptions/plan/calendar.ts'
import { createCostlyFigures } from '../costly-figures.ts'
import { type AlertRow, countExpiringCards, type HeldRow, listAlerts, listHeldOf } from './alert-queries.ts'
import { type ExposedRow, listExposed } from './exposed-queries.ts'
import { missedOf } from './missed-bills.ts'

const DOUBT_SECONDS = 86_400
/** How long an endpoint must have failed: a delivery is repeated after 5 seconds and 5 minutes. */
const FAILING_SECONDS = 600
/** How many held subscriptions are listed. They are decided one by one; the next ones follow when some are decided. */
const HELD_MAX = 20
const CARDS_KEPT_MS = 600_000

/** How long an exposed access token is listed. A page that no longer sends it has probably been changed. */
const SEEN_SECONDS = 7 * 86_400

export interface AlertServices {
  db: Db
  clock: Clock
  environment: Environment
}

export type ReadAlerts = (business: Business) => Promise<Alert[]>

/**
 * Creates the reader of what needs a person, in the order of the page. It runs four statements, and a fifth whose
 * result is cached.
 *
 * @see DSH-25
 */
export function createReadAlerts({ db, clock, environment }: AlertServices): ReadAlerts {
  const countCards = createCardCount({ db, clock })
  return async (business) => {
    const now = businessNow(clock, business)
    const real = clock.now()
    const today = dayOf(now, business.timeZone)
    const times = {
      doubtBefore: addSeconds(real, -DOUBT_SECONDS),
      failingBefore: addSeconds(real, -FAILING_SECONDS),
      today,
    }
    const [rows, exposed, held, jobs, cards] = await Promise.all([
      listAlerts(db, business.id, times),
      listExposed(db, {
        businessId: business.id,
        environment,
        now: real,
        tokensSince: addSeconds(real, -SEEN_SECONDS),
      }),
      listHeldOf(db, business.id, HELD_MAX),
      listFailedJobs(db),
      countCards(business.id, today),
    ])
    const alerts: Alert[] = [
      ...cardTesting(business, real),
      ...rows.map(alertOf),
      ...exposed.map(exposedAlert),
      ...held.map((one) => missedAlert(one, now)),
      ...jobs.map(({ name, failedAt }) => alert({ kind: 'job_failed', name, since: epochSeconds(failedAt) })),
      ...(cards > 0 ? [alert({ kind: 'cards_expiring', count: cards })] : []),
    ]
    return alerts.sort((a, b) => ALERT_KINDS.indexOf(a.kind) - ALERT_KINDS.indexOf(b.kind))
  }
}

function alert(given: Pick<Alert, 'kind'> & Partial<Alert>): Alert {
  return { count: 1, since: null, until: null, object: null, name: null, seen: null, missed: null, ...given }
}

function cardTesting({ newCardsRefusedUntil: until }: Business, real: Date): Alert[] {
  return until !== null && until > real ? [alert({ kind: 'card_testing', until: epochSeconds(until) })] : []
}

function alertOf({ kind, count, since, objectType: type, objectId: id, name }: AlertRow): Alert {
  const object = type === null || id === null ? null : { type, id }
  return alert({ kind, count, since: since && epochSeconds(since), object, name })
}

function exposedAlert({ kind, id, name, lastFour, seenAt, origin, until }: ExposedRow): Alert {
  const object = { type: kind === 'key_in_page' ? 'api_key' : 'oauth_client', id }
  const seen = { at: epochSeconds(seenAt), origin }
  return alert({ kind, name: `${name} …${lastFour}`, object, seen, until: until && epochSeconds(until) })
}

function missedAlert(held: HeldRow, now: Date): Alert {
  const object = { type: 'subscription', id: held.id }
  const since = epochSeconds(held.heldAt)
  return alert({ kind: 'missed_bills', since, object, name: held.customerName, missed: missedOf(held, now) })
}

/** Creates the counter of cards that expire in the month of a day. */
function createCardCount({ db, clock }: { db: Db; clock: Clock }) {
  const figures = createCostlyFigures<number>(clock, CARDS_KEPT_MS)
  return (businessId: string, today: Day): Promise<number> => {
    const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
    const count = () => boundedRead(db, (tx) => countExpiringCards(tx, businessId, { year, month }))
    return figures(`${businessId} ${year} ${month}`, count)
  }
}
