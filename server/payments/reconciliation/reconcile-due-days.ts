import { addSeconds } from '../../lib/clock.ts'
import type { PaymentServices } from '../services.ts'
import { reconcileDay } from './reconcile-day.ts'
import { type DueTimes, listDueDays } from './reconciliation-queries.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400
/** A past day is compared at this hour (UTC) … */
const NIGHT_HOUR = 2
/** … of this many nights, because a sale can be voided until its batch is settled. */
const NIGHTS = 3
/** The current day is compared this often, so that an unknown sale is found before its batch is settled. */
const TODAY_EVERY_HOURS = 6
/** How many days are caught up after a downtime. */
const CATCH_UP_DAYS = 31
const AFTER_FAILURE_SECONDS = 300
const PAGE = 50
/** A job may run for 15 minutes. Days that are left are compared by the next job. */
const WORK_SECONDS = 600

/**
 * Compares every day that is due, oldest first: past days nightly, today every few hours, and days that were missed
 * because the service or the gateway was down.
 */
export async function reconcileDueDays(services: PaymentServices): Promise<void> {
  const { db, clock } = services
  const stopAt = clock.monotonicMs() + WORK_SECONDS * 1000
  const times = dueTimes(clock.now())
  // After a failure, the terminal's other days are left to the next job, so that they do not delay other terminals.
  const silent = new Set<string>()
  for (;;) {
    const due = await listDueDays(db, times, PAGE)
    const tried = due.filter(({ terminal }) => !silent.has(terminal.id))
    for (const terminalDay of tried) {
      const { id } = terminalDay.terminal
      if (silent.has(id)) continue
      if (clock.monotonicMs() >= stopAt) return
      const { outcome } = await reconcileDay(services, terminalDay)
      if (outcome === 'failed') silent.add(id)
    }
    if (due.length < PAGE || tried.length === 0) return
  }
}

/** Returns the times by which days are due. Computed once per job, so that the job does not retry a failed day. */
function dueTimes(now: Date): DueTimes {
  const midnight = addSeconds(now, -NIGHT_HOUR * HOUR_SECONDS)
  midnight.setUTCHours(0, 0, 0, 0)
  return {
    now,
    oldestDay: dayOf(addSeconds(now, -CATCH_UP_DAYS * DAY_SECONDS)),
    today: dayOf(now),
    todayBefore: addSeconds(now, -TODAY_EVERY_HOURS * HOUR_SECONDS),
    night: addSeconds(midnight, NIGHT_HOUR * HOUR_SECONDS),
    hoursOfLastNight: NIGHTS * 24 + NIGHT_HOUR,
    failedBefore: addSeconds(now, -AFTER_FAILURE_SECONDS),
  }
}

/** Returns the day of an instant in UTC, such as `2026-11-22`. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)
