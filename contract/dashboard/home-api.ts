import Type, { type Static } from 'typebox'
import { Currency, Day, EpochSeconds, Nullable, OneOf, Uuid } from '../formats.ts'
import { PAYMENT_ROW_STATUSES } from './payment-row.ts'

// The calls of the first page: what needs a person, and figures of the business.

export const HomeQuery = Type.Object({ currency: Type.Optional(Currency()) })

const Count = Type.Integer({ minimum: 0 })
const Cents = Type.Integer()

/** Figures of one day of the business. Amounts in cents. */
const DayFigures = Type.Object({
  day: Day(),
  /** Approved payments that are not voided. */
  approved: Count,
  approved_amount: Cents,
  /** Declined attempts. */
  failed: Count,
  failed_amount: Cents,
  /** Refunds made on this day, whenever the payment was. */
  refunded: Count,
  refunded_amount: Cents,
})
export type DayFigures = Static<typeof DayFigures>

/** A row of the payments: declined and open attempts are included. */
const LatestPayment = Type.Object({
  id: Uuid(),
  amount: Cents,
  refunded_amount: Cents,
  currency: Currency(),
  status: OneOf(PAYMENT_ROW_STATUSES),
  customer_name: Nullable(Type.String()),
  card: Nullable(Type.Object({ brand: Type.String(), last4: Type.String() })),
  created: EpochSeconds(),
})

const LatestEvent = Type.Object({ id: Uuid(), type: Type.String(), created: EpochSeconds() })

const Home = Type.Object({
  object: Type.Literal('home'),
  currency: Currency(),
  /** Currencies for which the business has a terminal, its own currency first. */
  currencies: Type.Array(Currency()),
  counted_at: EpochSeconds(),
  today: DayFigures,
  /** The same weekday a week ago, up to the same time of day. */
  week_ago: DayFigures,
  /** Why payments failed today: the most frequent result codes. */
  failures: Type.Array(Type.Object({ code: Type.String(), count: Count })),
  /** Sessions opened today, and how many of them are paid. */
  sessions: Type.Object({ opened: Count, paid: Count }),
  /** Days, oldest first, today last. */
  days: Type.Array(DayFigures),
  /** Payments in every currency, newest first. */
  latest_payments: Type.Array(LatestPayment),
  latest_events: Type.Array(LatestEvent),
  /** Remaining steps before a first payment; `null` after it. */
  first_steps: Nullable(Type.Object({ has_session: Type.Boolean() })),
})
export type Home = Static<typeof Home>

/** Alerts that need a person (DSH-25), in the order of the page. */
export const ALERT_KINDS = [
  'card_testing',
  'key_in_page',
  'token_in_page',
  'operations_in_doubt',
  'settlement_unknown',
  'settlement_failed',
  'findings',
  'missed_bills',
  'contract_unsigned',
  'endpoint_disabled',
  'endpoint_failing',
  'job_failed',
  'cards_expiring',
  'owner_without_second_factor',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

const Alert = Type.Object({
  kind: OneOf(ALERT_KINDS),
  /** Number of objects that the alert is about. */
  count: Count,
  /** When the oldest one began; `null` if that was not recorded. */
  since: Nullable(EpochSeconds()),
  /** When it ends by itself; `null` if it does not. */
  until: Nullable(EpochSeconds()),
  /** The object that the alert is about, if it is exactly one. */
  object: Nullable(Type.Object({ type: Type.String(), id: Uuid() })),
  /** Name for people: a URL, a customer, a job, an owner. */
  name: Nullable(Type.String()),
  /**
   * For `key_in_page` and `token_in_page`: when a page last sent it, and the page's origin if the browser named one.
   */
  seen: Nullable(Type.Object({ at: EpochSeconds(), origin: Nullable(Type.String()) })),
  /** For `missed_bills`: what `bill` would charge. Every date is charged separately, one a minute. */
  missed: Nullable(
    Type.Object({
      from: Day(),
      bills: Count,
      /** Amount of each bill, in cents. */
      amount: Cents,
      currency: Currency(),
      /** How many of them `skip` would leave out because their period is over. */
      elapsed: Count,
    }),
  ),
})
export type Alert = Static<typeof Alert>

const Alerts = Type.Object({ object: Type.Literal('list'), data: Type.Array(Alert) })

export interface HomeApi {
  'GET /home': { query: Static<typeof HomeQuery>; response: Home }
  'GET /alerts': { response: Static<typeof Alerts> }
}
