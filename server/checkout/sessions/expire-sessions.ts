import { newEvent } from '../../events/event.ts'
import type { JobKind } from '../../jobs/jobs.ts'
import { forgetRefusedCardTries } from '../pay/card-testing.ts'
import { closeSession, listOverdue } from './close-session-queries.ts'
import type { LookupServices } from './load-session.ts'
import { nextStatus, type Session } from './session.ts'
import { detailsView } from './session-view.ts'

const BATCH = 200

/**
 * Closes the sessions whose 24 hours are over. One that is being paid waits: an approval of a payment that began in time
 * completes it.
 *
 * @returns how many were closed
 */
export async function expireSessions({ db, clock }: LookupServices): Promise<number> {
  let closed = 0
  for (;;) {
    const overdue = await listOverdue(db, clock.now(), BATCH)
    for (const session of overdue) if (await expire({ db, clock }, session)) closed += 1
    if (overdue.length < BATCH) return closed
  }
}

function expire({ db }: LookupServices, overdue: Session): Promise<boolean> {
  const status = nextStatus(overdue.status, 'time elapsed') ?? 'EXPIRED'
  const session: Session = { ...overdue, status }
  const event = newEvent({
    businessId: session.businessId,
    type: 'checkout.session.expired',
    objectId: session.id,
    data: { object: detailsView(session, status, null) },
    createdAt: session.expiresAt,
  })
  return closeSession(db, { session, reason: null, event })
}

export function checkoutJobs(services: LookupServices): JobKind<object>[] {
  return [
    {
      name: 'expire-sessions',
      retryDelaySeconds: 30,
      retriesMax: 2,
      timetable: '* * * * *',
      run: async () => void (await expireSessions(services)),
    },
    {
      name: 'forget-refused-card-tries',
      retryDelaySeconds: 60,
      retriesMax: 2,
      timetable: '41 * * * *',
      run: () => forgetRefusedCardTries(services),
    },
  ]
}
