import type { Clock } from '../../../server/lib/clock.ts'

export interface SimClock extends Clock {
  ms(): number
  /** @throws for a time in the past */
  moveTo(ms: number): void
  /** Sets the time, also to the past, for a test whose courses are independent of each other. */
  set(ms: number): void
}

/** Returns a clock that stands still until it is moved. */
export function simClock(startMs: number): SimClock {
  let current = startMs
  return {
    now: () => new Date(current),
    monotonicMs: () => current,
    ms: () => current,
    moveTo(ms) {
      if (ms < current) throw new RangeError('The clock of a simulation never goes back')
      current = ms
    },
    set(ms) {
      current = ms
    },
  }
}
