/** The rules of settlements. Each can be switched off to show what it prevents. */
export interface Rules {
  /** REF-21: the intent is committed before the gateway is called. */
  intentFirst: boolean
  /** REF-21: a settlement names the gateway's batch. Otherwise the gateway settles whatever is open. */
  namesBatch: boolean
  /** REF-21: recovery inquires about the batch that was named, not about the open one. */
  inquiresByName: boolean
  /** REF-20: a settlement begins only on a batch that is open, which its transaction has locked. */
  oneSettlement: boolean
  /** PAY-6: an outcome is written only by the owner of the epoch. */
  fencedByEpoch: boolean
  /** PAY-6: an outcome is written only over an open state. */
  fencedByState: boolean
  /** REF-16: an unknown outcome stays open; otherwise it counts as failed. */
  unknownStaysOpen: boolean
  /** REC-8: an open batch is final only when nothing can still arrive. */
  waitsForArrival: boolean
  /** PAY-5: a sender that was suspended beyond its deadline does not send. */
  senderChecksDeadline: boolean
  /** REF-20: recorded payments join their batch with the intent; otherwise with the result. */
  joinsWithIntent: boolean
  /**
   * REF-20: for transactions that were sent before a settlement and recorded after it, the gateway says in which batch
   * they are.
   */
  asksForAmbiguous: boolean
  /** Whether a recovery worker exists. */
  recovery: boolean
}

export const ALL_RULES: Rules = {
  intentFirst: true,
  namesBatch: true,
  inquiresByName: true,
  oneSettlement: true,
  fencedByEpoch: true,
  fencedByState: true,
  unknownStaysOpen: true,
  waitsForArrival: true,
  senderChecksDeadline: true,
  joinsWithIntent: true,
  asksForAmbiguous: true,
  recovery: true,
}
