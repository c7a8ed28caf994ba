import { addSeconds } from '../../lib/clock.ts'
import { retryAfterSeconds } from '../../lib/retry-after.ts'
import type { Attempt, ClaimedDelivery, DeliveryTimings } from './delivery.ts'

/** What follows an attempt. */
export type AttemptResult =
  | { status: 'succeeded' }
  /** `isGone`: the receiver wants no more deliveries. */
  | { status: 'failed'; isGone: boolean }
  | { status: 'pending'; dueAt: Date }

const GONE = 410
/** Statuses for which `Retry-After` is respected. */
const BUSY = [429, 503]
/**
 * Fraction by which a delay varies in both directions, so that endpoints that failed together are not retried together.
 */
const JITTER = 0.2

/**
 * Decides what follows an attempt.
 *
 * @param now when the attempt ended
 * @param random at least 0, less than 1
 * @see EVT-8, EVT-9
 */
export function attemptResult(
  { response }: Attempt,
  { retries }: Pick<ClaimedDelivery, 'retries'>,
  { timings, now, random = Math.random() }: { timings: DeliveryTimings; now: Date; random?: number },
): AttemptResult {
  const status = response?.status ?? 0
  if (status >= 200 && status < 300) return { status: 'succeeded' }
  const delay = timings.retrySeconds[retries]
  if (status === GONE || delay === undefined) return { status: 'failed', isGone: status === GONE }
  const seconds = delay * (1 - JITTER + 2 * JITTER * random)
  const wanted = response && BUSY.includes(status) ? (retryAfterSeconds(response.retryAfter, now) ?? 0) : 0
  return {
    status: 'pending',
    dueAt: addSeconds(now, Math.max(seconds, Math.min(wanted, timings.retryAfterMaxSeconds))),
  }
}
