import Type, { type Static } from 'typebox'
import { Day, EpochSeconds, Line, Metadata, Nullable, OneOf, Opaque, Paragraph, Refused, Uuid } from './formats.ts'
import { ListOf, PAGE } from './list.ts'
import { Payment } from './payment.ts'
import { INTERVALS, Price } from './price.ts'

const ITEMS_MAX = 20
const QUANTITY_MAX = 1_000_000
const INSTALLMENTS_MAX = 10_000
const REASON_MAX = 255
const COMMENT_MAX = 500

export const SUBSCRIPTION_STATUSES = ['pending_payment_method', 'active', 'paused', 'completed', 'canceled'] as const
export const PAUSE_STATUSES = ['pending', 'active', 'resumed', 'canceled', 'ended'] as const
export const PAUSE_MODES = ['immediate', 'period_end'] as const
export const UNUSED_TIME_BEHAVIORS = ['preserve_time', 'external_refund'] as const
const BILLING_CYCLE_ANCHORS = ['now', 'unchanged'] as const
export const RESUME_PATHS = ['from_today', 'original_schedule'] as const

/** A percentage with at most four decimals. */
const Rate = (maximum: number) =>
  Type.Number({ minimum: 0, maximum, description: `Percent, 0 to ${maximum}, with at most four decimals.` })

/** A new subscription: `price` or `items`, not both (SUB-1 to SUB-7). */
export const SubscriptionCreate = Type.Object(
  {
    customer: Uuid(),
    price: Type.Optional(Uuid()),
    items: Type.Optional(
      Type.Array(
        Type.Object({
          price: Uuid(),
          quantity: Type.Integer({ minimum: 1, maximum: QUANTITY_MAX, default: 1 }),
        }),
        { minItems: 1, maxItems: ITEMS_MAX, description: 'Recurring prices of one cadence, instead of `price`.' },
      ),
    ),
    payment_method: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid(),
        description: 'A card on file of the customer. Without it the customer gets a link.',
      }),
    ),
    start_date: Type.Optional(
      Type.Unsafe<string>({
        ...Day(),
        description: 'Today unless given, in the time zone of the business; at most a year ahead.',
      }),
    ),
    installments: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: INSTALLMENTS_MAX,
        description: 'Completed after so many approved bills. Without it the subscription has no end.',
      }),
    ),
    surcharge_rate: Type.Optional(Rate(2.4)),
    tax_rate: Type.Optional(Rate(30)),
    send_payment_link: Type.Optional(Type.Boolean({ description: 'Without a payment method; true unless given.' })),
    metadata: Type.Optional(Metadata()),
    currency: Refused('is taken from the business and cannot be sent'),
  },
  { title: 'SubscriptionCreate' },
)
export type SubscriptionCreate = Static<typeof SubscriptionCreate>

/** Schedules a cancellation at the end of the period or revokes it, or replaces the card. */
export const SubscriptionUpdate = Type.Object(
  {
    cancel_at_period_end: Type.Optional(Type.Boolean()),
    cancellation_details: Type.Optional(
      Nullable(Type.Object({ comment: Type.Optional(Nullable(Paragraph(COMMENT_MAX))) })),
    ),
    proration_behavior: Type.Optional(OneOf(['none'])),
    payment_method: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid(),
        description:
          'Another card on file of the customer, for the bills to come. Sent without `cancel_at_period_end`.',
      }),
    ),
  },
  { title: 'SubscriptionUpdate' },
)
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>

export const SubscriptionCancel = Type.Object(
  { reason: Type.Optional(Nullable(Paragraph(REASON_MAX))) },
  { title: 'SubscriptionCancel' },
)
export type SubscriptionCancel = Static<typeof SubscriptionCancel>

/** Query for clients that send no body with a DELETE; the body takes precedence. */
export const SubscriptionCancelQuery = Type.Object({ reason: Type.Optional(Paragraph(REASON_MAX)) })

export const PausePreviewRequest = Type.Object({ mode: OneOf(PAUSE_MODES) }, { title: 'PausePreviewRequest' })

export const PauseRequest = Type.Object(
  {
    mode: Type.Optional(OneOf(PAUSE_MODES)),
    reason: Type.Optional(Nullable(Paragraph(REASON_MAX))),
    unused_time_behavior: Type.Optional(OneOf(UNUSED_TIME_BEHAVIORS)),
    refund_confirmed: Type.Optional(Type.Boolean()),
    refund_reference: Type.Optional(Line(REASON_MAX)),
    refund_note: Type.Optional(Nullable(Paragraph(COMMENT_MAX))),
  },
  { title: 'PauseRequest' },
)
export type PauseRequest = Static<typeof PauseRequest>

export const ResumePreviewRequest = Type.Object(
  { billing_cycle_anchor: OneOf(BILLING_CYCLE_ANCHORS) },
  { title: 'ResumePreviewRequest' },
)

export const ResumeRequest = Type.Object(
  {
    billing_cycle_anchor: OneOf(BILLING_CYCLE_ANCHORS),
    proration_behavior: OneOf(['none']),
    quote_hash: Type.Optional(Opaque(128)),
    idempotency_key: Type.Optional(Opaque(255)),
  },
  { title: 'ResumeRequest' },
)
export type ResumeRequest = Static<typeof ResumeRequest>

export const PausePreview = Type.Object(
  {
    object: Type.Literal('subscription_pause_preview'),
    pause_mode: OneOf(PAUSE_MODES),
    requires_unused_time_choice: Type.Boolean(),
    remaining_paid_days: Type.Integer({ minimum: 0 }),
    unused_prepaid_amount: Type.Integer({ minimum: 0 }),
    suggested_refund_amount: Type.Integer({ minimum: 0 }),
  },
  { title: 'PausePreview' },
)
export type PausePreview = Static<typeof PausePreview>

export const ResumePreview = Type.Object(
  {
    object: Type.Literal('subscription_resume_preview'),
    resume_path: OneOf(RESUME_PATHS),
    charge_due_today: Type.Integer({ minimum: 0 }),
    payment_required_to_reactivate: Type.Boolean(),
    quote_hash: Nullable(Type.String()),
    new_period_start: Day(),
    new_period_end: Day(),
    next_billing_date: Day(),
  },
  { title: 'ResumePreview' },
)
export type ResumePreview = Static<typeof ResumePreview>

export const SubscriptionPause = Type.Object(
  {
    id: Uuid(),
    status: OneOf(PAUSE_STATUSES),
    mode: OneOf(PAUSE_MODES),
    reason: Nullable(Type.String()),
    unused_time_behavior: Nullable(OneOf(UNUSED_TIME_BEHAVIORS)),
    scheduled_for: Nullable(EpochSeconds()),
    paused_at: EpochSeconds({ description: 'Seconds since 1970. Of a scheduled pause: when it begins.' }),
    paid_through_at: EpochSeconds({ description: 'Seconds since 1970. Without paid time: when the pause begins.' }),
    remaining_paid_seconds: Type.Integer({ minimum: 0 }),
    requires_external_refund_confirmation: Type.Boolean(),
    refund_reference: Nullable(Type.String()),
    refund_note: Nullable(Type.String()),
    resume_mode: Nullable(OneOf(RESUME_PATHS)),
    resumed_at: Nullable(EpochSeconds()),
  },
  { title: 'SubscriptionPause' },
)
export type SubscriptionPause = Static<typeof SubscriptionPause>

const SubscriptionItem = Type.Object(
  { id: Uuid(), object: Type.Literal('subscription_item'), price: Price, quantity: Type.Integer({ minimum: 1 }) },
  { title: 'SubscriptionItem' },
)

export const SubscriptionContract = Type.Object(
  {
    id: Uuid(),
    status: OneOf(['draft', 'sent', 'signed', 'void']),
    signed_at: Nullable(EpochSeconds()),
    url: Nullable(Type.String()),
  },
  { title: 'SubscriptionContract' },
)
export type SubscriptionContract = Static<typeof SubscriptionContract>

const cents = (description: string) => Type.Integer({ minimum: 0, description })

export const Subscription = Type.Object(
  {
    id: Uuid(),
    object: Type.Literal('subscription'),
    status: OneOf(SUBSCRIPTION_STATUSES),
    customer: Uuid(),
    payment_method: Nullable(Uuid()),
    price: Uuid(),
    items: ListOf(SubscriptionItem, 'SubscriptionItemList'),
    currency: OneOf(['usd', 'cad']),
    unit_amount: cents('Price of the only item; the sum of all if there are several.'),
    quantity: Type.Integer({ minimum: 1, description: 'Quantity of the only item; 1 if there are several.' }),
    surcharge_rate: Nullable(Type.Number()),
    surcharge_amount: cents('Surcharge of each bill.'),
    tax_rate: Nullable(Type.Number()),
    tax_amount: cents('Tax of each bill.'),
    amount: cents('Total of each bill: base, tax and surcharge.'),
    interval: OneOf(INTERVALS),
    interval_count: Type.Integer(),
    installments: Nullable(Type.Integer()),
    installments_billed: Type.Integer({ minimum: 0 }),
    installments_remaining: Nullable(Type.Integer()),
    start_date: Day(),
    billing_cycle_anchor: Day(),
    current_period_start: Nullable(EpochSeconds()),
    current_period_end: Nullable(EpochSeconds()),
    next_billing_at: Nullable(EpochSeconds()),
    last_payment_at: Nullable(EpochSeconds()),
    latest_payment: Nullable(Uuid()),
    last_failed_attempt_at: Nullable(EpochSeconds()),
    retry_count: Type.Integer({ minimum: 0 }),
    next_retry_at: Nullable(EpochSeconds()),
    cancel_at_period_end: Type.Boolean(),
    cancel_at: Nullable(EpochSeconds()),
    canceled_at: Nullable(EpochSeconds()),
    ended_at: Nullable(EpochSeconds()),
    cancellation_details: Nullable(Type.Object({ comment: Nullable(Type.String()), reason: Nullable(Type.String()) })),
    pause_at: Nullable(EpochSeconds()),
    paused_at: Nullable(EpochSeconds()),
    pause_reason: Nullable(Type.String()),
    pause: Nullable(SubscriptionPause),
    contract: Nullable(SubscriptionContract),
    checkout_url: Nullable(Type.String({ description: 'Where the customer enters the card.' })),
    metadata: Metadata(),
    created: EpochSeconds(),
  },
  { title: 'Subscription' },
)
export type Subscription = Static<typeof Subscription>

/** The subscription after a resume; includes the payment if the resume charged one. */
export const ResumedSubscription = Type.Object(
  { ...Subscription.properties, payment: Nullable(Payment) },
  { title: 'ResumedSubscription' },
)
export type ResumedSubscription = Static<typeof ResumedSubscription>

export const SubscriptionList = ListOf(Subscription, 'SubscriptionList')

export const SubscriptionListQuery = Type.Object({
  ...PAGE,
  customer: Type.Optional(Type.Unsafe<string>({ ...Uuid(), description: 'Only subscriptions of this customer.' })),
  status: Type.Optional(OneOf([...SUBSCRIPTION_STATUSES, 'cancelled', 'incomplete'])),
})
