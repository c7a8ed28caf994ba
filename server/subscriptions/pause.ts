import type { PAUSE_MODES, PAUSE_STATUSES, RESUME_PATHS, UNUSED_TIME_BEHAVIORS } from '../../contract/subscription.ts'

export type PauseMode = (typeof PAUSE_MODES)[number]
export type PauseStatus = (typeof PAUSE_STATUSES)[number]
export type UnusedTimeBehavior = (typeof UNUSED_TIME_BEHAVIORS)[number]
export type ResumePath = (typeof RESUME_PATHS)[number]

/**
 * Pause of a subscription: `pending` (scheduled), then `active`, then `resumed`; `canceled` by an undo, `ended` by a
 * cancel.
 */
export interface Pause {
  id: string
  status: PauseStatus
  mode: PauseMode
  reason: string | null
  /** `null` if no paid time was left, and for a pause at the end of the period. */
  unusedTimeBehavior: UnusedTimeBehavior | null
  /** Boundary of a scheduled pause. */
  scheduledFor: Date | null
  pausedAt: Date | null
  paidThroughAt: Date | null
  /** Paid time left at `pausedAt`, frozen; 0 while the pause is pending. */
  remainingPaidSeconds: number
  refundConfirmed: boolean
  refundReference: string | null
  refundNote: string | null
  resumeMode: ResumePath | null
  resumedAt: Date | null
  createdAt: Date
}
