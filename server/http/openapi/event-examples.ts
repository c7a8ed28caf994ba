import type { EventType } from '../../../contract/event.ts'
import { EVENT_CATALOGUE } from '../../../contract/event-catalogue.ts'
import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { MERCHANT_API_VERSION } from '../family.ts'
import type { RouteDocument } from '../route.ts'

// An event shows an object as the API does, so its example comes from the operation that retrieves the object.

type Shown = Record<string, unknown>

interface Example {
  /** Operation whose example has the object; absent if `object` is complete. */
  operation?: string
  /** Members that differ in this event. */
  object?: Shown
  previous?: Shown
  refund?: Shown
  sequence?: number
}

const session = (object: Shown): Example => ({ operation: 'getCheckoutSession', object })
const subscription = (object: Shown, previous: Shown): Example => ({
  operation: 'retrieveSubscription',
  object,
  previous,
  sequence: 2,
})
const payment = (object: Shown, more: Partial<Example> = {}): Example => ({
  operation: 'retrieveSubscriptionPayment',
  object,
  ...more,
})
const update = (operation: string, object: Shown, previous: Shown): Example => ({
  operation,
  object,
  previous,
  sequence: 2,
})

const UNPAID = { payment_status: 'UNPAID', completed_at: null, transaction: null }
const DECLINED = { code: 'ND', message: 'DECLINED' }
const AT = { canceled: 1_764_604_800, periodEnd: 1_766_293_200 }
const FAILED = {
  status: 'failed',
  attempt: 1,
  trigger: 'scheduled',
  failure_code: 'ND',
  failure_message: 'DECLINED',
}
const PAUSE = {
  id: EXAMPLE_IDS.pause,
  mode: 'period_end',
  reason: 'Holiday',
  unused_time_behavior: null,
  scheduled_for: AT.periodEnd,
  paused_at: AT.periodEnd,
  paid_through_at: AT.periodEnd,
  remaining_paid_seconds: 0,
  requires_external_refund_confirmation: false,
  refund_reference: null,
  refund_note: null,
  resume_mode: null,
  resumed_at: null,
}
const PAUSED = { ...PAUSE, status: 'active' }
const PAUSED_NOW = {
  status: 'paused',
  next_billing_at: null,
  paused_at: AT.periodEnd,
  pause_reason: 'Holiday',
  pause: PAUSED,
}
const REFUND = { status: 'succeeded', failure_reason: null, receipt_id: 'R3N8P5WZ6QA' }
const SALE = {
  id: EXAMPLE_IDS.payment,
  status: 'Approved',
  amount: 25.5,
  currency: 'USD',
  customer_id: EXAMPLE_IDS.customer,
  card_id: EXAMPLE_IDS.paymentMethod,
  code: 'AA',
  message: 'Approved',
  receipt_id: 'R7K2M9QX4TB',
}

const ENDPOINT = {
  id: EXAMPLE_IDS.webhookEndpoint,
  object: 'webhook_endpoint',
  url: 'https://shop.example/webhooks',
  basic_auth: false,
  description: 'Orders',
  enabled_events: ['*'],
  ordered: false,
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
  created: 1_763_740_800,
}

const EXAMPLES: Record<EventType, Example> = {
  'checkout.session.completed': session({}),
  'checkout.session.failed': session({
    ...UNPAID,
    session_status: 'FAILED',
    payment_status: 'FAILED',
    attempt_count: 3,
    last_decline: DECLINED,
  }),
  'checkout.session.expired': session({ ...UNPAID, session_status: 'EXPIRED' }),
  'checkout.session.canceled': session({
    ...UNPAID,
    session_status: 'CANCELLED',
    canceled_at: '2026-09-30T12:03:11.000Z',
  }),
  'sale.succeeded': { object: SALE },
  'sale.failed': { object: { ...SALE, status: 'Declined', ...DECLINED, receipt_id: null } },
  'payment.refunded': payment(
    { status: 'refunded', refunded_amount: 2500 },
    { previous: { status: 'succeeded', refunded_amount: 0 }, refund: { ...REFUND, amount: 2500 }, sequence: 2 },
  ),
  'payment.partially_refunded': payment(
    { refunded_amount: 500 },
    { previous: { refunded_amount: 0 }, refund: { ...REFUND, amount: 500 }, sequence: 2 },
  ),
  'payment.voided': payment({ status: 'voided' }, { previous: { status: 'succeeded' }, sequence: 2 }),
  'refund.failed': {
    operation: 'retrieveRefund',
    object: { status: 'failed', failure_reason: 'declined', receipt_id: null },
  },
  'batch.settled': {
    operation: 'retrieveBatch',
    object: { status: 'settled', settled_at: AT.canceled, settlement_reference: 'SIM000042' },
  },
  'batch.settle_failed': {
    operation: 'retrieveBatch',
    object: { status: 'open', settled_at: null, settlement_reference: null },
  },
  'customer.created': { operation: 'retrieveCustomer' },
  'customer.updated': update('retrieveCustomer', { phone: null }, { phone: '5145550100' }),
  'payment_method.attached': { operation: 'retrievePaymentMethod' },
  'payment_method.detached': update('retrievePaymentMethod', { status: 'detached' }, { status: 'active' }),
  'product.created': { operation: 'retrieveProduct' },
  'product.updated': update('retrieveProduct', { active: false }, { active: true }),
  'price.created': { operation: 'retrievePrice' },
  'price.updated': update('retrievePrice', { active: false }, { active: true }),
  'subscription.created': { operation: 'retrieveSubscription' },
  'subscription.activated': subscription({}, { status: 'pending_payment_method', payment_method: null }),
  'subscription.updated': subscription({}, { payment_method: EXAMPLE_IDS.formerPaymentMethod }),
  'subscription.cancel_scheduled': subscription(
    { cancel_at_period_end: true, cancel_at: AT.periodEnd, canceled_at: AT.canceled },
    { cancel_at_period_end: false, cancel_at: null, canceled_at: null },
  ),
  'subscription.cancel_undone': subscription(
    {},
    { cancel_at_period_end: true, cancel_at: AT.periodEnd, canceled_at: AT.canceled },
  ),
  'subscription.cancelled': subscription(
    {
      status: 'canceled',
      next_billing_at: null,
      canceled_at: AT.canceled,
      ended_at: AT.canceled,
      cancellation_details: { comment: null, reason: 'moved away' },
    },
    { status: 'active', next_billing_at: AT.periodEnd, canceled_at: null, ended_at: null, cancellation_details: null },
  ),
  'subscription.pause_scheduled': subscription(
    { pause_at: AT.periodEnd, pause: { ...PAUSE, status: 'pending' } },
    { pause_at: null, pause: null },
  ),
  'subscription.pause_undone': subscription({}, { pause_at: AT.periodEnd, pause: { ...PAUSE, status: 'pending' } }),
  'subscription.paused': subscription(PAUSED_NOW, {
    status: 'active',
    next_billing_at: AT.periodEnd,
    paused_at: null,
    pause_reason: null,
    pause: null,
  }),
  'subscription.resumed': subscription({}, PAUSED_NOW),
  'subscription.completed': subscription(
    {
      status: 'completed',
      installments_billed: 12,
      installments_remaining: 0,
      next_billing_at: null,
      ended_at: AT.canceled,
    },
    {
      status: 'active',
      installments_billed: 11,
      installments_remaining: 1,
      next_billing_at: AT.canceled,
      ended_at: null,
    },
  ),
  'payment.succeeded': payment({}),
  'payment.failed': payment({ ...FAILED, next_retry_at: AT.periodEnd }),
  'payment.retries_exhausted': payment({ ...FAILED, attempt: 4, trigger: 'retry' }, { sequence: 2 }),
  ping: { object: ENDPOINT },
}

/**
 * Returns the example of an event.
 *
 * @param documents documents of the operations that have its objects
 * @throws if the operation is missing
 */
export function eventExample(type: EventType, documents: RouteDocument[]): object {
  const { operation, object = {}, previous, refund, sequence = 1 } = EXAMPLES[type]
  const data = {
    object: { ...(operation && shownBy(type, operation, documents)), ...object },
    ...(previous && { previous_attributes: previous }),
    ...(refund && { refund: { ...exampleOf('retrieveRefund', documents), ...refund } }),
  }
  return {
    id: EXAMPLE_IDS.event,
    object: 'event',
    type,
    api_version: MERCHANT_API_VERSION,
    created: 1_763_740_920,
    livemode: false,
    business_id: EXAMPLE_IDS.business,
    sequence,
    data,
  }
}

/** Returns the members of the example that the object of the event has. */
function shownBy(type: EventType, operation: string, documents: RouteDocument[]): Shown {
  const { checkout_session, ...example } = exampleOf(operation, documents)
  const { transaction, ...rest } = { transaction: null as Shown | null, ...example, ...(checkout_session as Shown) }
  const shown = { ...rest, transaction: transaction && { ...transaction, card: '************4242' } }
  const { properties } = EVENT_CATALOGUE[type].object
  return Object.fromEntries(Object.entries(shown).filter(([name]) => name in properties))
}

function exampleOf(operation: string, documents: RouteDocument[]): Shown {
  const example = documents.find(({ name }) => name === operation)?.responses[200]?.example
  if (!example) throw new Error(`No operation ${operation} has an example`)
  return example as Shown
}
