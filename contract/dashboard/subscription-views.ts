import type { PaymentStatus, PaymentTrigger } from '../payment.ts'
import type { PausePreview, ResumePreview, Subscription, SubscriptionPause } from '../subscription.ts'
import type { About } from './about.ts'
import type { FrequencyLabel, StatusWord } from './subscription-words.ts'

// What the pages about subscriptions get in addition to the objects of the merchant API. Amounts in cents, instants in
// epoch seconds of the business's time, days `YYYY-MM-DD` in the time zone of the subscription.

export interface CardView {
  id: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  /** The result code that forbids charges without the payer; `null` if the card may be charged. */
  charge_block: string | null
  is_detached: boolean
}

export interface SubscriptionSummary {
  status: StatusWord
  frequency: { label: FrequencyLabel; sequence: number | null }
  customer: { id: string; name: string | null; email: string | null }
  /** The products: `Gold × 2, Silver`. */
  description: string
  card: CardView | null
  time_zone: string
  next_billing_date: string | null
  /** Set while a declined bill is retried. */
  retry: { attempt: number; of: number; at: number | null } | null
  /** Whether a charge has no outcome yet. */
  is_charging: boolean
  /** Whether missed bills wait for the merchant's decision. */
  is_held: boolean
  reference: string | null
}

export interface SubscriptionRow extends Subscription {
  view: SubscriptionSummary
}

export interface AttemptMark {
  attempt: number
  /** The local day on which the attempt was made, or is planned. */
  day: string
  state: 'succeeded' | 'failed' | 'planned' | 'charging' | 'dropped'
  /** The gateway's result code if the attempt failed. */
  code: string | null
  payment: string | null
  trigger: PaymentTrigger | null
}

export interface BillView {
  id: string
  period: { start: string; end: string }
  status: 'PENDING' | 'FULFILLED' | 'CLOSED'
  /** Why the bill was closed without a payment. */
  closed_reason: string | null
  tries: number
  next_attempt_at: number | null
  payments: {
    id: string
    status: PaymentStatus
    amount: number
    code: string
    created: number
    attempt: number | null
  }[]
}

/** `product` and `price` are ids; `unit_amount` is in cents, before tax and surcharge. */
export interface SoldItem {
  product: string
  price: string
  name: string
  quantity: number
  unit_amount: number
}

/** An entry of the audit log. */
export interface DoneEntry {
  id: string
  action: string
  /** `null` for the operator. */
  who: string | null
  /** Time in real time, even if a test clock is ahead. */
  created: number
}

export interface PaidThrough {
  /** The day on which the paid time ends, usually at its start; `null` without paid time. */
  paid_through: string | null
  /** Time of that day at which it ends. */
  paid_through_at: number | null
}

export interface SubscriptionDetail extends SubscriptionSummary, PaidThrough {
  amounts: { base: number; tax: number; surcharge: number; total: number }
  period: { start: string; end: string } | null
  sold: SoldItem[]
  /** The open bill, or the newest one if its attempts failed. */
  queue: { bill: string; status: BillView['status']; marks: AttemptMark[] } | null
  /** The newest bills. */
  bills: BillView[]
  has_more_bills: boolean
  pauses: SubscriptionPause[]
  contract_title: string | null
  letters: {
    id: string
    kind: string
    to: string
    status: string
    subject: string
    created: number
    about: About | null
  }[]
  /** Actions of people on the subscription, newest first. */
  done: DoneEntry[]
  /** `about` is the object to which the event happened. */
  events: { id: string; type: string; created: number; about: About | null }[]
}

/** `version` covers the editable fields: reference and metadata. */
export interface SubscriptionPage extends Subscription {
  version: string
  view: SubscriptionDetail
}

export interface LetterTo {
  kind: 'subscription_link' | 'subscription_created' | 'payment_succeeded'
  to: 'customer' | 'merchant'
  addresses: string[]
}

export interface CreatePreview {
  object: 'subscription_create_preview'
  /** The customer who already has the e-mail address of a new one; no customer is created then. */
  existing_customer: { id: string; name: string | null; email: string } | null
  amounts: { base: number; tax: number; surcharge: number; total: number }
  currency: 'usd' | 'cad'
  frequency: FrequencyLabel
  /** What the request does first: charges the first bill, verifies the card, or creates a link for the customer. */
  first: 'charge' | 'verify' | 'link'
  charged_now: number
  start_date: string
  /** Dates after the charge of today; for a link as if the customer entered the card today. */
  next_dates: string[]
  last_date: string | null
  /** Total of all bills of an installment plan; `null` without an end. */
  plan_total: number | null
  /** Why the card pays no surcharge: it is not a credit card, or its address forbids a surcharge. */
  surcharge_waived: 'funding' | 'place' | null
  letters: LetterTo[]
  preview_hash: string
}

/**
 * The attempts on the open bill that will not be made any more, and the amount of the bill, which is never collected.
 */
export interface Dropped {
  attempts: number
  amount: number
}

export interface PausePreviewPage extends PausePreview {
  view: PaidThrough & { effective_at: number; dropped: Dropped; covering_payment: string | null }
  preview_hash: string
}

/** Days between now and the next bill for which nobody pays. */
export interface ResumeChoice extends ResumePreview {
  free_days: number
}

export interface ResumePreviews {
  object: 'subscription_resume_previews'
  now: ResumeChoice
  unchanged: ResumeChoice
  card: CardView | null
  currency: 'usd' | 'cad'
}

export interface CancelPreview {
  object: 'subscription_cancel_preview'
  mode: 'now' | 'period_end'
  effective_at: number
  dropped: Dropped
  clears_pause: boolean
  /** The payment that may be refunded afterwards, in a separate step. */
  latest_payment: string | null
  preview_hash: string
}
