import type { AttemptMark, CardView } from './subscription-views.ts'

// What the pages show before bills are charged, and the results of the charges. Amounts in cents, days `YYYY-MM-DD` in
// the time zone of the subscription.

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

/** Consequences of the decision about missed bills. */
export interface CatchUpPreview {
  object: 'subscription_catch_up_preview'
  missed: 'bill' | 'skip'
  currency: 'usd' | 'cad'
  /** Bills to be charged one after another, oldest first; each one waits until the previous one is paid. */
  charged: DecidedBills
  /** Bills to be left out, because their periods are over. */
  skipped: DecidedBills
  card: CardView | null
  /** Why nothing would be paid now; `null` if nothing prevents it. */
  blocked: CatchUpBlock | null
  preview_hash: string
}

export type CatchUpBlock = Extract<RetryBlock, 'card_blocked' | 'card_detached' | 'contract_unsigned'>

export interface DecidedBills {
  count: number
  /** Amount of all these bills together. */
  amount: number
  /** The first twelve periods. */
  periods: { start: string; end: string; amount: number }[]
}

/** Consequences of a change of the card. */
export interface CardChangePreview {
  object: 'subscription_card_preview'
  from: CardView | null
  to: CardView
  /** Why the card cannot be used; `null` if it can. */
  refusal: 'card_detached' | 'card_expired' | 'card_blocked' | null
  currency: 'usd' | 'cad'
  /** Amounts of one bill: with the current card and with the other one, which may have a different surcharge. */
  amount_before: number
  amount: number
  /** Whether a charge of the current card has no outcome yet; that charge stays on it. */
  is_charging: boolean
  /** The open bill, whose next attempt uses the new card. `at` is `null` if no automatic attempt is planned. */
  retry: { attempt: number; of: number; at: number | null; amount: number } | null
  /** Day of the bill after that; `null` if no more bills follow. */
  next_billing_date: string | null
  preview_hash: string
}
