import type { Bill } from '../bill.ts'
import {
  changeSubscription,
  type LifecycleServices,
  type Transition,
  type WhichSubscription,
} from '../lifecycle/change-subscription.ts'
import { dueAtOf } from '../lifecycle/due.ts'
import { openBill, skipElapsed } from '../lifecycle/open-bill.ts'
import { dayOf } from '../plan/calendar.ts'
import { conflict, installmentsRemaining, type LoadedSubscription, type Subscription } from '../subscription.ts'

/** `bill`: every missed date is billed, one per run. `skip`: elapsed periods are not billed, the running one is. */
export type MissedBills = 'bill' | 'skip'

/**
 * Ends the hold of a subscription that missed too much, as the merchant has decided.
 *
 * @throws ApiError `not_found`; `conflict` if the subscription is not held
 * @see BIL-11
 */
export function releaseCatchUp(
  services: LifecycleServices,
  { missed, ...which }: WhichSubscription & { missed: MissedBills },
): Promise<LoadedSubscription> {
  return changeSubscription(services, which, (loaded, now) => released(loaded, missed, now))
}

/**
 * Returns the bills that the decision leads to, oldest first, assuming that each is paid. The decision opens the first
 * one; the scheduler opens the others.
 *
 * @throws ApiError `conflict` if the subscription is not held
 * @see BIL-11
 */
export function billsAfterDecision(
  loaded: LoadedSubscription,
  missed: MissedBills,
  now: Date,
): { charged: Bill[]; skipped: Bill[] } {
  const free = freed(loaded, now)
  const { after, skipped } =
    missed === 'skip' ? skipElapsed(free.subscription, now) : { after: free.subscription, skipped: [] }
  const today = dayOf(now, after.timeZone)
  const left = installmentsRemaining(after) ?? Infinity
  const charged: Bill[] = []
  let subscription = after
  const isDue = ({ nextBillingDate: next }: Subscription) => next !== null && next <= today && charged.length < left
  while (isDue(subscription) || (missed === 'bill' && charged.length === 0)) {
    const opened = openBill({ ...free, subscription }, now)
    charged.push(opened.bill)
    subscription = opened.after
  }
  return { charged, skipped }
}

/**
 * Returns the subscription with the dates up to today decided. A date may have to wait for retries of an earlier bill;
 * that does not hold it again.
 */
function freed(loaded: LoadedSubscription, now: Date): LoadedSubscription {
  const { subscription } = loaded
  if (subscription.catchUpHeldAt === null) throw conflict('No missed bills of the subscription are held')
  const catchUpThrough = dayOf(now, subscription.timeZone)
  return { ...loaded, subscription: { ...subscription, catchUpHeldAt: null, catchUpThrough } }
}

function released(loaded: LoadedSubscription, missed: MissedBills, now: Date): Transition {
  const free = freed(loaded, now)
  const event = 'subscription.updated'
  if (missed === 'skip') {
    const { after, skipped } = skipElapsed(free.subscription, now)
    const dueAt = dueAtOf({ ...free, subscription: after })
    return { after: { ...after, dueAt }, bills: skipped, pauses: [], event }
  }
  const { after, bill } = openBill(free, now)
  const dueAt = dueAtOf({ ...free, subscription: after, bill })
  return { after: { ...after, dueAt }, bills: [bill], pauses: [], event }
}
