import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { Refund, RefundList } from '../../../contract/refund.ts'
import type { RouteDocument } from '../../http/route.ts'

const group = 'Refunds and voids'

const REFUND_EXAMPLE: Refund = {
  id: EXAMPLE_IDS.refund,
  object: 'refund',
  payment: EXAMPLE_IDS.payment,
  subscription: EXAMPLE_IDS.subscription,
  customer: EXAMPLE_IDS.customer,
  amount: 500,
  currency: 'usd',
  status: 'succeeded',
  failure_reason: null,
  receipt_id: 'R4N8W2PD6CX',
  created: 1763740920,
}

/** Documents of the refund routes. */
export const REFUND_DOCUMENTS = {
  create: {
    name: 'createRefund',
    group,
    summary: 'Refund a payment',
    description: `Refunds a payment of a subscription, in whole or in part. A refund that the gateway declined is \`failed\`.
One whose outcome is not known yet is \`pending\`: retrieve it, and do not post it again. While one is pending, another
refund of the payment gets 409. At most 5 requests a minute.`,
    responses: { 201: { description: 'The refund.', body: Refund, example: REFUND_EXAMPLE } },
    refusals: ['not_found', 'conflict', 'validation_failed', 'internal_error'],
    example: { payment: EXAMPLE_IDS.payment, amount: 500 },
  },
  list: {
    name: 'listRefunds',
    group,
    summary: 'List refunds',
    description: 'Refunds of payments of subscriptions, newest first.',
    responses: {
      200: {
        description: 'A page of refunds.',
        body: RefundList,
        example: { object: 'list', data: [REFUND_EXAMPLE], has_more: false },
      },
    },
  },
  retrieve: {
    name: 'retrieveRefund',
    group,
    summary: 'Retrieve a refund',
    description: '`status` says whether the money was returned.',
    responses: { 200: { description: 'The refund.', body: Refund, example: REFUND_EXAMPLE } },
  },
} satisfies Record<string, RouteDocument>
