import Type, { type Static } from 'typebox'
import { COMPARED_ADDRESSES, type ComparedAddress } from './card-checks.ts'
import { ConsentCollection, PAYMENT_STATUSES, SESSION_MODES, SESSION_STATUSES, UI_MODES } from './checkout-session.ts'
import { FormSubscription } from './form-subscription.ts'
import { Currency, Moment, Nullable, OneOf, Uuid } from './formats.ts'
import { PageLook } from './page-look.ts'
import { PayResult } from './pay-result.ts'

// Requests and responses of the hosted form: the public session paths (CHK-37 to CHK-46). Amounts are in major units,
// rates in percent, times in ISO 8601, UTC.

const Text = () => Nullable(Type.String())
const OptionalAmount = () => Nullable(Type.Number())
const Url = () => Type.String({ format: 'url' })
/** URL of the shop; `null` for the link of a subscription, where no shop waits for the payer. */
const ReturnUrl = () => Nullable(Url())

export interface Address {
  name?: string
  line1?: string
  line2?: string
  city?: string
  state?: string
  postal_code?: string
  country?: string
}

const STATE = {
  payment_status: OneOf(PAYMENT_STATUSES),
  ui_mode: OneOf(UI_MODES),
  expires_at: Moment(),
  server_time: Moment(),
  /** True from the time a payment is sent until its outcome is known; no other payment is possible meanwhile. */
  payment_in_progress: Type.Boolean({ description: 'While it is true, no payment is possible.' }),
}

/** `GET /api/checkout/{token}`. */
export const SessionValidity = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String(),
    status: OneOf(SESSION_STATUSES),
    checkout_url: Url(),
    ...STATE,
  },
  { title: 'SessionValidity' },
)
export type SessionValidity = Static<typeof SessionValidity>

/** The session as the payer may see it. */
const FormSession = Type.Object(
  {
    id: Uuid(),
    session_status: OneOf(SESSION_STATUSES),
    mode: OneOf(SESSION_MODES),
    currency: Currency(),
    amount_total: Type.Number(),
    amount_subtotal: OptionalAmount(),
    amount_tax: OptionalAmount(),
    amount_discount: OptionalAmount(),
    description: Text(),
    line_items: Type.Array(
      Type.Object({
        name: Type.String(),
        quantity: Type.Integer(),
        unit_amount: Type.Number(),
        total: Type.Number(),
        image: Text(),
      }),
    ),
    discounts: Type.Array(
      Type.Object({ name: Text(), code: Text(), amount: OptionalAmount(), percent_off: OptionalAmount() }),
    ),
    surcharge: Nullable(
      Type.Object(
        { rate: Type.Number(), amount: Type.Number(), applies: Nullable(Type.Boolean()) },
        {
          description: '`applies` is `null` until the card is known; until then the amount is that of a credit card.',
        },
      ),
    ),
    billing_address_collection: Nullable(OneOf(['auto', 'required'])),
    shipping_address_collection: Nullable(OneOf(['auto', 'required'])),
    consent_collection: Nullable(ConsentCollection),
    subscription: Nullable(FormSubscription),
    attempt_count: Type.Integer({ minimum: 0 }),
    max_attempts: Type.Integer(),
    success_url: ReturnUrl(),
    cancel_url: ReturnUrl(),
    parent_origin: Nullable(
      Type.String({ description: 'The only origin that may frame the form and receive its messages.' }),
    ),
    locale: Text(),
    ...STATE,
  },
  { title: 'FormSession' },
)
export type FormSession = Static<typeof FormSession>

const FormBusiness = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    logo_url: Text(),
    brand_color: Text(),
    support_email: Text(),
    support_phone: Text(),
    terms_url: Text(),
    privacy_url: Text(),
    country: OneOf(['US', 'CA']),
    color_scheme: Type.Optional(
      Type.Unsafe<'light' | 'dark' | 'auto'>({
        ...OneOf(['light', 'dark', 'auto']),
        description: "`auto`, or absent: follows the payer's device.",
      }),
    ),
    ...PageLook,
  },
  { title: 'FormBusiness' },
)
export type FormBusiness = Static<typeof FormBusiness>

const FormSavedCard = Type.Object(
  {
    id: Uuid(),
    brand: Type.String(),
    last4: Type.String(),
    exp_month: Type.Integer(),
    exp_year: Type.Integer(),
    name_on_card: Text(),
    expired: Type.Boolean(),
    surcharge_applies: Type.Optional(
      Type.Boolean({ description: 'Only for a session with a surcharge: whether it applies to this card.' }),
    ),
  },
  { title: 'FormSavedCard' },
)
export type FormSavedCard = Static<typeof FormSavedCard>

const FormPaymentMethods = Type.Object(
  {
    card: Type.Object({
      enabled: Type.Boolean(),
      brands: Type.Array(Type.String()),
      can_save: Type.Boolean({
        description:
          'Whether a card may be saved, which requires a customer identified by the merchant, and no hidden reuse agreement. Otherwise `saveCard` has no effect.',
      }),
      compared_address: Type.Unsafe<ComparedAddress>({
        ...OneOf(COMPARED_ADDRESSES),
        description:
          'What `cardData.address` of a typed card must have, whatever the session collects: nothing, the postal code, or the street too.',
      }),
    }),
    saved_card: Type.Object({
      enabled: Type.Boolean(),
      cvv_required: Type.Boolean({
        description: 'Whether the payer types the security code of a saved card again.',
      }),
    }),
    google_pay: Type.Object({
      enabled: Type.Boolean(),
      environment: OneOf(['TEST', 'PRODUCTION']),
      merchant_id: Text(),
      merchant_name: Type.String(),
      gateway: Text(),
      gateway_merchant_id: Text(),
      allowed_card_networks: Type.Array(Type.String()),
      allowed_auth_methods: Type.Array(Type.String()),
    }),
  },
  { title: 'FormPaymentMethods' },
)

/** Response of `GET /api/checkout/{token}/data` for a session that can still be paid. */
export const CheckoutFormData = Type.Object(
  {
    ok: Type.Literal(true),
    status: OneOf(SESSION_STATUSES),
    checkout_session: FormSession,
    business: FormBusiness,
    customer: Nullable(
      Type.Object(
        { id: Uuid(), name: Text(), email: Text(), phone: Text() },
        {
          description:
            'The customer that the merchant bound the session to. For any other payer only the id within this session.',
        },
      ),
    ),
    saved_cards: Type.Array(FormSavedCard),
    payment_methods: FormPaymentMethods,
    three_ds: Type.Object({
      enabled: Type.Boolean(),
      method_timeout_ms: Type.Integer(),
      challenge_timeout_ms: Type.Integer(),
    }),
  },
  { title: 'CheckoutFormData' },
)
export type CheckoutFormData = Static<typeof CheckoutFormData>

/** Response of `POST /api/checkout/{token}/customer`: only the typed values. The id is the session's own. */
export const SessionCustomerResponse = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String(),
    customer: Type.Object({ id: Uuid(), name: Type.String(), email: Type.String(), phone: Text() }),
  },
  { title: 'SessionCustomerResponse' },
)

/** Body of `POST /api/checkout/{token}/surcharge`: a saved card, or the known parts of a new one. */
export interface SurchargeQuestion {
  cardId?: string
  /** The first six to eight digits of the card number, never more. */
  bin?: string
  country?: string
  state?: string
  postal_code?: string
  /** The shipping address. Only Quebec changes the result. */
  shipping?: { country?: string; state?: string; postal_code?: string }
}

export const SurchargeDue = Type.Object(
  {
    applies: Type.Boolean(),
    rate: Type.Number({ description: 'In percent.' }),
    amount: Type.Number({ description: '0 when it does not apply.' }),
    total: Type.Number({ description: 'The amount that the pay request must contain.' }),
  },
  { title: 'SurchargeDue' },
)
export type SurchargeDue = Static<typeof SurchargeDue>

/** Response of `POST /api/checkout/{token}/surcharge`; `surcharge` is `null` for a session without a surcharge. */
export const SurchargeResponse = Type.Object(
  { ok: Type.Literal(true), surcharge: Nullable(SurchargeDue) },
  { title: 'SurchargeResponse' },
)
export type SurchargeResponse = Static<typeof SurchargeResponse>

/** Response of `POST /api/checkout/{token}/pay` if the payment was approved. */
const PaySuccess = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String(),
    result: PayResult,
    success_url: ReturnUrl(),
  },
  { title: 'PaySuccess' },
)
export type PaySuccess = Static<typeof PaySuccess>

/** Response if it was declined. Only the merchant's server can read the actual result code; the page has its text. */
const PayFailure = Type.Object(
  {
    ok: Type.Literal(false),
    message: Type.String(),
    code: Type.String({ description: '`N7` when the security code or the address does not match, otherwise `ND`.' }),
    attempt_count: Type.Integer(),
    max_attempts: Type.Integer(),
    cancel_url: ReturnUrl(),
    charged: Type.Literal(false),
  },
  { title: 'PayFailure' },
)
export type PayFailure = Static<typeof PayFailure>

export const PayResponse = Type.Union([PaySuccess, PayFailure])
export type PayResponse = Static<typeof PayResponse>

/**
 * Payment of a paid session as the merchant's page receives it. `amount` is the total charged. If the card was only
 * verified, the amount is 0, the receipt is empty, and the id is that of the verification.
 */
export const SessionPayment = Type.Object(
  { transaction_id: Uuid(), receipt_id: Type.String(), amount: Type.Number(), currency: Currency() },
  { title: 'SessionPayment' },
)
export type SessionPayment = Static<typeof SessionPayment>

/** Any other refusal of the public paths (CHK-1). `charged: null` means that the outcome is still unknown. */
export interface PublicError {
  ok: false
  message: string
  code: string
  errors?: Record<string, string[]>
  /** Added for a wrong `amount` in a session with a surcharge: the parts of the correct amount. */
  surcharge?: SurchargeDue
  status?: (typeof SESSION_STATUSES)[number]
  success_url?: string
  cancel_url?: string
  /** Added for `session_completed`. */
  payment?: SessionPayment
  charged?: boolean | null
  request_id: string
}
