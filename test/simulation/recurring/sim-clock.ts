import type { Clock } from '../../../server/lib/clock.ts'

export interface SimClock extends Clock {
  ms(): number
  /** @throws for a time in the past */
  moveTo(ms: number): void
  /** Also back, for a test whose courses have nothing to do with each other. */
  set(ms: number): void
}

/** A clock that stands still until it is moved. */
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
