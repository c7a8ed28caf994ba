import type { ComparedAddress } from '../../contract/card-checks.ts'
import type { CheckoutFormData, FormBusiness, FormSession } from '../../contract/checkout-form.ts'
import type { FormSubscription } from '../../contract/form-subscription.ts'
import type { PaymentPageView } from '../../contract/payment-page.ts'
import type { ScenarioFrame } from './payment-page-fixture.ts'

// A typical session; each test only gives the fields that it is about.

export const BUSINESS: FormBusiness = {
  id: '0198c0de-0000-7000-8000-000000000001',
  name: 'Northwind Tea',
  logo_url: null,
  brand_color: '#0f5c4d',
  support_email: 'help@northwind.example',
  support_phone: '+1 514 555 0142',
  terms_url: 'https://northwind.example/terms',
  privacy_url: 'https://northwind.example/privacy',
  country: 'CA',
}

export interface Changes {
  session?: Partial<FormSession>
  business?: Partial<FormBusiness>
  data?: Partial<CheckoutFormData>
  /** Address that the business's AVS policy compares. */
  comparedAddress?: ComparedAddress
  /** Whether saved cards require a security code. */
  cvvRequired?: boolean
}

function formData(frame: ScenarioFrame, changes: Changes = {}): CheckoutFormData {
  const { session, business, data, comparedAddress = 'none', cvvRequired = false } = changes
  return {
    ok: true,
    status: 'PENDING',
    checkout_session: { ...sessionOf(frame), ...session },
    business: { ...BUSINESS, ...business },
    customer: null,
    saved_cards: [],
    payment_methods: {
      card: {
        enabled: true,
        brands: ['visa', 'mastercard', 'amex', 'discover'],
        can_save: Boolean(data?.customer),
        compared_address: comparedAddress,
      },
      saved_card: { enabled: true, cvv_required: cvvRequired },
      google_pay: {
        enabled: false,
        environment: 'TEST',
        merchant_id: null,
        merchant_name: BUSINESS.name,
        gateway: null,
        gateway_merchant_id: null,
        allowed_card_networks: [],
        allowed_auth_methods: [],
      },
    },
    three_ds: { enabled: false, method_timeout_ms: 10_000, challenge_timeout_ms: 600_000 },
    ...data,
  }
}

/** Returns a plan of 40 a month that begins today. */
export const planOf = (more: Partial<FormSubscription> = {}): FormSubscription => ({
  interval: 'Monthly',
  start_date: null,
  name: 'Tea of the month',
  first_charge: 40,
  first_charge_date: '2026-12-01',
  next_charge_date: '2027-01-01',
  installments: null,
  ...more,
})

/** Returns the view of the open page of that session. */
export function openView(frame: ScenarioFrame, changes: Changes = {}): PaymentPageView {
  return { ...frame, state: 'open', data: formData(frame, changes), refusal: null }
}

function sessionOf(frame: ScenarioFrame): FormSession {
  const now = Date.now()
  return {
    id: '0198c0de-0000-7000-8000-000000000002',
    session_status: 'PENDING',
    payment_status: 'UNPAID',
    ui_mode: frame.surface,
    mode: 'payment',
    currency: 'CAD',
    amount_total: 72.41,
    amount_subtotal: 68,
    amount_tax: 9.41,
    amount_discount: 5,
    description: null,
    line_items: [
      { name: 'Sencha, first harvest, 100 g', quantity: 2, unit_amount: 21.5, total: 43, image: null },
      { name: 'Cast-iron kettle stand', quantity: 1, unit_amount: 25, total: 25, image: null },
    ],
    discounts: [{ name: 'Welcome', code: 'HELLO5', amount: 5, percent_off: null }],
    surcharge: null,
    billing_address_collection: null,
    shipping_address_collection: null,
    consent_collection: null,
    subscription: null,
    attempt_count: 0,
    max_attempts: 3,
    success_url: frame.shopUrl(`thanks?order=7&session_token=${frame.token}&session_id=${frame.token}#done`),
    cancel_url: frame.shopUrl(`cart?session_token=${frame.token}&session_id=${frame.token}`),
    parent_origin: null,
    locale: null,
    expires_at: new Date(now + 24 * 3_600_000).toISOString(),
    server_time: new Date(now).toISOString(),
    payment_in_progress: false,
  }
}
