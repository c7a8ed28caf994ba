import type { Cadence, DayNumber } from './days.ts'
import type { OutcomeName } from './gateway-outcomes.ts'

// The life of one subscription as specified, without a database. Instants are in milliseconds.

export type Status = 'pending_payment_method' | 'active' | 'paused' | 'canceled' | 'completed'
export type ClosedReason = 'exhausted' | 'do_not_retry' | 'paused' | 'canceled' | 'card_detached' | 'skipped'

export interface ModelBill {
  segment: number
  k: number
  start: DayNumber
  end: DayNumber
  failed: number
  /** Time of the next charge of its card. */
  dueMs: number
}

export interface ModelPayment {
  status: 'succeeded' | 'failed' | 'refunded' | 'voided'
  amount: number
  refunded: number
  /** `segment/k` of its bill; for a resume that of the new segment. */
  period: string
  /** Reference of its sale, once a refund or a void was requested. */
  merchantRef?: string
  /** A refund or a void whose outcome the service does not know yet. */
  open?: OpenReversal | null
}

export interface OpenReversal {
  kind: 'refund' | 'void'
  amount: number
  /** Whether recovery finds that it was made. */
  isMade: boolean
}

export interface Cover {
  fromMs: number
  throughMs: number
  throughDay: DayNumber
  /** Seconds of time that its payment bought. */
  seconds: number
  /** Milliseconds of service between pauses, and the start of the current service. */
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

/** A sale whose outcome the service does not know yet. */
export interface OpenSale {
  /** `reversal`: of a partial approval, whose decline is recorded. `link`: of the first bill, on the hosted page. */
  kind: 'bill' | 'resume' | 'reversal' | 'link'
  /** `null` if it never reached the gateway. */
  outcome: OutcomeName | null
  sentMs: number
  /** Session of a link. */
  session?: ModelSession
}

/** A session of the hosted page where the customer enters a card. */
export interface ModelSession {
  token: string
  expiresMs: number
  /** Number of declined attempts. */
  attempts: number
  /** End of the session; an expired one stays open until a job closes it. */
  end: 'paid' | 'failed' | 'expired' | null
}

/** The link of a subscription that was created without a card. */
export interface ModelLink {
  token: string
  start: DayNumber | null
  /** Sessions, oldest first. */
  sessions: ModelSession[]
  /** True until the card is entered, even if the subscription was canceled before. */
  isUnused: boolean
}

export interface Model {
  zone: string
  cadence: Cadence
  amount: number
  installments: number | null
  afterLastRetry: 'keep' | 'pause' | 'cancel'
  /** Time of day at which bills are charged: `HH:MM`. */
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
  /** `null` for a subscription that was created with a card. */
  link: ModelLink | null
  card: 'ok' | 'blocked' | 'detached'
  payments: ModelPayment[]
  /** Status of each bill, by `segment/k`. */
  bills: Map<string, 'PENDING' | 'FULFILLED' | ClosedReason>
  /** Last missed date about which the merchant has decided. */
  decidedThrough: DayNumber | null
}

export const keyOf = ({ segment, k }: Pick<ModelBill, 'segment' | 'k'>) => `${segment}/${k}`
