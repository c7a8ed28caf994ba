import Type, { type Static } from 'typebox'
import { Day, EpochSeconds, Nullable, OneOf, Uuid } from '../formats.ts'
import { PAYMENT_TRIGGERS } from '../payment.ts'
import { DASHBOARD_PAGE } from './list.ts'

// A row of the payments is one attempt to take money: a sale that was sent to the gateway, with the payment that came
// of it and with what was given back of that. So declined and open attempts are rows too. Its id is that of the
// payment, or of the sale where no payment came of it; both find it.

/**
 * `failed`: declined by the issuer. `pending`: the outcome is being resolved. `reversed`: approved, and given back at
 * once because its caller had got no result. `not_charged`: the gateway never charged it.
 */
export const PAYMENT_ROW_STATUSES = [
  'succeeded',
  'partially_refunded',
  'refunded',
  'voided',
  'failed',
  'pending',
  'reversed',
  'not_charged',
] as const
export type PaymentRowStatus = (typeof PAYMENT_ROW_STATUSES)[number]

/** `sale`: a charge of a saved card by the merchant. */
export const PAYMENT_KINDS = ['session', 'sale', 'subscription'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

const CARD_BRANDS = ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay'] as const

const Cents = Type.Integer({ minimum: 0 })
export const DashboardCurrency = OneOf(['usd', 'cad'])

/** Who paid; `id` is `null` for a payer who was not saved as a customer. */
export const Payer = Type.Object({
  id: Nullable(Uuid()),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
})

export const ShownCard = Type.Object({
  brand: Type.String(),
  first6: Nullable(Type.String()),
  last4: Type.String(),
  /** The stored card. */
  payment_method: Nullable(Uuid()),
})

export const PaymentRow = Type.Object({
  id: Uuid(),
  object: Type.Literal('payment'),
  status: OneOf(PAYMENT_ROW_STATUSES),
  kind: OneOf(PAYMENT_KINDS),
  /** The sale. */
  operation: Uuid(),
  amount: Cents,
  surcharge_amount: Cents,
  tax_amount: Cents,
  refunded_amount: Cents,
  /** Reserved by a refund that is being resolved. */
  refund_pending_amount: Cents,
  currency: DashboardCurrency,
  /** Of the gateway; `null` until it has responded. */
  code: Nullable(Type.String()),
  message: Nullable(Type.String()),
  customer: Nullable(Payer),
  card: Nullable(ShownCard),
  session: Nullable(Uuid()),
  subscription: Nullable(Uuid()),
  trigger: Nullable(OneOf(PAYMENT_TRIGGERS)),
  /** Of a bill, from 1. */
  attempt: Nullable(Type.Integer()),
  /** The bill's number in its plan; `of` is `null` without an end. */
  installment: Nullable(Type.Object({ number: Type.Integer(), of: Nullable(Type.Integer()) })),
  /** Of a session: what the merchant wrote. */
  description: Nullable(Type.String()),
  reference: Nullable(Type.String()),
  /** What the issuer found of the address and of the security code: one letter; `null`: it was not said. */
  avs_result: Nullable(Type.String()),
  cvv_result: Nullable(Type.String()),
  receipt_id: Nullable(Type.String()),
  /** `null` also while its batch is open. */
  batch: Nullable(Uuid()),
  batch_number: Nullable(Type.Integer()),
  created: EpochSeconds(),
})
export type PaymentRow = Static<typeof PaymentRow>

const AMOUNT_MAX = 99_999_999

/** Days are those of the business. All that are given must match. */
export const PAYMENT_FILTERS = {
  status: Type.Optional(OneOf(PAYMENT_ROW_STATUSES)),
  kind: Type.Optional(OneOf(PAYMENT_KINDS)),
  from: Type.Optional(Day()),
  to: Type.Optional(Day()),
  amount_from: Type.Optional(Type.Integer({ minimum: 0, maximum: AMOUNT_MAX })),
  amount_to: Type.Optional(Type.Integer({ minimum: 0, maximum: AMOUNT_MAX })),
  currency: Type.Optional(DashboardCurrency),
  brand: Type.Optional(OneOf(CARD_BRANDS)),
  last4: Type.Optional(Type.String({ pattern: '^[0-9]{4}$' })),
  code: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{1,4}$' })),
  trigger: Type.Optional(OneOf(PAYMENT_TRIGGERS)),
  batch: Type.Optional(Uuid()),
  customer: Type.Optional(Uuid()),
  subscription: Type.Optional(Uuid()),
  /** The sale, or a refund or a void of it, has no outcome yet. */
  open: Type.Optional(Type.Boolean()),
}

export const PaymentsQuery = Type.Object({ ...DASHBOARD_PAGE, ...PAYMENT_FILTERS })
const FILTERS = Type.Object(PAYMENT_FILTERS)
export type PaymentFilters = Static<typeof FILTERS>
