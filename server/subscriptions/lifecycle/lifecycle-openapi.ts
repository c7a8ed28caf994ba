import { PausePreview, Subscription } from '../../../contract/subscription.ts'
import type { RouteDocument } from '../../http/route.ts'
import { EXAMPLE_PAUSED, EXAMPLE_SUBSCRIPTION } from '../subscription-example.ts'

const group = 'Subscriptions'

const CANCELED: Subscription = {
  ...EXAMPLE_SUBSCRIPTION,
  status: 'canceled',
  next_billing_at: null,
  canceled_at: 1764604800,
  ended_at: 1764604800,
  cancellation_details: { comment: null, reason: 'Moved away' },
}

const CANCEL_SCHEDULED: Subscription = {
  ...EXAMPLE_SUBSCRIPTION,
  cancel_at_period_end: true,
  cancel_at: EXAMPLE_SUBSCRIPTION.current_period_end,
  cancellation_details: { comment: 'Too expensive', reason: null },
}

const PREVIEW: PausePreview = {
  object: 'subscription_pause_preview',
  pause_mode: 'immediate',
  requires_unused_time_choice: true,
  remaining_paid_days: 19,
  unused_prepaid_amount: 1773,
  suggested_refund_amount: 1773,
}

const whole = (description: string, example: Subscription) => ({
  200: { description, body: Subscription, example },
})

/** OpenAPI documents of the routes that cancel and pause. */
export const LIFECYCLE_DOCUMENTS = {
  cancel: {
    name: 'cancelSubscription',
    group,
    summary: 'Cancel a subscription now',
    description:
      'Nothing more is charged and nothing is refunded. A charge that is open at this moment is still recorded.',
    responses: whole('The subscription, canceled.', CANCELED),
    refusals: ['conflict'],
    example: { reason: 'Moved away' },
  },
  update: {
    name: 'updateSubscription',
    group,
    summary: 'Cancel at the end of the period, take that back, or replace the card',
    description:
      'A cancel is scheduled for an active subscription, and clears a scheduled pause. A card is replaced while the ' +
      'subscription is active or paused; it is charged from the next attempt on. A repeated call changes nothing.',
    responses: whole('The subscription as it is now.', CANCEL_SCHEDULED),
    refusals: ['conflict'],
    example: { cancel_at_period_end: true, cancellation_details: { comment: 'Too expensive' } },
  },
  previewPause: {
    name: 'previewSubscriptionPause',
    group,
    summary: 'Preview a pause',
    description: 'What a pause would mean at this moment. Changes nothing.',
    responses: { 200: { description: 'The preview.', body: PausePreview, example: PREVIEW } },
    refusals: ['conflict'],
    example: { mode: 'immediate' },
  },
  pause: {
    name: 'pauseSubscription',
    group,
    summary: 'Pause a subscription',
    description:
      'Now, or at the end of the period. While paid time is left, an immediate pause needs `unused_time_behavior`. Moves ' +
      'no money: `external_refund` records a refund that you have made.',
    responses: whole('The subscription, paused or with a pause scheduled.', EXAMPLE_PAUSED),
    refusals: ['conflict'],
    example: { mode: 'immediate', reason: 'Holiday', unused_time_behavior: 'preserve_time' },
  },
  undoPause: {
    name: 'undoSubscriptionPause',
    group,
    summary: 'Take back a scheduled pause',
    description: 'Until the pause takes effect. The billing days stay.',
    responses: whole('The subscription, without the pause.', EXAMPLE_SUBSCRIPTION),
    refusals: ['conflict'],
  },
} satisfies Record<string, RouteDocument>
