import { conflict, type LoadedSubscription } from '../subscription.ts'
import {
  changeSubscription,
  type LifecycleServices,
  type Transition,
  type WhichSubscription,
} from './change-subscription.ts'
import { rescheduled } from './due.ts'

/**
 * Takes back a scheduled pause. The billing days stay the same.
 *
 * @throws ApiError `not_found`; `conflict` if no pause is scheduled, or if it has taken effect
 * @see SUB-21
 */
export function undoPause(services: LifecycleServices, which: WhichSubscription): Promise<LoadedSubscription> {
  return changeSubscription(services, which, (loaded): Transition => {
    const { pause } = loaded
    if (pause?.status !== 'pending')
      throw conflict(pause ? 'The pause has taken effect. Resume the subscription instead.' : 'No pause is scheduled.')
    return {
      after: rescheduled({ ...loaded, pause: null }),
      bills: [],
      pauses: [{ ...pause, status: 'canceled' }],
      event: 'subscription.pause_undone',
    }
  })
}
