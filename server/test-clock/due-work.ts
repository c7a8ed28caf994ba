/** What was done, by the names of the response. */
export interface Ran {
  bills: number
  approved: number
  declined: number
  expired_sessions: number
}

/** Business of one kind that falls due at instants in the business's time. */
export interface DueWork {
  /** @returns the first instant after `after` at which something falls due; `null` when nothing is to come */
  nextAt(businessId: string, after: Date): Promise<Date | null>
  /**
   * Does what is due by the business's time, as the workers would.
   *
   * @param since the business's time when the advance began: what fell due before is the workers'
   */
  run(businessId: string, since: Date): Promise<Partial<Ran>>
  /** Work that is due and waits for an outcome that only the gateway knows. */
  countWaiting?(businessId: string): Promise<number>
}
