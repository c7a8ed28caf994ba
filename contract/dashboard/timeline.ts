import Type, { type Static } from 'typebox'
import { EpochSeconds, Nullable, OneOf, Uuid } from '../formats.ts'
import { OPERATION_STATES } from '../gateway-words.ts'
import { TRANS_STATUSES } from './authentication.ts'
import { REFUND_REASONS } from './refund-reasons.ts'

// Timeline of a payment, oldest first.

const By = Type.Object({
  kind: OneOf(['person', 'key', 'client', 'operator', 'system']),
  name: Nullable(Type.String()),
})

const OPERATION_KINDS = ['sale', 'reversal_void', 'reversal_refund', 'refund', 'void'] as const

/** A request to the gateway. */
export const TimelineOperation = Type.Object({
  type: Type.Literal('operation'),
  at: EpochSeconds(),
  id: Uuid(),
  kind: OneOf(OPERATION_KINDS),
  state: OneOf(OPERATION_STATES),
  amount: Type.Integer(),
  code: Nullable(Type.String()),
  message: Nullable(Type.String()),
  /** Our reference at the gateway. */
  merchant_reference: Type.String(),
  gateway_reference: Nullable(Type.String()),
  issuer_reference: Nullable(Type.String()),
  network_transaction_id: Nullable(Type.String()),
  gateway: Type.String(),
  /** When its outcome was recorded; `null` while it is open. */
  finalized_at: Nullable(EpochSeconds()),
  inquiries: Type.Integer(),
  next_inquiry_at: Nullable(EpochSeconds()),
  needs_attention: Type.Boolean(),
  /** `null` if it was not a person but the merchant's server, the payer or the schedule. */
  by: Nullable(By),
  /** The entry of the audit log that began it. */
  audit_entry: Nullable(Uuid()),
  reason: Nullable(OneOf(REFUND_REASONS)),
  note: Nullable(Type.String()),
})

/** The payer's authentication that the sale used. */
const TimelineAuthentication = Type.Object({
  type: Type.Literal('authentication'),
  at: EpochSeconds(),
  id: Uuid(),
  trans_status: OneOf(TRANS_STATUSES),
  with_challenge: Type.Boolean(),
})

const TimelineEvent = Type.Object({
  type: Type.Literal('event'),
  at: EpochSeconds(),
  id: Uuid(),
  event: Type.String(),
})

const TimelineDelivery = Type.Object({
  type: Type.Literal('delivery'),
  at: EpochSeconds(),
  /** Id of the event. */
  event_id: Uuid(),
  event: Type.String(),
  endpoint: Uuid(),
  url: Type.String(),
  attempt: Type.Integer(),
  response_status: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
})

const TimelineLetter = Type.Object({
  type: Type.Literal('letter'),
  at: EpochSeconds(),
  id: Uuid(),
  kind: Type.String(),
  audience: OneOf(['customer', 'merchant', 'person']),
  recipient: Type.String(),
  subject: Type.String(),
  status: OneOf(['pending', 'sent', 'kept', 'failed']),
  has_invoice: Type.Boolean(),
})

/** An entry of the audit log that began no operation. */
const TimelineAudit = Type.Object({
  type: Type.Literal('audit'),
  at: EpochSeconds(),
  id: Uuid(),
  action: Type.String(),
  outcome: OneOf(['done', 'requested', 'refused']),
  by: By,
})

const TimelineEntry = Type.Union([
  TimelineOperation,
  TimelineAuthentication,
  TimelineEvent,
  TimelineDelivery,
  TimelineLetter,
  TimelineAudit,
])
export type TimelineEntry = Static<typeof TimelineEntry>
export type TimelineOperation = Static<typeof TimelineOperation>

export const PaymentTimeline = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(TimelineEntry),
  /** Whether one kind has more entries than are shown. */
  is_cut: Type.Boolean(),
})
export type PaymentTimeline = Static<typeof PaymentTimeline>
