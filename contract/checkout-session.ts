import Type, { type Static } from 'typebox'
import { Amount, Currency, Day, Email, Line, Metadata, OneOf, Paragraph, Url, Uuid } from './formats.ts'

export const SESSION_STATUSES = ['PENDING', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED'] as const
export const PAYMENT_STATUSES = ['UNPAID', 'PAID', 'FAILED'] as const
export const UI_MODES = ['hosted', 'embedded', 'rapid'] as const
/** `setup` only stores a card; no request creates it. */
export const SESSION_MODES = ['payment', 'subscription', 'setup'] as const
const INTERVALS = ['Weekly', 'Bi-Weekly', 'Monthly', 'Quarterly', 'Twice a year', 'Annual'] as const
/** Intervals of a sign-up. `Daily` occurs only if the merchant API created the subscription. */
export const SIGN_UP_INTERVALS = ['Daily', ...INTERVALS] as const

export type SignUpInterval = (typeof SIGN_UP_INTERVALS)[number]
export type SessionStatus = (typeof SESSION_STATUSES)[number]
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]
export type SessionMode = (typeof SESSION_MODES)[number]
export type UiMode = (typeof UI_MODES)[number]

const LINE_ITEMS_MAX = 10
const DISCOUNTS_MAX = 10

export const LineItem = Type.Object(
  {
    name: Line(255),
    quantity: Type.Integer({ minimum: 1, maximum: 999_999 }),
    unit_amount: Amount(0.01),
    total: Amount(0.01),
    image: Type.Optional(Url()),
  },
  { title: 'LineItem' },
)

export const Discount = Type.Object(
  {
    name: Type.Optional(Line(255)),
    code: Type.Optional(Line(64)),
    amount: Type.Optional(Amount(0.01)),
    percent_off: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
  },
  { title: 'Discount' },
)

export const ConsentCollection = Type.Object(
  {
    terms_of_service: Type.Optional(OneOf(['required', 'none'])),
    promotions: Type.Optional(OneOf(['auto', 'none'])),
    payment_method_reuse_agreement: Type.Optional(Type.Object({ position: OneOf(['auto', 'hidden']) })),
  },
  { title: 'ConsentCollection' },
)

const SessionSubscription = Type.Object(
  {
    interval: OneOf(INTERVALS),
    start_date: Type.Optional(Day()),
    name: Type.Optional(Line(255)),
  },
  { title: 'SessionSubscription' },
)

/**
 * Body of the request that creates a session. Rules across fields are in server/checkout/sessions/create-session.ts.
 */
export const CheckoutSessionCreate = Type.Object(
  {
    amount_total: Amount(0.01),
    amount_subtotal: Type.Optional(Amount()),
    amount_tax: Type.Optional(Amount()),
    amount_discount: Type.Optional(Amount()),
    currency: Type.Optional(Currency()),
    customer_id: Type.Optional(Uuid()),
    customer_email: Type.Optional(Email()),
    customer_name: Type.Optional(Line(255, 0)),
    success_url: Url(),
    cancel_url: Url(),
    ui_mode: Type.Optional(OneOf(['hosted', 'embedded'])),
    mode: Type.Optional(OneOf(['payment', 'subscription'])),
    description: Type.Optional(Paragraph(255)),
    client_reference_id: Type.Optional(Line(255, 0)),
    metadata: Type.Optional(Metadata()),
    surcharge: Type.Optional(Type.Boolean()),
    line_items: Type.Optional(Type.Array(LineItem, { maxItems: LINE_ITEMS_MAX })),
    discounts: Type.Optional(Type.Array(Discount, { maxItems: DISCOUNTS_MAX })),
    billing_address_collection: Type.Optional(OneOf(['auto', 'required'])),
    shipping_address_collection: Type.Optional(OneOf(['auto', 'required'])),
    consent_collection: Type.Optional(ConsentCollection),
    subscription: Type.Optional(SessionSubscription),
  },
  { title: 'CheckoutSessionCreate', description: 'One of customer_id and customer_email is required.' },
)
export type CheckoutSessionCreate = Static<typeof CheckoutSessionCreate>

/** Body of the request that cancels a session (CHK-34). */
export const CheckoutSessionCancel = Type.Object(
  { reason: Type.Optional(Paragraph(255)) },
  { title: 'CheckoutSessionCancel' },
)
export type CheckoutSessionCancel = Static<typeof CheckoutSessionCancel>
