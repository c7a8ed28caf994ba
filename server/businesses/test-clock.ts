import type { TestClockAdvance } from '../../contract/test-clock.ts'
import { addSeconds } from '../lib/clock.ts'
import { invalidField } from '../lib/errors.ts'

// A business's test clock is an offset to real time, in whole seconds, that only grows. Sessions and billing follow it;
// credentials, rate limits and recovery do not (OPS-18).

/** Maximum offset: ten years in total. */
export const OFFSET_SECONDS_MAX = 10 * 366 * 86_400

const UNITS = { to: 1, seconds: 1, days: 86_400 } as const

/**
 * Returns the time that an advance asks for.
 *
 * @param now the business's time
 * @param offsetSeconds current offset of the clock
 * @throws ApiError `validation_failed`
 * @see OPS-21
 */
export function targetOf(input: TestClockAdvance, now: Date, offsetSeconds: number): Date {
  const [sent, ...more] = (['to', 'seconds', 'days'] as const).filter((name) => input[name] !== undefined)
  if (sent === undefined) throw invalidField('to', 'is missing: send one of `to`, `seconds` and `days`')
  if (more[0] !== undefined) throw invalidField(more[0], `cannot be sent with \`${sent}\`: send one of them`)
  const value = input[sent] ?? 0
  const target = sent === 'to' ? new Date(value * 1_000) : addSeconds(now, value * UNITS[sent])
  const current = Math.floor(now.getTime() / 1_000)
  // Compared in seconds: `to` can then be a time that the clock has just shown.
  if (sent === 'to' && value < current) throw invalidField('to', `is in the past: the clock is at ${current}`)
  const latest = addSeconds(now, OFFSET_SECONDS_MAX - offsetSeconds)
  // A time beyond the range of `Date` is `NaN`, which is not greater either.
  if (!(target <= latest)) {
    throw invalidField(sent, `is too far: a test clock is at most ten years ahead of real time, ${epoch(latest)}`)
  }
  return target
}

const epoch = (instant: Date) => Math.floor(instant.getTime() / 1_000)

/** Returns the offset at which the business's time has reached an instant, or is less than a second beyond it. */
export function offsetFor(instant: Date, realNow: Date): number {
  return Math.ceil((instant.getTime() - realNow.getTime()) / 1_000)
}
