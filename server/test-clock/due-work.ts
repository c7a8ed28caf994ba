/** Counts of what was done, named as in the response. */
export interface Ran {
  bills: number
  approved: number
  declined: number
  expired_sessions: number
}

/** Work of one kind that falls due at instants in the business's time. */
export interface DueWork {
  /** @returns the first instant after `after` at which something falls due; `null` if nothing will */
  nextAt(businessId: string, after: Date): Promise<Date | null>
  /**
   * Does what is due by the business's time, like the workers.
   *
   * @param since the business's time when the advance began: earlier work is left to the workers
   */
  run(businessId: string, since: Date): Promise<Partial<Ran>>
  /** Counts work that is due but waits for an outcome that only the gateway knows. */
  countWaiting?(businessId: string): Promise<number>
}
