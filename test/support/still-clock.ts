import { addSeconds, type Clock, systemClock } from '../../server/lib/clock.ts'

/** A clock that stands still until a test moves it, for exact seconds and days. */
export interface StillClock extends Clock {
  /** Sets it to an instant, which may be in the past. */
  set(instant: string | Date): void
  advance(seconds: number): void
}

export function stillClock(start: string): StillClock {
  let now = new Date(start)
  return {
    now: () => now,
    monotonicMs: () => systemClock.monotonicMs(),
    set(instant) {
      now = new Date(instant)
    },
    advance(seconds) {
      now = addSeconds(now, seconds)
    },
  }
}
