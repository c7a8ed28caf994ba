import type { PauseRequest } from '../../../contract/subscription.ts'
import { newId } from '../../lib/ids.ts'
import type { Pause } from '../pause.ts'
import { instantOf } from '../plan/calendar.ts'
import { prepaidTimeAt } from '../plan/prepaid.ts'
import type { LoadedSubscription } from '../subscription.ts'
import {
  changeSubscription,
  type LifecycleServices,
  type Transition,
  type WhichSubscription,
} from './change-subscription.ts'
import { findCoveringPayment } from './covering-payment.ts'
import { rescheduled } from './due.ts'
import { paused } from './end-billing.ts'
import { requirePausable } from './pausable.ts'
import { checkChoices, unusedTimeMissing } from './pause-choices.ts'
import { endOfRunningPeriod } from './running-period.ts'

/**
 * Pauses a subscription now, or schedules a pause for the end of the running period. Moves no money.
 *
 * @throws ApiError `validation_failed`; `not_found`; `conflict`
 * @see SUB-14 to SUB-18
 */
export async function pauseSubscription(
  services: LifecycleServices,
  { body, ...which }: WhichSubscription & { body: PauseRequest },
): Promise<LoadedSubscription> {
  const mode = checkChoices(body)
  return changeSubscription(services, which, async (loaded, now) => {
    requirePausable(loaded, mode)
    return mode === 'immediate' ? pausedNow(services, loaded, body, now) : pausedAtPeriodEnd(loaded, body, now)
  })
}

async function pausedNow(
  { db }: LifecycleServices,
  loaded: LoadedSubscription,
  body: PauseRequest,
  now: Date,
): Promise<Transition> {
  const { subscription } = loaded
  const covering = await findCoveringPayment(db, subscription)
  const { remainingSeconds } = prepaidTimeAt({ at: now, zone: subscription.timeZone, covering })
  if (remainingSeconds > 0 && body.unused_time_behavior === undefined) throw unusedTimeMissing()
  const pause: Pause = {
    ...newPause(body, now),
    mode: 'immediate',
    status: 'active',
    paidThroughAt: subscription.paid?.throughAt ?? null,
    remainingPaidSeconds: remainingSeconds,
  }
  return { ...paused(loaded, pause, now), event: 'subscription.paused' }
}

function pausedAtPeriodEnd(loaded: LoadedSubscription, body: PauseRequest, now: Date): Transition {
  const { subscription } = loaded
  const scheduledFor = instantOf(endOfRunningPeriod(subscription, now), subscription.timeZone)
  const pause: Pause = { ...newPause(body, now), mode: 'period_end', status: 'pending', scheduledFor }
  return {
    after: rescheduled({ ...loaded, pause }),
    bills: [],
    pauses: [pause],
    event: 'subscription.pause_scheduled',
  }
}

function newPause(body: PauseRequest, now: Date): Omit<Pause, 'mode' | 'status'> {
  return {
    id: newId(),
    reason: body.reason ?? null,
    unusedTimeBehavior: body.unused_time_behavior ?? null,
    scheduledFor: null,
    pausedAt: null,
    paidThroughAt: null,
    remainingPaidSeconds: 0,
    refundConfirmed: body.refund_confirmed ?? false,
    refundReference: body.refund_reference ?? null,
    refundNote: body.refund_note ?? null,
    resumeMode: null,
    resumedAt: null,
    createdAt: now,
  }
}
