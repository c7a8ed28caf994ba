import type { AttemptMark, CardView } from './subscription-views.ts'

// What is shown before bills are charged, and what came of it. Amounts in cents, days `YYYY-MM-DD` in the zone of the
// subscription.

/** Why a bill cannot be charged now. */
export type RetryBlock = 'no_bill' | 'charging' | 'paused' | 'card_blocked' | 'card_detached' | 'contract_unsigned'

export interface RetryPreview {
  object: 'subscription_retry_preview'
  amount: number
  currency: 'usd' | 'cad'
  /** The open bill; `tries` is how often it was charged. */
  bill: { id: string; period: { start: string; end: string }; tries: number } | null
  marks: AttemptMark[]
  next_attempt_at: number | null
  card: CardView | null
  blocked: RetryBlock | null
  preview_hash: string
}

export interface Retried {
  object: 'subscription_retry'
  /**
   * `unknown`: the gateway has not responded, and its outcome is being resolved. `not_charged`: nothing was sent, or
   * the gateway has charged nothing.
   */
  outcome: 'approved' | 'declined' | 'unknown' | 'not_charged'
  payment: string | null
  code: string | null
  message: string | null
}

/** What the decision about missed bills leads to. */
export interface CatchUpPreview {
  object: 'subscription_catch_up_preview'
  missed: 'bill' | 'skip'
  currency: 'usd' | 'cad'
  /** Charged one after another, oldest first; the next one waits until the one before is paid. */
  charged: DecidedBills
  /** Left out: their periods are over. */
  skipped: DecidedBills
  card: CardView | null
  /** Why nothing would be paid now. */
  blocked: CatchUpBlock | null
  preview_hash: string
}

export type CatchUpBlock = Extract<RetryBlock, 'card_blocked' | 'card_detached' | 'contract_unsigned'>

export interface DecidedBills {
  count: number
  /** Of all of them. */
  amount: number
  /** The first twelve. */
  periods: { start: string; end: string; amount: number }[]
}

/** What a change of the card leads to. */
export interface CardChangePreview {
  object: 'subscription_card_preview'
  from: CardView | null
  to: CardView
  /** Why the card cannot be taken. */
  refusal: 'card_detached' | 'card_expired' | 'card_blocked' | null
  currency: 'usd' | 'cad'
  /** Of each bill: with the card of now, and with the other one, which may pay no surcharge. */
  amount_before: number
  amount: number
  /** A charge of the card of now that has no outcome yet stays on it. */
  is_charging: boolean
  /** The open bill, whose next attempt is on the other card. `at`: `null` when no automatic attempt is planned. */
  retry: { attempt: number; of: number; at: number | null; amount: number } | null
  /** The next bill after it; `null` when none is to come. */
  next_billing_date: string | null
  preview_hash: string
}
