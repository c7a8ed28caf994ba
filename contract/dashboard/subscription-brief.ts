import Type, { type Static } from 'typebox'
import { Currency, EpochSeconds, Nullable, OneOf, Uuid } from '../formats.ts'
import { SUBSCRIPTION_STATUSES } from '../subscription.ts'

/** A subscription as a line on a page about something else. */
export const SubscriptionBrief = Type.Object({
  id: Uuid(),
  status: OneOf(SUBSCRIPTION_STATUSES),
  /** The products: `Gold × 2, Silver`. */
  description: Type.String(),
  /** Amount of each bill, in cents. */
  amount: Type.Integer(),
  currency: Currency(),
  interval: OneOf(['day', 'week', 'month', 'year']),
  interval_count: Type.Integer(),
  /** Day as `YYYY-MM-DD` in its time zone; `null` while nothing is billed. */
  next_billing_date: Nullable(Type.String()),
  /** Time of the next attempt on a declined bill; `null` if none is planned. */
  next_retry_at: Nullable(EpochSeconds()),
  payment_method: Nullable(Uuid()),
  contract: Nullable(Uuid()),
  created: EpochSeconds(),
})
export type SubscriptionBrief = Static<typeof SubscriptionBrief>
