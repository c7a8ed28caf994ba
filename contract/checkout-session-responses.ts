import Type from 'typebox'
import {
  ConsentCollection,
  Discount,
  LineItem,
  PAYMENT_STATUSES,
  SESSION_MODES,
  SESSION_STATUSES,
  type SessionMode,
  SIGN_UP_INTERVALS,
  UI_MODES,
} from './checkout-session.ts'
import { Currency, Day, Metadata, Moment, Nullable, OneOf, Uuid } from './formats.ts'

// Responses about sessions to a merchant's server. Amounts are in major units.

const SessionStatus = () => OneOf(SESSION_STATUSES)
const Mode = () =>
  Type.Unsafe<SessionMode>({
    ...OneOf(SESSION_MODES),
    description: '`setup` stores a card of the customer and charges nothing: your dashboard asks for it.',
  })
const OptionalAmount = () => Nullable(Type.Number())
const Text = () => Nullable(Type.String())
const Url = () => Type.String({ format: 'url' })
const Token = () =>
  Type.String({ minLength: 64, maxLength: 64, description: 'Identifies the session on the public paths.' })
const CollectionOption = () => Nullable(OneOf(['auto', 'required']))

/** The session as create shows it (CHK-15). */
const CREATED = {
  id: Uuid(),
  token: Token(),
  checkout_url: Type.String({ format: 'url', description: 'The page to send the payer to, or to show in the frame.' }),
  session_status: SessionStatus(),
  payment_status: OneOf(PAYMENT_STATUSES),
  amount_total: Type.Number(),
  currency: Currency(),
  expires_at: Moment(),
  ui_mode: OneOf(UI_MODES),
  success_url: Url(),
  cancel_url: Url(),
}
const CheckoutSession = Type.Object(CREATED, { title: 'CheckoutSession' })

export const CheckoutSessionResponse = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String(),
    status: SessionStatus(),
    checkout_session: CheckoutSession,
    transaction: Type.Null(),
  },
  { title: 'CheckoutSessionResponse' },
)

/**
 * The transaction under the names of both variants that merchants may expect (CHK-35), so some members appear twice.
 */
export const Transaction = Type.Object(
  {
    id: Uuid(),
    transactionID: Uuid(),
    receipt_id: Nullable(Type.String()),
    receiptID: Type.Unsafe<string | null>({
      ...Nullable(Type.String()),
      description: '`null` when a card was only verified, and nothing was charged.',
    }),
    code: Type.String(),
    response_code: Type.String(),
    message: Type.String(),
    card: Type.String({ description: 'First six and last four digits.' }),
    association: Type.String({ description: 'The card network.' }),
    details: Type.Object({
      association: Type.String(),
      amount: Type.Number(),
      issuer_reference: Nullable(Type.String()),
      source: OneOf(['new_card', 'saved_card', 'google_pay']),
      first_bill_date: Type.Optional(
        Type.Unsafe<string>({
          ...Day(),
          description: 'Only of a subscription that begins later. Its card was verified, and `amount` is 0.',
        }),
      ),
    }),
  },
  { title: 'Transaction' },
)

const Consent = Type.Object(
  {
    terms_of_service: Nullable(OneOf(['accepted'])),
    promotions: Nullable(OneOf(['opt_in', 'opt_out'])),
    accepted_at: Moment(),
    ip: Type.String(),
  },
  { title: 'Consent', description: 'What the payer agreed to.' },
)

const Part = () => Type.Optional(Type.String())
const CollectedAddress = Type.Object(
  { name: Part(), line1: Part(), line2: Part(), city: Part(), state: Part(), postal_code: Part(), country: Part() },
  { title: 'CollectedAddress', description: 'The parts of an address that the payer entered.' },
)

const SignedUpFor = Type.Object(
  { interval: OneOf(SIGN_UP_INTERVALS), start_date: Nullable(Day()), name: Text() },
  { title: 'SignedUpFor', description: 'Terms as they were given, in mode `subscription`.' },
)

export const CheckoutSessionDetails = Type.Object(
  {
    ...CREATED,
    success_url: Nullable(Url()),
    cancel_url: Nullable(Url()),
    amount_subtotal: OptionalAmount(),
    amount_tax: OptionalAmount(),
    amount_discount: OptionalAmount(),
    customer_id: Nullable(Uuid()),
    customer_email: Text(),
    customer_named_by: Type.Unsafe<'merchant' | 'payer'>({
      ...OneOf(['merchant', 'payer']),
      description:
        '`merchant`: your server identified the customer. `payer`: the email was typed, so `customer_id` tells which customer the payment is recorded for, not who paid.',
    }),
    customer_name: Text(),
    mode: Mode(),
    description: Text(),
    client_reference_id: Text(),
    metadata: Metadata(),
    line_items: Type.Array(LineItem),
    discounts: Type.Array(Discount),
    billing_address_collection: CollectionOption(),
    shipping_address_collection: CollectionOption(),
    billing_address: Nullable(CollectedAddress),
    shipping_address: Nullable(CollectedAddress),
    consent_collection: Nullable(ConsentCollection),
    consent: Nullable(Consent),
    surcharge: Nullable(
      Type.Object(
        { rate: Type.Number(), amount: Nullable(Type.Number()) },
        { description: '`rate` in percent; `amount` is `null` until a payment is approved.' },
      ),
    ),
    subscription: Nullable(SignedUpFor),
    subscription_id: Nullable(
      Type.Unsafe<string>({ ...Uuid(), description: 'Id of the subscription that began, in mode `subscription`.' }),
    ),
    attempt_count: Type.Integer({ minimum: 0 }),
    max_attempts: Type.Integer(),
    last_decline: Nullable(
      Type.Object(
        { code: Nullable(Type.String()), message: Nullable(Type.String()) },
        { description: "The last decline, until a card is approved: the result code and the issuer's message." },
      ),
    ),
    created_at: Moment(),
    completed_at: Nullable(Moment()),
    canceled_at: Nullable(Moment()),
  },
  { title: 'CheckoutSessionDetails' },
)

export const CheckoutSessionDetailsResponse = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String(),
    status: SessionStatus(),
    checkout_session: CheckoutSessionDetails,
    transaction: Nullable(Transaction),
  },
  { title: 'CheckoutSessionDetailsResponse' },
)

const ListedCheckoutSession = Type.Object(
  {
    id: Uuid(),
    token: Token(),
    session_status: SessionStatus(),
    payment_status: OneOf(PAYMENT_STATUSES),
    amount_total: Type.Number(),
    currency: Currency(),
    ui_mode: OneOf(UI_MODES),
    mode: Mode(),
    customer: Nullable(Type.Object({ id: Nullable(Uuid()), name: Text(), email: Text() })),
    client_reference_id: Text(),
    description: Text(),
    attempt_count: Type.Integer({ minimum: 0 }),
    created_at: Moment(),
    expires_at: Moment(),
    completed_at: Nullable(Moment()),
    transaction: Nullable(Transaction),
  },
  { title: 'ListedCheckoutSession' },
)

export const CheckoutSessionListResponse = Type.Object(
  {
    ok: Type.Literal(true),
    message: Type.String(),
    checkout_sessions: Type.Object({
      data: Type.Array(ListedCheckoutSession),
      current_page: Type.Integer(),
      per_page: Type.Integer(),
      total: Type.Integer(),
      last_page: Type.Integer(),
      from: Nullable(Type.Integer()),
      to: Nullable(Type.Integer()),
      next_page_url: Nullable(Url()),
      prev_page_url: Nullable(Url()),
    }),
  },
  { title: 'CheckoutSessionListResponse' },
)
