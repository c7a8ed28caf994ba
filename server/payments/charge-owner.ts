import type { Tx } from '../db/transaction.ts'
import type { NewEvent } from '../events/event.ts'
import type { DeclinedResult, FoundTransaction } from '../gateway/gateway.ts'
import { type ChargeOwnerKind, ON_RECOVERED_APPROVAL, type Operation } from './operation.ts'

/** Why a sale failed; a field is `null` if the gateway did not provide it. */
export interface FailureReason {
  code?: string | null
  message?: string | null
}

interface Owner {
  kind: ChargeOwnerKind
  /** The second sentence of the `gateway_timeout` message, after "The payment could not be confirmed yet." */
  unconfirmedMessage: string
  /** Returns the event of a sale whose caller got no result and that failed; `null` if the owner records its own. */
  failed(sale: Operation, reason: FailureReason): Promise<NewEvent | null>
}

/** A decline, or a partial approval that is reversed, found for a charge whose caller got no result. */
export interface FoundDecline {
  kind: 'declined'
  code: string
  message: string
  advice: DeclinedResult['advice']
}

export interface ReversingOwner extends Owner {
  onRecoveredApproval: 'reverse'
  /**
   * Records what such a decline records in addition to the operation when its result arrives in time. Runs in the same
   * transaction and order as `adopt`. Absent if there is nothing to record.
   */
  declined?(tx: Tx, sale: Operation, decline: FoundDecline): Promise<void>
}

/** How a sale ended that took no money, or whose money is returned. */
export type Unpaid =
  | FoundDecline
  /** Not caused by the payer: the gateway has no such sale, or provably nothing was sent. */
  | { kind: 'not charged' }

export interface AdoptingOwner extends Owner {
  onRecoveredApproval: 'adopt'
  /**
   * Records the approval: the owner's state, the payment, the event. Runs in the transaction that finalizes the
   * operation, before that statement, so that the owner's row is locked first, as in every charge. The transaction is
   * rolled back if another writer has decided the outcome first.
   */
  adopt(tx: Tx, sale: Operation, found: FoundTransaction): Promise<void>
  /** Records, in the same way, that the sale took no money, if the charge itself did not record that. */
  release(tx: Tx, sale: Operation, unpaid: Unpaid): Promise<void>
}

/**
 * The business object that an operation charges for. Checkout, saved-card sales and subscriptions each register one.
 *
 * @see PAY-20 to PAY-25
 */
export type ChargeOwner = ReversingOwner | AdoptingOwner

export type ChargeOwners = (kind: ChargeOwnerKind) => ChargeOwner

/** @throws Error when an operation has an owner that is not registered */
export function chargeOwners(owners: readonly ChargeOwner[]): ChargeOwners {
  const byKind = new Map(owners.map((owner) => [owner.kind, owner]))
  return (kind) => {
    const owner = byKind.get(kind)
    if (!owner) throw new Error(`No charge owner is registered for "${kind}"`)
    if (owner.onRecoveredApproval !== ON_RECOVERED_APPROVAL[kind])
      throw new Error(`The charge owner "${kind}" must ${ON_RECOVERED_APPROVAL[kind]} a recovered approval`)
    return owner
  }
}
