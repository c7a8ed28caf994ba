import type { PAUSE_MODES, PAUSE_STATUSES, RESUME_PATHS, UNUSED_TIME_BEHAVIORS } from '../../contract/subscription.ts'

export type PauseMode = (typeof PAUSE_MODES)[number]
export type PauseStatus = (typeof PAUSE_STATUSES)[number]
export type UnusedTimeBehavior = (typeof UNUSED_TIME_BEHAVIORS)[number]
export type ResumePath = (typeof RESUME_PATHS)[number]

/** A pause: `pending` (scheduled), then `active`, then `resumed`; `canceled` by an undo, `ended` by a cancel. */
export interface Pause {
  id: string
  status: PauseStatus
  mode: PauseMode
  reason: string | null
  /** `null` when no paid time was left, and for a pause at the end of the period. */
  unusedTimeBehavior: UnusedTimeBehavior | null
  /** The boundary of a scheduled pause. */
  scheduledFor: Date | null
  pausedAt: Date | null
  paidThroughAt: Date | null
  /** Paid time left at `pausedAt`, frozen; 0 while it is pending. */
  remainingPaidSeconds: number
  refundConfirmed: boolean
  refundReference: string | null
  refundNote: string | null
  resumeMode: ResumePath | null
  resumedAt: Date | null
  createdAt: Date
}
