import type { Static } from 'typebox'
import type { ComparedAddress } from '../../../contract/card-checks.ts'
import type { CheckoutFormData, FormBusiness, FormSession } from '../../../contract/checkout-form.ts'
import type { BrandingPreviewQuery } from '../../../contract/dashboard/settings-api.ts'
import type { Locale, PaymentPageView } from '../../../contract/payment-page.ts'
import type { Currency } from '../../lib/money.ts'

// Renders the payment page of a sale that is never made, as a sample.

type Shown = Pick<Static<typeof BrandingPreviewQuery>, 'locale' | 'state' | 'surface'> & {
  nonce: string
  now: Date
  currency: Currency
  /** Part of the address that the AVS policy compares, so that the page has the fields that payers see. */
  comparedAddress: ComparedAddress
}

const NO_ID = '00000000-0000-7000-8000-000000000000'
const DAY_MS = 86_400_000
const ITEMS: Record<Locale, [string, string]> = {
  en: ['Sample item', 'Another item'],
  'fr-CA': ['Article d’exemple', 'Un autre article'],
  es: ['Artículo de ejemplo', 'Otro artículo'],
}

/** A declined card, at the first of three tries. */
const DECLINE = { code: '05', attemptsLeft: 2, errors: {} }

/** Renders the sample without a script, so that nothing on the page can be sent. */
export function samplePage(business: FormBusiness, shown: Shown): PaymentPageView {
  const { locale, surface, nonce, state } = shown
  const frame = { locale, surface, nonce, script: null, languageLinks: [], parent: null }
  if (state === 'open' || state === 'declined') {
    const refusal = state === 'declined' ? DECLINE : null
    return { ...frame, state: 'open', token: 'preview', apiBaseUrl: '', data: formData(business, shown), refusal }
  }
  return { ...frame, state, business, returnUrl: null }
}

function formData(business: FormBusiness, shown: Shown): CheckoutFormData {
  return {
    ok: true,
    status: 'PENDING',
    checkout_session: formSession(shown),
    business,
    customer: null,
    saved_cards: [],
    payment_methods: {
      card: { enabled: true, brands: [], can_save: false, compared_address: shown.comparedAddress },
      saved_card: { enabled: false, cvv_required: false },
      google_pay: {
        enabled: false,
        environment: 'TEST',
        merchant_id: null,
        merchant_name: business.name,
        gateway: null,
        gateway_merchant_id: null,
        allowed_card_networks: [],
        allowed_auth_methods: [],
      },
    },
    three_ds: { enabled: false, method_timeout_ms: 0, challenge_timeout_ms: 0 },
  }
}

function formSession({ locale, state, surface, now, currency }: Shown): FormSession {
  const [first, second] = ITEMS[locale]
  return {
    id: NO_ID,
    session_status: 'PENDING',
    payment_status: 'UNPAID',
    ui_mode: surface,
    mode: 'payment',
    currency,
    amount_total: 72.41,
    amount_subtotal: 63,
    amount_tax: 9.41,
    amount_discount: null,
    description: null,
    line_items: [
      { name: first, quantity: 2, unit_amount: 19, total: 38, image: null },
      { name: second, quantity: 1, unit_amount: 25, total: 25, image: null },
    ],
    discounts: [],
    surcharge: null,
    billing_address_collection: 'auto',
    shipping_address_collection: null,
    consent_collection: null,
    subscription: null,
    attempt_count: state === 'declined' ? 1 : 0,
    max_attempts: 3,
    success_url: null,
    cancel_url: null,
    parent_origin: null,
    locale: null,
    expires_at: new Date(now.getTime() + DAY_MS).toISOString(),
    server_time: now.toISOString(),
    payment_in_progress: false,
  }
}
