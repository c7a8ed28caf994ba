import { addSeconds } from '../../lib/clock.ts'
import {
  type Authentication,
  CHALLENGE_TIMEOUT_MS,
  OPEN_CHALLENGE_SECONDS,
} from '../../three-d-secure/authentication.ts'

/** State of a step. `none`: the authentication does not have it, or not yet. `over`: it had it. */
export type StepState = 'open' | 'over' | 'none'

/** Whether the issuer's method may run: once, before the request to the directory server. */
export function methodState(
  { methodUrl, state, methodDoneAt, expiresAt }: Authentication,
  { now, isSessionOpen }: Moment,
): StepState {
  if (methodUrl === null) return 'none'
  const isOpen = isSessionOpen && state === 'STARTED' && methodDoneAt === null && now < expiresAt
  return isOpen ? 'open' : 'over'
}

/**
 * Whether the challenge may be shown: it must be opened within 30 seconds and takes at most 10 minutes (TDS-9).
 * Meanwhile, the browser may reload it.
 */
export function challengeState(authentication: Authentication, { now, isSessionOpen }: Moment): StepState {
  const { challengeUrl, state, challengedAt, challengeOpenedAt, expiresAt } = authentication
  if (challengeUrl === null || challengedAt === null) return 'none'
  const isBack = authentication.challengeReturnedAt !== null || authentication.challengeCanceledAt !== null
  const seconds = challengeOpenedAt === null ? OPEN_CHALLENGE_SECONDS : CHALLENGE_TIMEOUT_MS / 1000
  const isInTime = now < addSeconds(challengedAt, seconds) && now < expiresAt
  return isSessionOpen && state === 'CHALLENGE' && !isBack && isInTime ? 'open' : 'over'
}

interface Moment {
  /** Current time of the business. */
  now: Date
  isSessionOpen: boolean
}
