/** The rules of the charge protocol. Each can be switched off to show what it prevents. */
export type Protocol = {
  /** PAY-1, PAY-4: the operation is committed before the gateway is called. */
  intentFirst: boolean
  /** PAY-2: a unique index allows one open operation for a business key. */
  oneOpenOperation: boolean
  /** PAY-2: that index includes the approved operation. */
  successOccupiesKey: boolean
  /** PAY-3: "already paid" is read in the transaction that inserts the operation. */
  paidReadInTransaction: boolean
  /** PAY-5: a sender that was suspended beyond its deadline does not send. */
  senderChecksDeadline: boolean
  /** PAY-6: a result is written only by the owner of the epoch. */
  fencedByEpoch: boolean
  /** PAY-6: a result is written only over an open state. */
  fencedByState: boolean
  /** REC-1: what is to be reversed is recorded before its void is sent. */
  recordsReversalFirst: boolean
  /** PAY-7: the end of recovery's inquiries: alert an operator, or declare the charge failed. */
  exhausted: 'manual' | 'failed'
  /** PAY-8: an IN_DOUBT operation still occupies the business key. */
  inDoubtOccupiesKey: boolean
  /** PAY-12: written-off references are inquired about again before their batch is settled. */
  reconcile: boolean
  /** Number of recovery workers. Two of them have the same operation if a lease ends while one of them is suspended. */
  workers: 0 | 1 | 2
  /** Whether the gateway approves in part, and whether a result may come after the caller had its response. */
  partials: boolean
  lateResults: boolean
  /** What recovery does with an approval: reverse it (customer present) or adopt it (scheduled charge). */
  policy: 'reverse' | 'adopt'
  /**
   * The meaning of "not found": `tombstone`, a void of the reference blocks a later charge; `final-after-wait`, it is
   * final once nothing can still arrive; `at-once`, it is final immediately.
   */
  notFound: 'tombstone' | 'final-after-wait' | 'at-once'
}

/** All rules in force, with the customer present, at a gateway that can block a reference. */
export const FULL_PROTOCOL: Protocol = {
  intentFirst: true,
  oneOpenOperation: true,
  successOccupiesKey: true,
  paidReadInTransaction: true,
  senderChecksDeadline: true,
  fencedByEpoch: true,
  fencedByState: true,
  recordsReversalFirst: true,
  exhausted: 'manual',
  inDoubtOccupiesKey: true,
  reconcile: false,
  workers: 1,
  partials: true,
  lateResults: true,
  policy: 'reverse',
  notFound: 'tombstone',
}
