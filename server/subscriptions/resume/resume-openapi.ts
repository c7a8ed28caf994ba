import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { ResumedSubscription, ResumePreview } from '../../../contract/subscription.ts'
import type { RouteDocument } from '../../http/route.ts'
import { EXAMPLE_SUBSCRIPTION } from '../subscription-example.ts'

const group = 'Subscriptions'

const QUOTE = '9f2c1e0d4b7a6853c2f1e0d9b8a7968574635241302f1e0d9c8b7a6958473625'

const PREVIEW: ResumePreview = {
  object: 'subscription_resume_preview',
  resume_path: 'from_today',
  charge_due_today: EXAMPLE_SUBSCRIPTION.amount,
  payment_required_to_reactivate: true,
  quote_hash: QUOTE,
  new_period_start: '2025-12-25',
  new_period_end: '2026-01-25',
  next_billing_date: '2026-01-25',
}

const RESUMED: ResumedSubscription = { ...EXAMPLE_SUBSCRIPTION, payment: null }

/** OpenAPI documents of the routes that resume. */
export const RESUME_DOCUMENTS = {
  preview: {
    name: 'previewSubscriptionResume',
    group,
    summary: 'Preview a resume',
    description:
      'What a resume would mean at this moment: `now` starts a new schedule today, `unchanged` returns to the original ' +
      'one. Changes nothing. A preview with a charge has a `quote_hash`, which expires at midnight of the business and ' +
      'with any change of the subscription.',
    responses: { 200: { description: 'The preview.', body: ResumePreview, example: PREVIEW } },
    refusals: ['conflict'],
    example: { billing_cycle_anchor: 'now' },
  },
  resume: {
    name: 'resumeSubscription',
    group,
    summary: 'Resume a paused subscription',
    description:
      'A resume that charges needs the `quote_hash` of its preview. When the charge is declined or not confirmed, the ' +
      'response is 402 and the subscription stays paused as it was; an approval that is found later is reversed.',
    headers: {
      'Idempotency-Key':
        'Up to 255 characters, instead of `idempotency_key` in the body. The same key and body get the same response for ' +
        '24 hours, also a 402; another body gets 409.',
    },
    responses: {
      200: {
        description: 'The subscription, active again. `payment` is that of a resume that charged.',
        body: ResumedSubscription,
        example: RESUMED,
      },
    },
    refusals: ['card_declined', 'contract_unsigned', 'conflict', 'quote_stale', 'idempotency_key_reused'],
    example: { billing_cycle_anchor: 'unchanged', proration_behavior: 'none', idempotency_key: EXAMPLE_IDS.request },
  },
} satisfies Record<string, RouteDocument>
