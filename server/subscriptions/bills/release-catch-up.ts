import {
  changeSubscription,
  type LifecycleServices,
  type Transition,
  type WhichSubscription,
} from '../lifecycle/change-subscription.ts'
import { dueAtOf } from '../lifecycle/due.ts'
import { openBill, skipElapsed } from '../lifecycle/open-bill.ts'
import { conflict, type LoadedSubscription } from '../subscription.ts'

/** `bill`: every missed date is billed, one a run. `skip`: periods that are over are not billed, the running one is. */
export type MissedBills = 'bill' | 'skip'

/**
 * Ends the hold of a subscription that missed too much, as the merchant decides.
 *
 * @throws ApiError `not_found`; `conflict` when it is not held
 * @see BIL-11
 */
export function releaseCatchUp(
  services: LifecycleServices,
  { missed, ...which }: WhichSubscription & { missed: MissedBills },
): Promise<LoadedSubscription> {
  return changeSubscription(services, which, (loaded, now) => released(loaded, missed, now))
}

function released(loaded: LoadedSubscription, missed: MissedBills, now: Date): Transition {
  if (loaded.subscription.catchUpHeldAt === null) throw conflict('No missed bills of the subscription are held')
  const free = { ...loaded, subscription: { ...loaded.subscription, catchUpHeldAt: null } }
  const event = 'subscription.updated'
  if (missed === 'skip') {
    const { after, skipped } = skipElapsed(free.subscription, now)
    const dueAt = dueAtOf({ ...free, subscription: after })
    return { after: { ...after, dueAt }, bills: skipped, pauses: [], event }
  }
  // The oldest is opened here: the dates after it only wait for an open bill, so that they are not held again.
  const { after, bill } = openBill(free, now)
  const dueAt = dueAtOf({ ...free, subscription: after, bill })
  return { after: { ...after, dueAt }, bills: [bill], pauses: [], event }
}
