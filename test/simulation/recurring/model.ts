import type { Cadence, DayNumber } from './days.ts'
import type { OutcomeName } from './gateway-outcomes.ts'

// The life of one subscription as the specification has it, without a database. Instants are milliseconds.

export type Status = 'pending_payment_method' | 'active' | 'paused' | 'canceled' | 'completed'
export type ClosedReason = 'exhausted' | 'do_not_retry' | 'paused' | 'canceled' | 'card_detached' | 'skipped'

export interface ModelBill {
  segment: number
  k: number
  start: DayNumber
  end: DayNumber
  failed: number
  /** When its card is charged next. */
  dueMs: number
}

export interface ModelPayment {
  status: 'succeeded' | 'failed' | 'refunded' | 'voided'
  amount: number
  refunded: number
  /** `segment/k` of its bill; of a resume that of the new segment. */
  period: string
  /** Of its sale; once a refund or a void was requested. */
  merchantRef?: string
  /** A refund or a void whose outcome is not known to the service yet. */
  open?: OpenReversal | null
}

export interface OpenReversal {
  kind: 'refund' | 'void'
  amount: number
  /** Whether recovery finds it made. */
  isMade: boolean
}

export interface Cover {
  fromMs: number
  throughMs: number
  throughDay: DayNumber
  /** How much time its payment bought. */
  seconds: number
  /** Milliseconds of service between the pauses of its time, and since when it is served again. */
  servedMs: number
  servedSinceMs: number
  payment: ModelPayment
}

export interface ModelPause {
  status: 'pending' | 'active'
  mode: 'immediate' | 'period_end'
  scheduledForMs: number | null
  pausedAtMs: number | null
  behavior: 'preserve_time' | 'external_refund' | null
  remainingSeconds: number
}

/** A sale whose outcome is not known to the service yet. */
export interface OpenSale {
  /** A reversal: of a partial approval, whose decline is recorded. A link: of the first bill, on the hosted page. */
  kind: 'bill' | 'resume' | 'reversal' | 'link'
  /** `null` when it never reached the gateway. */
  outcome: OutcomeName | null
  sentMs: number
  /** Of a link. */
  session?: ModelSession
}

/** A session of the hosted page where the customer enters a card. */
export interface ModelSession {
  token: string
  expiresMs: number
  /** That were declined. */
  attempts: number
  /** An expired one stays open until a job closes it. */
  end: 'paid' | 'failed' | 'expired' | null
}

/** The link of a subscription that was made without a card. */
export interface ModelLink {
  token: string
  start: DayNumber | null
  /** Oldest first. */
  sessions: ModelSession[]
  /** Until the card is entered; also of one that was canceled before. */
  isUnused: boolean
}

export interface Model {
  zone: string
  cadence: Cadence
  amount: number
  installments: number | null
  afterLastRetry: 'keep' | 'pause' | 'cancel'
  /** When bills are charged on their day: `HH:MM`. */
  runsAt: string
  missedMax: number
  status: Status
  anchor: DayNumber
  segment: number
  /** k of the next bill. */
  next: number
  nextDay: DayNumber | null
  paidBills: number
  bill: ModelBill | null
  openSale: OpenSale | null
  cover: Cover | null
  pause: ModelPause | null
  cancelAtMs: number | null
  isHeld: boolean
  /** `null` for a subscription that was made with a card. */
  link: ModelLink | null
  card: 'ok' | 'blocked' | 'detached'
  payments: ModelPayment[]
  /** What became of each bill, by `segment/k`. */
  bills: Map<string, 'PENDING' | 'FULFILLED' | ClosedReason>
  /** The merchant has decided about the missed dates up to it. */
  decidedThrough: DayNumber | null
}

export const keyOf = ({ segment, k }: Pick<ModelBill, 'segment' | 'k'>) => `${segment}/${k}`
