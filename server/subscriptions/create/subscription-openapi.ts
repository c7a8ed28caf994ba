import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { Payment, PaymentList } from '../../../contract/payment.ts'
import { Subscription, SubscriptionList } from '../../../contract/subscription.ts'
import type { RouteDocument } from '../../http/route.ts'
import { EXAMPLE_SUBSCRIPTION } from '../subscription-example.ts'

const group = 'Subscriptions'

const EXAMPLE_PAYMENT: Payment = {
  id: EXAMPLE_IDS.payment,
  object: 'payment',
  subscription: EXAMPLE_IDS.subscription,
  customer: EXAMPLE_IDS.customer,
  payment_method: EXAMPLE_IDS.paymentMethod,
  amount: EXAMPLE_SUBSCRIPTION.amount,
  surcharge_amount: EXAMPLE_SUBSCRIPTION.surcharge_amount,
  tax_amount: EXAMPLE_SUBSCRIPTION.tax_amount,
  currency: EXAMPLE_SUBSCRIPTION.currency,
  status: 'succeeded',
  refunded_amount: 0,
  attempt: 1,
  trigger: 'initial',
  failure_code: null,
  failure_message: null,
  next_retry_at: null,
  period: { start: EXAMPLE_SUBSCRIPTION.start_date, end: '2025-12-21' },
  batch: null,
  receipt_id: 'R7K2M9QX4TB',
  created: EXAMPLE_SUBSCRIPTION.created,
}

const { customer, price, payment_method, installments, tax_rate } = EXAMPLE_SUBSCRIPTION

/** OpenAPI documents of the routes that create, retrieve and list subscriptions. */
export const SUBSCRIPTION_DOCUMENTS = {
  create: {
    name: 'createSubscription',
    group,
    summary: 'Create a subscription',
    description: `With a \`payment_method\` and a start today, the first bill is charged in the request; a declined card gets 402,
and nothing of the subscription remains. With a later \`start_date\` the first bill is charged on that day. Without a
\`payment_method\` the subscription waits for the card (\`pending_payment_method\`).

A 402 without \`decline_code\` means that the outcome of the charge is unknown: no subscription was created, and the charge is
reversed if it turns out to be approved. While it is open, an identical create (same customer, prices and payment method) is
409 \`conflict\`. Do not repeat a create that got no response: list the customer's subscriptions first. At most 20 creates a minute.`,
    responses: {
      201: { description: 'The new subscription.', body: Subscription, example: EXAMPLE_SUBSCRIPTION },
    },
    refusals: ['not_found', 'card_declined', 'conflict', 'unavailable'],
    example: { customer, price, payment_method, installments, tax_rate },
  },
  list: {
    name: 'listSubscriptions',
    group,
    summary: 'List subscriptions',
    description:
      'Newest first. `cancelled` and `incomplete` are aliases of the statuses `canceled` and `pending_payment_method`.',
    responses: {
      200: {
        description: 'A page of subscriptions.',
        body: SubscriptionList,
        example: { object: 'list', data: [EXAMPLE_SUBSCRIPTION], has_more: false },
      },
    },
  },
  retrieve: {
    name: 'retrieveSubscription',
    group,
    summary: 'Retrieve a subscription',
    description: 'With its items, its pause if it has one, and the id of its latest payment.',
    responses: { 200: { description: 'The subscription.', body: Subscription, example: EXAMPLE_SUBSCRIPTION } },
  },
  listPayments: {
    name: 'listSubscriptionPayments',
    group,
    summary: "List a subscription's payments",
    description:
      'Newest first. Each declined attempt is a `failed` payment of its own; a later approval is a new payment. Refunds are ' +
      'not listed: `refunded_amount` has their sum.',
    responses: {
      200: {
        description: 'A page of payments.',
        body: PaymentList,
        example: { object: 'list', data: [EXAMPLE_PAYMENT], has_more: false },
      },
    },
  },
  retrievePayment: {
    name: 'retrieveSubscriptionPayment',
    group,
    summary: "Retrieve a subscription's payment",
    description: '`refunded_amount` is what was refunded of it so far.',
    responses: { 200: { description: 'The payment.', body: Payment, example: EXAMPLE_PAYMENT } },
  },
} satisfies Record<string, RouteDocument>
