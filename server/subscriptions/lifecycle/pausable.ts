import type { PauseMode } from '../pause.ts'
import { conflict, type LoadedSubscription } from '../subscription.ts'

/**
 * Checks whether the subscription can be paused now.
 *
 * @throws ApiError `conflict` if it cannot
 * @see SUB-10
 */
export function requirePausable({ subscription, pause, isCharging }: LoadedSubscription, mode: PauseMode): void {
  const { status, cancelAt } = subscription
  if (status !== 'active') throw conflict(`The subscription is ${status}. Only an active one can be paused.`)
  if (cancelAt !== null)
    throw conflict('The subscription is to be canceled at the end of its period. Take the cancel back to pause it.')
  if (pause !== null) throw conflict('A pause is scheduled already. Take it back to pause differently.')
  // Until the charge has an outcome, the paid time is unknown.
  if (mode === 'immediate' && isCharging)
    throw conflict('The subscription is being charged. Try again when the charge has an outcome.')
}
