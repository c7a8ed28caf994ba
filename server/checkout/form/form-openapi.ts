import {
  CheckoutFormData,
  PayResponse,
  SessionCustomerResponse,
  SessionValidity,
  SurchargeResponse,
} from '../../../contract/checkout-form.ts'
import { EXAMPLE_IDS, EXAMPLE_PAYER_ID, EXAMPLE_SESSION_TOKEN } from '../../../contract/example-ids.ts'
import type { RouteDocument } from '../../http/route.ts'
import { EXAMPLE_CARD_DATA } from '../../vault/card.ts'
import { CLOSED_SESSION } from '../sessions/session-openapi.ts'

// The API reference of the public session paths.

const group = 'Payment form'
const TOKENS = `session_token=${EXAMPLE_SESSION_TOKEN}&session_id=${EXAMPLE_SESSION_TOKEN}`
const SUCCESS_URL = `https://shop.example/thanks?${TOKENS}`
const CANCEL_URL = `https://shop.example/cart?${TOKENS}`
const STATE = {
  payment_status: 'UNPAID',
  ui_mode: 'hosted',
  expires_at: '2026-10-01T12:00:00.000Z',
  server_time: '2026-09-30T12:00:02.000Z',
  payment_in_progress: false,
}

export const VALIDATE_DOCUMENT: RouteDocument = {
  name: 'validateSession',
  group,
  summary: 'Check whether a session can be paid',
  description: 'A closed session is 400 with the code of its state.',
  responses: {
    200: {
      description: 'The session can be paid.',
      body: SessionValidity,
      example: {
        ok: true,
        message: 'The session can be paid',
        status: 'PENDING',
        checkout_url: `https://form.rialto.example/customer/checkout/${EXAMPLE_SESSION_TOKEN}`,
        ...STATE,
      },
    },
  },
  refusals: CLOSED_SESSION,
}

export const DATA_DOCUMENT: RouteDocument = {
  name: 'getFormData',
  group,
  summary: 'Read the data of the form',
  description: 'Includes saved cards only if the merchant bound the session to a `customer_id`.',
  responses: {
    200: {
      description: 'The session, the business and the payment methods.',
      body: CheckoutFormData,
      example: {
        ok: true,
        status: 'PENDING',
        checkout_session: {
          id: EXAMPLE_IDS.session,
          session_status: 'PENDING',
          mode: 'payment',
          currency: 'USD',
          amount_total: 25.5,
          amount_subtotal: null,
          amount_tax: null,
          amount_discount: null,
          description: null,
          line_items: [{ name: 'Mug', quantity: 2, unit_amount: 12.75, total: 25.5, image: null }],
          discounts: [],
          surcharge: null,
          billing_address_collection: null,
          shipping_address_collection: null,
          consent_collection: null,
          subscription: null,
          attempt_count: 0,
          max_attempts: 3,
          success_url: SUCCESS_URL,
          cancel_url: CANCEL_URL,
          parent_origin: null,
          locale: null,
          ...STATE,
        },
        business: {
          id: EXAMPLE_IDS.business,
          name: 'Shop',
          logo_url: null,
          brand_color: null,
          support_email: 'help@shop.example',
          support_phone: null,
          terms_url: null,
          privacy_url: null,
          country: 'US',
          color_scheme: 'auto',
          corner_radius: 10,
          font_stack: 'system',
        },
        customer: null,
        saved_cards: [],
        payment_methods: {
          card: { enabled: true, brands: ['visa', 'mastercard'], can_save: true, compared_address: 'none' },
          saved_card: { enabled: false, cvv_required: false },
          google_pay: {
            enabled: false,
            environment: 'TEST',
            merchant_id: null,
            merchant_name: 'Shop',
            gateway: null,
            gateway_merchant_id: null,
            allowed_card_networks: [],
            allowed_auth_methods: [],
          },
        },
        three_ds: { enabled: false, method_timeout_ms: 10_000, challenge_timeout_ms: 600_000 },
      },
    },
  },
  refusals: CLOSED_SESSION,
}

export const SURCHARGE_DOCUMENT: RouteDocument = {
  name: 'quoteSurcharge',
  group,
  summary: 'Quote the surcharge of a card',
  description: 'The payer must see the surcharge before paying.',
  example: { bin: '424242', country: 'US', postal_code: '10001' },
  responses: {
    200: {
      description: 'The surcharge and the total; `null` when the session has no surcharge.',
      body: SurchargeResponse,
      example: { ok: true, surcharge: { applies: true, rate: 2.4, amount: 0.61, total: 26.11 } },
    },
  },
  refusals: CLOSED_SESSION,
}

export const CUSTOMER_DOCUMENT: RouteDocument = {
  name: 'identifyCustomer',
  group,
  summary: 'Identify the payer',
  description: `Returns the data as typed, never stored data. No customer is looked up, and none is created before a payment is
approved. \`customer.id\` is an id for this session, to be sent to \`pay\` as \`customerId\`; it is never the id of your
customer.`,
  example: { name: 'Ana Roy', email: 'ana@example.com', phone: '15551234567' },
  responses: {
    200: {
      description: 'The payer as typed; the same for new and for known customers.',
      body: SessionCustomerResponse,
      example: {
        ok: true,
        message: 'Customer saved',
        customer: { id: EXAMPLE_PAYER_ID, name: 'Ana Roy', email: 'ana@example.com', phone: '15551234567' },
      },
    },
  },
  refusals: CLOSED_SESSION,
}

export const PAY_DOCUMENT: RouteDocument = {
  name: 'paySession',
  group,
  summary: 'Pay a session',
  description: `The only path that accepts card data. A declined card gets 200 with \`ok: false\`; the third decline closes the
session. \`charged: null\` in an error means that the outcome is still being resolved: do not pay again.`,
  example: { payment_method_type: 'new_card', amount: 25.5, cardData: EXAMPLE_CARD_DATA },
  responses: {
    200: {
      description: 'Approved or declined.',
      body: PayResponse,
      example: {
        ok: true,
        message: 'Payment approved',
        result: { code: 'AA', recordID: EXAMPLE_IDS.payment, receiptID: 'R7K2M9QX4TB' },
        success_url: SUCCESS_URL,
      },
    },
  },
  refusals: [
    ...CLOSED_SESSION,
    'payment_in_progress',
    'gateway_timeout',
    'gateway_unavailable',
    'duplicate_card',
    'google_pay_unavailable',
  ],
}
