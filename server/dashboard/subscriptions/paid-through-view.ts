import type { PaidThrough } from '../../../contract/dashboard/subscription-views.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { dayOf, instantOf } from '../../subscriptions/plan/calendar.ts'
import type { Subscription } from '../../subscriptions/subscription.ts'

/**
 * Returns the end of the paid time. Preserved time may end at any second of a day, all other time at the beginning of
 * one.
 */
export function paidThroughView({ paid, timeZone }: Subscription): PaidThrough {
  if (paid === null || paid.paymentId === null) return { paid_through: null, paid_through_at: null }
  const day = dayOf(paid.throughAt, timeZone)
  const isWholeDay = instantOf(day, timeZone).getTime() === paid.throughAt.getTime()
  return { paid_through: day, paid_through_at: isWholeDay ? null : epochSeconds(paid.throughAt) }
}
