import Type, { type Static } from 'typebox'
import { PAYMENT_STATUSES, SESSION_MODES, SESSION_STATUSES, UI_MODES } from '../checkout-session.ts'
import { CheckoutSessionDetails, Transaction } from '../checkout-session-responses.ts'
import { Currency, Day, Email, EpochSeconds, Line, Nullable, OneOf, Paragraph, Uuid } from '../formats.ts'
import { ShownAuthentication } from './authentication.ts'
import { ExportBody } from './export.ts'
import { SESSION_COLUMNS } from './export-columns.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'
import type { ShownLink } from './shown-link.ts'

// The calls of the dashboard's pages about checkout sessions. A payment link is a session that a person of the business
// creates. Amounts are in cents, except in what the checkout API shows.

const Cents = () => Type.Integer({ minimum: 1, maximum: 99_999_999 })

const SESSION_FILTERS = {
  status: Type.Optional(OneOf(SESSION_STATUSES)),
  /** First and last day, both inclusive, in the time zone of the business. */
  from: Type.Optional(Day()),
  to: Type.Optional(Day()),
  ui_mode: Type.Optional(OneOf(UI_MODES)),
  mode: Type.Optional(OneOf(SESSION_MODES)),
  /** Words of a name or an e-mail address (DSH-175). */
  customer: Type.Optional(Line(255)),
  customer_id: Type.Optional(Uuid()),
  /** Lowest and highest total in cents, both inclusive. */
  amount_from: Type.Optional(Cents()),
  amount_to: Type.Optional(Cents()),
  reference: Type.Optional(Line(255)),
}

export const SessionsQuery = Type.Object({ ...DASHBOARD_PAGE, ...SESSION_FILTERS })
const Filters = Type.Object(SESSION_FILTERS)
export type SessionFilters = Static<typeof Filters>

export const SessionsExport = ExportBody(SESSION_FILTERS, SESSION_COLUMNS)

const SessionCustomer = Type.Object({
  id: Nullable(Uuid()),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
})

export const SessionRow = Type.Object({
  object: Type.Literal('checkout_session'),
  id: Uuid(),
  status: OneOf(SESSION_STATUSES),
  payment_status: OneOf(PAYMENT_STATUSES),
  /** Whether the card is only verified: PAID then means that nothing was owed. */
  charges_nothing: Type.Boolean(),
  amount_total: Type.Integer(),
  currency: Currency(),
  ui_mode: OneOf(UI_MODES),
  mode: OneOf(SESSION_MODES),
  customer: Type.Union([SessionCustomer, Type.Null()]),
  description: Nullable(Type.String()),
  client_reference_id: Nullable(Type.String()),
  attempt_count: Type.Integer(),
  max_attempts: Type.Integer(),
  created: EpochSeconds(),
  expires_at: EpochSeconds(),
  completed_at: Nullable(EpochSeconds()),
})
export type SessionRow = Static<typeof SessionRow>
const SessionList = DashboardList(SessionRow)

/** One attempt to pay. */
const SessionAttempt = Type.Object({
  id: Uuid(),
  /** `in_doubt`: the outcome is not known yet. `reversing`: it was approved too late, and is being reversed. */
  outcome: OneOf(['approved', 'declined', 'failed', 'in_doubt', 'reversing', 'reversed']),
  amount: Type.Integer(),
  brand: Nullable(Type.String()),
  last4: Nullable(Type.String()),
  code: Nullable(Type.String()),
  message: Nullable(Type.String()),
  created: EpochSeconds(),
})
export type SessionAttempt = Static<typeof SessionAttempt>

/** The session as the checkout API shows it; `view` has what the page needs in addition. */
const SessionDetail = Type.Object({
  ...CheckoutSessionDetails.properties,
  /** Token and URL are in the response of the call that creates a link; otherwise a separate call shows them. */
  token: Nullable(Type.String()),
  checkout_url: Nullable(Type.String()),
  object: Type.Literal('checkout_session'),
  transaction: Type.Union([Transaction, Type.Null()]),
  view: Type.Object({
    amount_total: Type.Integer(),
    amount_subtotal: Nullable(Type.Integer()),
    amount_tax: Nullable(Type.Integer()),
    amount_discount: Nullable(Type.Integer()),
    amount_surcharge: Nullable(Type.Integer()),
    created: EpochSeconds(),
    expires_at: EpochSeconds(),
    completed_at: Nullable(EpochSeconds()),
    canceled_at: Nullable(EpochSeconds()),
    customer: Type.Union([SessionCustomer, Type.Null()]),
    attempts: Type.Array(SessionAttempt),
    /** Authentications by 3-D Secure, oldest first. */
    authentications: Type.Array(ShownAuthentication),
    payment: Nullable(Uuid()),
    charges_nothing: Type.Boolean(),
    /** Day of the first bill of a subscription that begins later. */
    first_bill_date: Nullable(Day()),
    /** Whether a person created it in the dashboard. */
    is_payment_link: Type.Boolean(),
  }),
})
export type SessionDetail = Static<typeof SessionDetail>

/** A new payment link; at least one of e-mail and customer is required. */
export const PaymentLinkCreate = Type.Object({
  amount_total: Cents(),
  customer_id: Type.Optional(Uuid()),
  customer_email: Type.Optional(Email()),
  customer_name: Type.Optional(Line(255)),
  description: Type.Optional(Paragraph(255)),
  client_reference_id: Type.Optional(Line(255)),
  surcharge: Type.Optional(Type.Boolean()),
})

export const PaymentLinkCancel = Type.Object({ reason: Type.Optional(Paragraph(255)) })

export interface SessionsApi {
  'GET /checkout_sessions': { query: Partial<Static<typeof SessionsQuery>>; response: Static<typeof SessionList> }
  'POST /checkout_sessions/export': { body: Static<typeof SessionsExport>; response: string }
  'POST /checkout_sessions': { body: Static<typeof PaymentLinkCreate>; response: SessionDetail }
  'GET /checkout_sessions/{id}': { response: SessionDetail }
  /** Returns the link where the session is paid, while it can be paid. */
  'POST /checkout_sessions/{id}/show_link': { response: ShownLink }
  'POST /checkout_sessions/{id}/cancel': { body: Static<typeof PaymentLinkCancel>; response: SessionDetail }
}
