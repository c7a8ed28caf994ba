import { listBusinesses } from '../../businesses/business-queries.ts'
import type { Db } from '../../db/connection.ts'
import { readProgress, recordProgress } from '../../db/job-progress.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { firstIdAt, msOfId } from '../../lib/ids.ts'
import { keptSince } from '../kept-events.ts'
import { DELETE_PORTION, deleteOldEvents, forgetDeletedEndpoints } from './old-event-queries.ts'
import { countedSpan } from './redelivery-budget.ts'
import { forgetRedeliveries } from './redelivery-budget-queries.ts'

const JOB = 'delete old events'
/**
 * Events stay for an hour after they are no longer shown: a request that has found one, such as a redelivery, may still
 * use it.
 */
const UNSHOWN_SECONDS = 3_600
/** A run ends before the queue considers its job dead. The next run continues. */
const RUN_MS = 10 * 60_000

export interface RetentionServices {
  db: Db
  clock: Clock
  eventDays: number
}

/**
 * Deletes events older than the retention period (EVT-22), starting where the last complete run stopped: at the first
 * event that something still waits for.
 */
export async function deleteEventsBeyondRetention({ db, clock, eventDays }: RetentionServices): Promise<void> {
  const now = clock.now()
  await forgetRedeliveries(db, countedSpan(now))
  const until = addSeconds(keptSince(clock, eventDays), -UNSHOWN_SECONDS)
  const from = await readProgress(db, JOB, now)
  const endMs = clock.monotonicMs() + RUN_MS
  let reachedMs = until.getTime()
  for (const { id: businessId } of await listBusinesses(db)) {
    const waitingMs = await deleteEventsOf(db, { businessId, from, until, isOver: () => clock.monotonicMs() > endMs })
    if (waitingMs === 'not finished') return
    if (waitingMs !== null) reachedMs = Math.min(reachedMs, waitingMs)
    await forgetDeletedEndpoints(db, businessId, addSeconds(until, -86_400))
  }
  await recordProgress(db, JOB, new Date(reachedMs), now)
}

interface Span {
  businessId: string
  from: Date
  until: Date
  isOver: () => boolean
}

/**
 * @returns when the first event that had to stay was recorded, because something waits for it; `null` if there is none
 */
async function deleteEventsOf(
  db: Db,
  { businessId, from, until, isOver }: Span,
): Promise<number | 'not finished' | null> {
  const end = firstIdAt(until)
  let after = firstIdAt(from)
  let waiting: string | null = null
  for (;;) {
    if (isOver()) return 'not finished'
    const done = await deleteOldEvents(db, { businessId, after, until: end })
    waiting ??= done.waiting
    if (done.found < DELETE_PORTION || done.last === null) return waiting === null ? null : msOfId(waiting)
    after = done.last
  }
}
