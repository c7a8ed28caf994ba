import type { Db } from '../../db/connection.ts'
import { type Placeholders, run, statement } from '../../db/statement.ts'
import type { NewEvent } from '../../events/event.ts'
import { eventValues, firstEventMembers } from '../../events/event-queries.ts'
import { ofSession } from '../sessions/completion-queries.ts'
import type { LastDecline, Session } from '../sessions/session.ts'

const countText = (p: Placeholders, isLast: boolean) => `with counted as (
    update checkout_session s set attempt_count = ${p.attemptCount}::smallint, last_decline = ${p.lastDecline}::jsonb
      ${isLast ? `, status = 'FAILED', overdue_at = null, failed_at = ${p.at}::timestamptz` : ''}
    where ${ofSession(p, 's.')} and s.status = 'PENDING' and s.attempt_count = ${p.attemptCount}::smallint - 1
    returning s.id
  )${isLast ? `, ${firstEventMembers(p, { source: 'counted' })}` : ''}
  select id from counted`

const COUNT = statement('count_unverified', (p) => countText(p, false))
const COUNT_LAST = statement('count_unverified_last', (p) => countText(p, true))

interface Unverified {
  /** Number of failed attempts, including this one. */
  attemptCount: number
  lastDecline: LastDecline
  /** Event of the failed session; only for the last attempt. */
  failed: NewEvent | null
  now: Date
}

/**
 * Counts a card that was not verified as an attempt. There is no operation, because no money was to move.
 *
 * @returns `false` if the session is closed, or another request has counted an attempt meanwhile
 */
export async function countUnverified(
  db: Db,
  { businessId, id: sessionId }: Session,
  { attemptCount, lastDecline, failed, now }: Unverified,
): Promise<boolean> {
  const values = { businessId, sessionId, attemptCount, lastDecline: JSON.stringify(lastDecline) }
  const rows = failed
    ? await run(db, COUNT_LAST, { ...values, ...eventValues(failed), at: now })
    : await run(db, COUNT, values)
  return rows.length > 0
}
