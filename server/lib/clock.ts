/** Time is passed to use cases as a parameter, so that a year can pass in a test. */
export interface Clock {
  now(): Date
  /** Returns milliseconds that never go back, for deadlines. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}

export function addSeconds(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000)
}

/** Returns the time format of the merchant API: whole seconds since 1970. */
export function epochSeconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}
