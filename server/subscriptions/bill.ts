import type { Day } from './plan/calendar.ts'

export type BillClosedReason = 'exhausted' | 'do_not_retry' | 'paused' | 'canceled' | 'card_detached' | 'skipped'

/**
 * One period to be paid; an entry of the billing queue. `PENDING` until it is paid (`FULFILLED`) or ends unpaid
 * (`CLOSED`).
 */
export interface Bill {
  id: string
  segmentNo: number
  /** Index k of the period in its segment. */
  periodNo: number
  periodStart: Day
  /** End of the period, exclusive. */
  periodEnd: Day
  status: 'PENDING' | 'FULFILLED' | 'CLOSED'
  closedReason: BillClosedReason | null
  failedAttempts: number
  /** Time of the next attempt, if the bill is pending. */
  nextAttemptAt: Date | null
  lastAttemptAt: Date | null
  paymentId: string | null
  createdAt: Date
  /** Time at which the bill was paid or ended unpaid. */
  closedAt: Date | null
}
