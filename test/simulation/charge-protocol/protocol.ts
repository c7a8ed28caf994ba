/** The rules of the charge protocol that can be switched off, to see what each of them prevents. */
export type Protocol = {
  /** PAY-1, PAY-4: the operation is committed before the gateway is called. */
  intentFirst: boolean
  /** PAY-2: a unique index allows one open operation for a business key. */
  oneOpenOperation: boolean
  /** PAY-2: that index includes the won operation. */
  successOccupiesKey: boolean
  /** PAY-3: "already paid" is read in the transaction that inserts the operation. */
  paidReadInTransaction: boolean
  /** PAY-5: a sender that slept past its deadline does not send. */
  senderChecksDeadline: boolean
  /** PAY-6: a result is written only by the owner of the epoch, and only over an open state. */
  fencedResult: boolean
  /** PAY-7: what happens when the tries of recovery are used up: ask a human, or declare the charge failed. */
  exhausted: 'manual' | 'failed'
  /** PAY-8: an operation in doubt still occupies the business key. */
  inDoubtOccupiesKey: boolean
  /** PAY-12: references written as not charged are asked about again before their batch closes. */
  reconcile: boolean
  /** A worker looks for operations left open. */
  recovery: boolean
  /** What recovery does with an approval it finds: void it (customer present) or take it (scheduled charge). */
  policy: 'reverse' | 'adopt'
  /**
   * What "reference not found" means: `tombstone`, a void of it blocks a later charge; `final-after-wait`, it is final once
   * nothing can still arrive; `at-once`, it is taken as final immediately.
   */
  notFound: 'tombstone' | 'final-after-wait' | 'at-once'
}

/** All rules in force, for a customer who is present, at a gateway that can block a reference. */
export const FULL_PROTOCOL: Protocol = {
  intentFirst: true,
  oneOpenOperation: true,
  successOccupiesKey: true,
  paidReadInTransaction: true,
  senderChecksDeadline: true,
  fencedResult: true,
  exhausted: 'manual',
  inDoubtOccupiesKey: true,
  reconcile: false,
  recovery: true,
  policy: 'reverse',
  notFound: 'tombstone',
}
