import {
  CheckoutSessionDetailsResponse,
  CheckoutSessionListResponse,
  CheckoutSessionResponse,
} from '../../../contract/checkout-session-responses.ts'
import { EXAMPLE_IDS, EXAMPLE_SESSION_TOKEN } from '../../../contract/example-ids.ts'
import type { RouteDocument } from '../../http/route.ts'
import type { ErrorCode } from '../../lib/errors.ts'

// The API reference of checkout sessions.

const group = 'Checkout sessions'
/** The errors of a closed session. */
export const CLOSED_SESSION: ErrorCode[] = [
  'session_expired',
  'session_completed',
  'session_cancelled',
  'session_failed',
]
const URLS = { success_url: 'https://shop.example/thanks', cancel_url: 'https://shop.example/cart' }
const FROM_PAGES = `A page on the origin of the client's redirect URL may call it too, preferably with a browser token.
\`success_url\`, \`cancel_url\` and the header \`Origin\`, if present, must be on that origin.`

const LINE_ITEMS = [{ name: 'Mug', quantity: 2, unit_amount: 12.75, total: 25.5 }]

const CREATED = {
  id: EXAMPLE_IDS.session,
  token: EXAMPLE_SESSION_TOKEN,
  checkout_url: `https://form.rialto.example/customer/checkout/${EXAMPLE_SESSION_TOKEN}`,
  session_status: 'PENDING',
  payment_status: 'UNPAID',
  amount_total: 25.5,
  currency: 'USD',
  expires_at: '2026-10-01T12:00:00.000Z',
  ui_mode: 'hosted',
  ...URLS,
}
const MODAL = {
  ...CREATED,
  ui_mode: 'rapid',
  checkout_url: `https://form.rialto.example/customer/checkout-rapid/${EXAMPLE_SESSION_TOKEN}`,
}

const TRANSACTION = {
  id: EXAMPLE_IDS.payment,
  transactionID: EXAMPLE_IDS.payment,
  receipt_id: 'R7K2M9QX4TB',
  receiptID: 'R7K2M9QX4TB',
  code: 'AA',
  response_code: 'AA',
  message: 'Approved',
  card: '424242******4242',
  association: 'Visa',
  details: { association: 'Visa', amount: 25.5, issuer_reference: '831000', source: 'new_card' },
}
const PAID = { session_status: 'COMPLETED', payment_status: 'PAID' }
const TIMES = { created_at: '2026-09-30T12:00:00.000Z', completed_at: '2026-09-30T12:03:11.000Z' }

const sessionResponse = (
  description: string,
  message: string,
  session: typeof CREATED,
): RouteDocument['responses'] => ({
  200: {
    description,
    body: CheckoutSessionResponse,
    example: { ok: true, message, status: session.session_status, checkout_session: session, transaction: null },
  },
})

export const CREATE_DOCUMENT: RouteDocument = {
  name: 'createCheckoutSession',
  group,
  summary: 'Create a session',
  description: `Send the payer to \`checkout_url\`, or show it in a frame. ${FROM_PAGES} \`amount_total\` is \`amount_subtotal\` +
\`amount_tax\` − \`amount_discount\` when a subtotal is given.

Mode \`subscription\` needs \`line_items\` and \`subscription\`, and a customer that your server has named. \`amount_total\` is
the amount of every bill. The first one is charged with the session; with a later \`start_date\` the card is verified, and
nothing is charged before that day.`,
  example: {
    amount_total: 25.5,
    currency: 'USD',
    customer_email: 'ana@example.com',
    ...URLS,
    client_reference_id: 'order-1001',
    line_items: LINE_ITEMS,
    metadata: { order: '1001' },
  },
  responses: sessionResponse('The session.', 'Checkout session created', CREATED),
  refusals: ['not_found', 'origin_mismatch'],
}

export const CREATE_MODAL_DOCUMENT: RouteDocument = {
  name: 'createModalSession',
  group,
  summary: 'Create a session for the modal',
  description: `For the compact form with amount and card. The card is saved when the payment is approved. ${FROM_PAGES}`,
  example: { amount_total: 25.5, customer_email: 'ana@example.com' },
  responses: sessionResponse('The session.', 'Modal session created', MODAL),
  refusals: ['origin_mismatch'],
}

export const LIST_DOCUMENT: RouteDocument = {
  name: 'listCheckoutSessions',
  group,
  summary: 'List sessions',
  description:
    'Newest first. Following `next_page_url` and `prev_page_url` never repeats a session, even while sessions are created. Days are in the time zone of the business, both inclusive.',
  responses: {
    200: {
      description: 'A page of sessions.',
      body: CheckoutSessionListResponse,
      example: {
        ok: true,
        message: 'Checkout sessions',
        checkout_sessions: {
          data: [
            {
              id: EXAMPLE_IDS.session,
              token: EXAMPLE_SESSION_TOKEN,
              ...PAID,
              amount_total: 25.5,
              currency: 'USD',
              ui_mode: 'hosted',
              mode: 'payment',
              customer: { id: EXAMPLE_IDS.customer, name: 'Ana Roy', email: 'ana@example.com' },
              client_reference_id: 'order-1001',
              description: null,
              attempt_count: 0,
              ...TIMES,
              expires_at: CREATED.expires_at,
              transaction: TRANSACTION,
            },
          ],
          current_page: 1,
          per_page: 10,
          total: 1,
          last_page: 1,
          from: 1,
          to: 1,
          next_page_url: null,
          prev_page_url: null,
        },
      },
    },
  },
}

export const DETAILS_DOCUMENT: RouteDocument = {
  name: 'getCheckoutSession',
  group,
  summary: 'Read a session',
  description: 'Fulfill an order only when `session_status` is `COMPLETED` and `payment_status` is `PAID`.',
  responses: {
    200: {
      description: 'The session with its input, its state and its transaction.',
      body: CheckoutSessionDetailsResponse,
      example: {
        ok: true,
        message: 'Checkout session',
        status: 'COMPLETED',
        checkout_session: {
          ...CREATED,
          ...PAID,
          amount_subtotal: null,
          amount_tax: null,
          amount_discount: null,
          customer_id: EXAMPLE_IDS.customer,
          customer_email: 'ana@example.com',
          customer_named_by: 'merchant',
          customer_name: null,
          mode: 'payment',
          description: null,
          client_reference_id: 'order-1001',
          metadata: { order: '1001' },
          line_items: LINE_ITEMS,
          discounts: [],
          billing_address_collection: null,
          shipping_address_collection: null,
          billing_address: { postal_code: '10001', country: 'US' },
          shipping_address: null,
          consent_collection: null,
          consent: null,
          surcharge: null,
          subscription: null,
          subscription_id: null,
          attempt_count: 0,
          max_attempts: 3,
          last_decline: null,
          ...TIMES,
          canceled_at: null,
        },
        transaction: TRANSACTION,
      },
    },
  },
}

export const CANCEL_DOCUMENT: RouteDocument = {
  name: 'cancelCheckoutSession',
  group,
  summary: 'Cancel a session',
  description: 'Refused while a payment is in progress.',
  example: { reason: 'The order was changed' },
  responses: sessionResponse('The cancelled session.', 'Checkout session cancelled', {
    ...CREATED,
    session_status: 'CANCELLED',
  }),
  refusals: [...CLOSED_SESSION, 'payment_in_progress'],
}
