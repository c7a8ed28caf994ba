import type { PaymentStatus, SessionStatus, UiMode } from './checkout-session.ts'

// What the hosted form is told and what it sends: the public session paths (contract 4, «Public paths»).

export interface Address {
  name?: string
  line1?: string
  line2?: string
  city?: string
  state?: string
  postal_code?: string
  country?: string
}

/** `GET /api/checkout/{token}`. Times are ISO 8601 UTC. */
export interface SessionValidity {
  ok: true
  message: string
  status: SessionStatus
  payment_status: PaymentStatus
  ui_mode: UiMode
  checkout_url: string
  expires_at: string
  server_time: string
  /** True from the moment a payment is sent until its outcome is known: nothing may be paid meanwhile. */
  payment_in_progress: boolean
}

/** The session as the payer may see it. Amounts are in major units. */
export interface FormSession {
  id: string
  session_status: SessionStatus
  payment_status: PaymentStatus
  ui_mode: UiMode
  mode: 'payment' | 'subscription'
  currency: 'USD' | 'CAD'
  amount_total: number
  amount_subtotal: number | null
  amount_tax: number | null
  amount_discount: number | null
  description: string | null
  line_items: { name: string; quantity: number; unit_amount: number; total: number; image: string | null }[]
  discounts: { name: string | null; code: string | null; amount: number | null; percent_off: number | null }[]
  /** `rate` in percent. `applies` is known only once the card is; until then the amount is what a credit card would pay. */
  surcharge: { rate: number; amount: number; applies: boolean | null } | null
  billing_address_collection: 'auto' | 'required' | null
  shipping_address_collection: 'auto' | 'required' | null
  consent_collection: {
    terms_of_service?: 'required' | 'none'
    promotions?: 'auto' | 'none'
    payment_method_reuse_agreement?: { position: 'auto' | 'hidden' }
  } | null
  subscription: { interval: string; start_date: string | null; name: string | null } | null
  attempt_count: number
  max_attempts: number
  success_url: string
  cancel_url: string
  /** The only origin that may frame the form and receive its messages. */
  parent_origin: string | null
  locale: string | null
  expires_at: string
  server_time: string
  payment_in_progress: boolean
}

export interface FormBusiness {
  id: string
  name: string
  logo_url: string | null
  brand_color: string | null
  support_email: string | null
  support_phone: string | null
  terms_url: string | null
  privacy_url: string | null
  country: 'US' | 'CA'
  /** Absent means `auto`: as the payer's device has it. */
  color_scheme?: 'light' | 'dark' | 'auto'
}

export interface FormSavedCard {
  id: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  name_on_card: string | null
  expired: boolean
  /** Only of a session with a surcharge: whether paying with this card adds it. */
  surcharge_applies?: boolean
}

/** `POST /api/checkout/{token}/surcharge`: a saved card, or what is known of a new one so far. */
export interface SurchargeQuestion {
  cardId?: string
  /** The first six to eight digits of the card number, never more. */
  bin?: string
  country?: string
  state?: string
  postal_code?: string
}

/** Its answer, in percent and major units; `surcharge` is `null` when the session takes none. */
export interface SurchargeAnswer {
  ok: true
  surcharge: SurchargeDue | null
}

/** `total` is what the pay request must say. `amount` is 0 when it does not apply. */
export interface SurchargeDue {
  applies: boolean
  rate: number
  amount: number
  total: number
}

/** `GET /api/checkout/{token}/data` of a session that can still be paid. */
export interface CheckoutFormData {
  ok: true
  status: SessionStatus
  checkout_session: FormSession
  business: FormBusiness
  customer: { id: string; name: string | null; email: string | null; phone: string | null } | null
  saved_cards: FormSavedCard[]
  payment_methods: {
    card: { enabled: boolean; brands: string[] }
    saved_card: { enabled: boolean }
    google_pay: {
      enabled: boolean
      environment: 'TEST' | 'PRODUCTION'
      merchant_id: string | null
      merchant_name: string
      gateway: string | null
      gateway_merchant_id: string | null
      allowed_card_networks: string[]
      allowed_auth_methods: string[]
    }
  }
  three_ds: { enabled: boolean; method_timeout_ms: number; challenge_timeout_ms: number }
}

/** `POST /api/checkout/{token}/pay`, approved: spec «Pay request and results». */
export interface PaySuccess {
  ok: true
  message: string
  result: { code: string; recordID: string; receiptID: string }
  success_url: string
}

/** Declined. `code` is the result code; the page owns the text that the payer reads. */
export interface PayFailure {
  ok: false
  message: string
  code: string
  attempt_count: number
  max_attempts: number
  cancel_url: string
  charged: false
}

/** Any other refusal of the public paths (contract 1). `charged: null` means that it is still being found out. */
export interface PublicError {
  ok: false
  message: string
  code: string
  errors?: Record<string, string[]>
  /** Of a wrong `amount`, when the session takes a surcharge: what the right one is made of. */
  surcharge?: SurchargeDue
  status?: SessionStatus
  success_url?: string
  cancel_url?: string
  charged?: boolean | null
  request_id: string
}
