/** Time as it is given to operations, so that a year can pass in a test. */
export interface Clock {
  now(): Date
  /** Milliseconds that never jump back: for deadlines. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}

export function addSeconds(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000)
}

/** How the merchant API says when: whole seconds since 1970. */
export function epochSeconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}
