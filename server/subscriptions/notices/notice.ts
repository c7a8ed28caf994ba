import { v5 } from 'uuid'
import type { NewNotification } from '../../events/notification.ts'
import { type Day, instantOf } from '../plan/calendar.ts'
import type { LoadedSubscription } from '../subscription.ts'

export const DAY_SECONDS = 86_400

/** Progress of a business's notices. */
export interface NoticeProgress {
  /**
   * Subscriptions due before `until`, and those due at `until` whose id is not greater than `afterId`, have been
   * processed.
   */
  renewals: { until: Date; afterId: string } | null
  /** `afterId` is `null` once all cards of the month have been processed. */
  cards: { month: string; afterId: string | null } | null
}

/** Smaller than every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
/** Greater than every id. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Returns the day of the next bill, if the subscription is due for that and has been billed before; `null` while a bill
 * is open, or if a cancel or a pause comes first.
 */
export function renewalDay({ subscription, bill, pause }: Omit<LoadedSubscription, 'isCharging'>): Day | null {
  const { status, catchUpHeldAt, nextBillingDate, timeZone, cancelAt, paidBills } = subscription
  if (status !== 'active' || catchUpHeldAt !== null || nextBillingDate === null || bill || paidBills === 0) return null
  const at = instantOf(nextBillingDate, timeZone)
  const pauseAt = pause?.status === 'pending' ? pause.scheduledFor : null
  if ([cancelAt, pauseAt].some((boundary) => boundary && boundary <= at)) return null
  return nextBillingDate
}

/**
 * Returns the notice of a renewal. The same renewal always has the same id, so that it is recorded only once.
 *
 * @see LTR-18
 */
export function renewalNotice(
  { businessId, id }: { businessId: string; id: string },
  date: Day,
  createdAt: Date,
): NewNotification {
  const data = { subscription_id: id, date }
  return {
    businessId,
    id: v5(`upcoming_renewal ${id} ${date}`, businessId),
    type: 'subscription.upcoming_renewal',
    data,
    createdAt,
  }
}

export interface ExpiringCard {
  id: string
  month: number
  year: number
}

/** @see LTR-19 */
export function cardNotice(businessId: string, { id, month, year }: ExpiringCard, createdAt: Date): NewNotification {
  const data = { stored_card_id: id, exp_month: month, exp_year: year }
  return {
    businessId,
    id: v5(`card_expiring ${id} ${year}-${month}`, businessId),
    type: 'card.expiring',
    data,
    createdAt,
  }
}

/** Returns the month after that of a day. */
export function monthAfter(day: Day): { month: number; year: number; text: string } {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const next = month === 12 ? { month: 1, year: year + 1 } : { month: month + 1, year }
  return { ...next, text: `${next.year}-${String(next.month).padStart(2, '0')}` }
}
