/** The rules of a merchant's refunds and voids. Each can be switched off to show what it prevents. */
export interface Rules {
  /** PAY-1, PAY-4: the operation is committed before the gateway is called. */
  intentFirst: boolean
  /** REF-3, REF-10: a unique index allows one open refund or void of a payment. */
  oneOpenOperation: boolean
  /** REF-2: status and rest are read under the payment's lock, in the transaction that inserts the operation. */
  readsUnderLock: boolean
  /** REF-3, REF-10: a refund needs a succeeded payment, a void one with nothing refunded. */
  checksStatus: boolean
  /** PAY-5: a sender that was suspended beyond its deadline does not send. */
  senderChecksDeadline: boolean
  /** PAY-6: an outcome is written, and a request is sent again, only by the owner of the epoch. */
  fencedByEpoch: boolean
  /** PAY-6: an outcome is written only over an open state. */
  fencedByState: boolean
  /** REF-7, REF-11: an unknown outcome stays open; otherwise it counts as failed. */
  unknownStaysOpen: boolean
  /** REC-8: "not found" is final, and a refund is sent again, only when nothing can still arrive. */
  waitsToResend: boolean
  /** REC-8: a request that recovery sends again counts as sent until its own deadline. */
  renewsDeadline: boolean
  /** REF-11: a refused void does not count as failed before an inquiry about the sale. */
  refusalIsChecked: boolean
  /**
   * REF-11: a void that is declined when it is sent again does not count as failed while an earlier one may still
   * arrive.
   */
  declineIsFinal: boolean
  /** Whether a caller is told that its request was not sent only while its process owns the outcome. */
  unsentIsFenced: boolean
  /** Whether a recovery worker exists. */
  recovery: boolean
  /** Rule of the gateway: a reference that it has is not processed again. Otherwise a second void is refused. */
  gatewayKnowsReference: boolean
}

export const ALL_RULES: Rules = {
  intentFirst: true,
  oneOpenOperation: true,
  readsUnderLock: true,
  checksStatus: true,
  senderChecksDeadline: true,
  fencedByEpoch: true,
  fencedByState: true,
  unknownStaysOpen: true,
  waitsToResend: true,
  renewsDeadline: true,
  refusalIsChecked: true,
  declineIsFinal: true,
  unsentIsFenced: true,
  recovery: true,
  gatewayKnowsReference: true,
}
