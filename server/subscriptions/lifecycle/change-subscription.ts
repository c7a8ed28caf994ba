import type { EventType } from '../../../contract/event.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { changeEvent } from '../../events/change-event.ts'
import type { NewEvent } from '../../events/event.ts'
import type { Clock } from '../../lib/clock.ts'
import { saveChange } from '../change-queries.ts'
import { conflict, type LoadedSubscription, noSuchSubscription } from '../subscription.ts'
import { type DetailServices, readObject } from '../subscription-details.ts'
import { findSubscription } from '../subscription-queries.ts'
import { changedTo, type Ending } from './end-billing.ts'
import { passBoundary } from './pass-boundary.ts'

export interface LifecycleServices extends DetailServices {
  clock: Clock
}

export interface WhichSubscription {
  business: Business
  id: string
}

/** Change with the event that reports it. */
export interface Transition extends Ending {
  event: EventType
}

/**
 * Decides a change. May be called several times for one change.
 *
 * @param now in the business's time
 * @returns `null` if nothing changes
 * @throws ApiError `conflict` if the state does not allow the change
 */
export type Decide = (loaded: LoadedSubscription, now: Date) => Transition | null | Promise<Transition | null>

/** In practice, no more writers than this compete for one subscription. */
const ATTEMPTS_MAX = 20

/**
 * Changes a subscription. What has fallen due is applied first, so that an undo after the start of a scheduled pause is
 * refused even before the scheduler has processed it.
 *
 * @returns the subscription as it is now, changed or not
 * @throws ApiError `not_found`; `conflict`; any error of `decide`
 * @see SUB-11, BIL-28
 */
export async function changeSubscription(
  services: LifecycleServices,
  { business, id }: WhichSubscription,
  decide: Decide,
): Promise<LoadedSubscription> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const loaded = await findSubscription(services.db, business.id, id)
    if (!loaded) throw noSuchSubscription()
    const now = businessNow(services.clock, business)
    const due = passBoundary(loaded, now)
    const transition = due ?? (await decide(loaded, now))
    if (transition === null) return loaded
    const changed = await saveTransition(services, loaded, transition, now)
    if (changed && due === null) return changed
  }
  throw conflict('The subscription is being changed by other requests. Try again.')
}

/** Returns the subscription after applying what has fallen due (SUB-11). */
export function findCurrentSubscription(
  services: LifecycleServices,
  which: WhichSubscription,
): Promise<LoadedSubscription> {
  return changeSubscription(services, which, () => null)
}

/**
 * Returns the subscription with what has fallen due applied but not written, for previews and pages: the scheduler
 * writes it.
 *
 * @throws ApiError `not_found`
 */
export async function readCurrentSubscription(
  { db, clock }: Pick<LifecycleServices, 'db' | 'clock'>,
  { business, id }: WhichSubscription,
): Promise<LoadedSubscription> {
  const loaded = await findSubscription(db, business.id, id)
  if (!loaded) throw noSuchSubscription()
  return asOf(loaded, businessNow(clock, business))
}

/** Applies what has fallen due to a subscription of a list, without writing it. */
export function asOf(loaded: LoadedSubscription, now: Date): LoadedSubscription {
  const due = passBoundary(loaded, now)
  return due ? changedTo(loaded, due) : loaded
}

/** @returns `null` if another writer has changed the subscription first */
export async function saveTransition(
  services: DetailServices,
  before: LoadedSubscription,
  transition: Transition,
  now: Date,
): Promise<LoadedSubscription | null> {
  const changed = changedTo(before, transition)
  const event = await transitionEvent(services, { before, changed, type: transition.event, createdAt: now })
  const { after, bills, pauses } = transition
  const isSaved = await saveChange(services.db, { before, after, bills, pauses, events: event ? [event] : [] })
  return isSaved ? changed : null
}

/** @returns the event; `null` if the change does not show in the object */
export async function transitionEvent(
  services: DetailServices,
  change: { before: LoadedSubscription; changed: LoadedSubscription; type: EventType; createdAt: Date },
): Promise<NewEvent | null> {
  const { before, changed, type, createdAt } = change
  const { businessId } = before.subscription
  const [old, object] = [await readObject(services, before), await readObject(services, changed)]
  return changeEvent({ businessId, type, before: old, after: object, createdAt })
}
