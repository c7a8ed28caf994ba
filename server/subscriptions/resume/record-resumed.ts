import type { ResumedSubscription } from '../../../contract/subscription.ts'
import { changeEvent } from '../../events/change-event.ts'
import { type NewEvent, newEvent } from '../../events/event.ts'
import type { Outcome } from '../../payments/outcome-queries.ts'
import { type NewPayment, paymentObject } from '../../payments/payment.ts'
import { changedTo } from '../lifecycle/end-billing.ts'
import type { LoadedSubscription } from '../subscription.ts'
import { type DetailServices, readDetails } from '../subscription-details.ts'
import { type SubscriptionDetails, subscriptionObject } from '../subscription-object.ts'
import { lockSubscription } from '../subscription-queries.ts'
import type { ResumeOffer } from './resumable.ts'
import { recordPaidResume } from './resume-queries.ts'
import type { ClaimedKey } from './resume-request-queries.ts'
import { completed, type PaidResume, resumedPaid } from './resumed.ts'

interface PaidOffer {
  offer: ResumeOffer
  payment: NewPayment
  outcome: Outcome
  claim: ClaimedKey | null
  /** Current time in the business's time. */
  now: Date
}

/**
 * Records an approved resume charge, in an open transaction.
 *
 * @returns `null` if another writer has already decided the outcome
 */
export async function recordResumed(
  services: DetailServices,
  { offer, payment, outcome, claim, now }: PaidOffer,
): Promise<ResumedSubscription | null> {
  const { businessId, id } = offer.paused.subscription
  const loaded = await lockSubscription(services.db, businessId, id)
  if (!loaded) throw new Error('the subscription of a resume is missing')
  const resumed = resumedPaid(loaded, offer, { paymentId: payment.id, billId: payment.billId ?? '', now })
  const details = (await readDetails(services, [loaded]))(loaded)
  const { changed, events } = eventsOf(loaded, resumed, details, now)
  const paid = paymentObject(payment)
  const about = { businessId, objectId: payment.id, data: { object: paid }, createdAt: now }
  const change = {
    before: loaded,
    after: changed.subscription,
    bills: resumed.bills,
    pauses: resumed.pauses,
    events: [newEvent({ ...about, type: 'payment.succeeded' }), ...events],
  }
  const body = { ...subscriptionObject(changed, details), payment: paid }
  const isWritten = await recordPaidResume(services.db, change, {
    outcome,
    payment,
    claim,
    response: { status: 200, body },
  })
  return isWritten ? body : null
}

/**
 * Returns the events. A plan whose last installment is paid is resumed and completed at once: two events, each with its
 * own change.
 */
function eventsOf(
  loaded: LoadedSubscription,
  resumed: PaidResume,
  details: SubscriptionDetails,
  createdAt: Date,
): { changed: LoadedSubscription; events: NewEvent[] } {
  const { businessId } = loaded.subscription
  const active = changedTo(loaded, resumed)
  if (resumed.isCanceled) return { changed: active, events: [] }
  const shown = (one: LoadedSubscription) => subscriptionObject(one, details)
  const about = { businessId, createdAt }
  const event = changeEvent({ ...about, type: 'subscription.resumed', before: shown(loaded), after: shown(active) })
  if (!resumed.isCompleted) return { changed: active, events: event ? [event] : [] }
  const ended = { ...active, subscription: completed(active.subscription, createdAt) }
  const end = changeEvent({ ...about, type: 'subscription.completed', before: shown(active), after: shown(ended) })
  return { changed: ended, events: [event, end].filter((one) => one !== null) }
}
