import type { Db } from '../../db/connection.ts'
import { readProgress, recordProgress } from '../../db/job-progress.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  closeSession,
  findPortion,
  listLeftOverdue,
  listOverdue,
  listOverdueByTestClock,
  listOverdueOf,
  noteOverdue,
} from './close-session-queries.ts'
import { nextStatus, type Session } from './session.ts'

export interface ExpiryServices {
  db: Db
  clock: Clock
}

const JOB = 'expire sessions'
const BATCH = 200

/**
 * Closes sessions 24 hours after their creation. A session with a payment in progress stays open, because the approval
 * of a payment that began in time completes it.
 *
 * The index on the expiry contains closed sessions too, so the job stores its progress and continues from there, even
 * after a long downtime.
 *
 * @returns the number of closed sessions
 */
export async function expireSessions({ db, clock }: ExpiryServices): Promise<number> {
  const now = clock.now()
  let from = await readProgress(db, JOB, now)
  const begin = from
  let closed = 0
  for (let isLast = false; !isLast; ) {
    const portion = await findPortion(db, { from, until: now })
    closed += await closeAll({ db, clock }, () => listOverdue(db, { from, until: portion.until }, BATCH))
    await recordProgress(db, JOB, portion.until, now)
    from = portion.until
    isLast = portion.isLast
  }
  closed += await closeAll({ db, clock }, () => listOverdueByTestClock(db, { from: begin, until: now }, BATCH))
  return closed + (await closeAll({ db, clock }, () => listLeftOverdue(db, now, BATCH)))
}

/**
 * Closes the expired sessions of one business whose test clock moves.
 *
 * @param span range of expiry times, by the clock of the business
 * @returns the number of closed sessions
 */
export function expireSessionsOf(
  services: ExpiryServices,
  { businessId, ...span }: { businessId: string; from: Date; until: Date },
): Promise<number> {
  return closeAll(services, () => listOverdueOf(services.db, businessId, span, BATCH))
}

/** Closes the listed sessions. Each is closed or marked as being paid, so it is not listed again. */
async function closeAll({ db, clock }: ExpiryServices, list: () => Promise<Session[]>): Promise<number> {
  let closed = 0
  for (;;) {
    const overdue = await list()
    for (const session of overdue) {
      if (await expire({ db }, session)) closed += 1
      else await noteOverdue(db, session, clock.now())
    }
    if (overdue.length < BATCH) return closed
  }
}

function expire({ db }: Pick<ExpiryServices, 'db'>, overdue: Session): Promise<boolean> {
  const status = nextStatus(overdue.status, 'time elapsed') ?? 'EXPIRED'
  const session: Session = { ...overdue, status }
  return closeSession(db, { session, reason: null, type: 'checkout.session.expired', at: session.expiresAt })
}
