import { addSeconds, type Clock, systemClock } from '../../server/lib/clock.ts'

/** The real time plus an offset that a test may increase. */
export interface MovableClock extends Clock {
  advance(seconds: number): void
}

export function movableClock(): MovableClock {
  let ahead = 0
  return {
    now: () => addSeconds(systemClock.now(), ahead),
    monotonicMs: () => systemClock.monotonicMs() + ahead * 1000,
    advance(seconds) {
      ahead += seconds
    },
  }
}
