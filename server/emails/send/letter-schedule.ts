import { addSeconds } from '../../lib/clock.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Delays after failed attempts, in seconds; the last one repeats. */
const DELAYS = [15, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR]
/** How long a letter is tried, from the first attempt. */
const TRIED_SECONDS = 24 * HOUR
const JITTER = 0.2

/** Time limit of an attempt. RFC 5321 lets servers take minutes for a message, and a duplicate is worse than a wait. */
export const ATTEMPT_SECONDS = 300
/** Longer than an attempt, so that a lease ends only if its process has ended. */
export const LEASE_SECONDS = ATTEMPT_SECONDS + 60

/**
 * Returns when a letter is tried again.
 *
 * @param random from 0 to 1
 * @returns `null` once it has been tried for a day (LTR-11)
 */
export function nextAttemptAt(
  { attempts, firstAttemptAt }: { attempts: number; firstAttemptAt: Date },
  { now, timeScale, random }: { now: Date; timeScale: number; random: number },
): Date | null {
  const end = addSeconds(firstAttemptAt, TRIED_SECONDS * timeScale)
  if (now >= end) return null
  const delay = (DELAYS[Math.min(attempts, DELAYS.length) - 1] ?? HOUR) * (1 + JITTER * (2 * random - 1)) * timeScale
  const next = addSeconds(now, delay)
  return next < end ? next : end
}
