import Type, { type Static } from 'typebox'
import { Day, EpochSeconds, Nullable, OneOf, Uuid } from '../formats.ts'
import { PAYMENT_TRIGGERS } from '../payment.ts'
import { DASHBOARD_PAGE } from './list.ts'

// A row of the payments is one attempt to take money: a sale that was sent to the gateway, with the resulting payment
// and its refunds. So declined and open attempts are rows too. The id of a row is the payment's, or the sale's without
// a payment; both ids find it.

/**
 * `failed`: declined by the issuer. `pending`: the outcome is being resolved. `reversed`: approved, and reversed at
 * once because the caller had received no result. `not_charged`: the gateway never charged it.
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

/** The payer; `id` is `null` for a payer who was not saved as a customer. */
export const Payer = Type.Object({
  id: Nullable(Uuid()),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
})

export const ShownCard = Type.Object({
  brand: Type.String(),
  first6: Nullable(Type.String()),
  last4: Type.String(),
  /** Id of the stored card. */
  payment_method: Nullable(Uuid()),
})

export const PaymentRow = Type.Object({
  id: Uuid(),
  object: Type.Literal('payment'),
  status: OneOf(PAYMENT_ROW_STATUSES),
  kind: OneOf(PAYMENT_KINDS),
  /** Id of the sale. */
  operation: Uuid(),
  amount: Cents,
  surcharge_amount: Cents,
  tax_amount: Cents,
  refunded_amount: Cents,
  /** Amount reserved by a refund that is being resolved. */
  refund_pending_amount: Cents,
  currency: DashboardCurrency,
  /** Result code of the gateway; `null` until it has responded. */
  code: Nullable(Type.String()),
  message: Nullable(Type.String()),
  customer: Nullable(Payer),
  card: Nullable(ShownCard),
  session: Nullable(Uuid()),
  subscription: Nullable(Uuid()),
  trigger: Nullable(OneOf(PAYMENT_TRIGGERS)),
  /** Number of the attempt on a bill, from 1. */
  attempt: Nullable(Type.Integer()),
  /** The bill's number in its plan; `of` is `null` for a plan without an end. */
  installment: Nullable(Type.Object({ number: Type.Integer(), of: Nullable(Type.Integer()) })),
  /** Description of the session, as the merchant wrote it. */
  description: Nullable(Type.String()),
  reference: Nullable(Type.String()),
  /**
   * The issuer's results for the address and the security code, one letter each; `null` if the issuer did not send one.
   */
  avs_result: Nullable(Type.String()),
  cvv_result: Nullable(Type.String()),
  receipt_id: Nullable(Type.String()),
  /** Id of the settled batch; `null` also while the batch is open. */
  batch: Nullable(Uuid()),
  batch_number: Nullable(Type.Integer()),
  created: EpochSeconds(),
})
export type PaymentRow = Static<typeof PaymentRow>

const AMOUNT_MAX = 99_999_999

/** Filters; all that are given must match. Days are in the time zone of the business. */
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
  /** Whether the sale, or a refund or void of it, has no outcome yet. */
  open: Type.Optional(Type.Boolean()),
}

export const PaymentsQuery = Type.Object({ ...DASHBOARD_PAGE, ...PAYMENT_FILTERS })
const FILTERS = Type.Object(PAYMENT_FILTERS)
export type PaymentFilters = Static<typeof FILTERS>
