import type { Day } from './plan/calendar.ts'

export type BillClosedReason = 'exhausted' | 'do_not_retry' | 'paused' | 'canceled' | 'card_detached' | 'skipped'

/**
 * One period that is to be paid: the entry of the billing queue. `PENDING` until it is paid (`FULFILLED`) or ends
 * unpaid (`CLOSED`).
 */
export interface Bill {
  id: string
  segmentNo: number
  /** k of the segment. */
  periodNo: number
  periodStart: Day
  /** Exclusive. */
  periodEnd: Day
  status: 'PENDING' | 'FULFILLED' | 'CLOSED'
  closedReason: BillClosedReason | null
  failedAttempts: number
  /** Of a pending one: when the card is charged next. */
  nextAttemptAt: Date | null
  lastAttemptAt: Date | null
  paymentId: string | null
  createdAt: Date
  /** When it was paid or ended unpaid. */
  closedAt: Date | null
}
