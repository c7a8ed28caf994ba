import type { Tx } from '../db/transaction.ts'
import type { NewEvent } from '../events/event.ts'
import type { FoundTransaction } from '../gateway/gateway.ts'
import { type ChargeOwnerKind, ON_RECOVERED_APPROVAL, type Operation } from './operation.ts'

/** Why a sale ended without money; `null` where the gateway did not say. */
export interface FailureReason {
  code?: string | null
  message?: string | null
}

interface Owner {
  kind: ChargeOwnerKind
  /** What a caller is told until the outcome is known, after "The payment could not be confirmed yet." */
  unconfirmedMessage: string
  /** The event of a sale that ended without its caller receiving a result; `null` where the owner has events of its own. */
  failed(sale: Operation, reason: FailureReason): Promise<NewEvent | null>
}

export interface ReversingOwner extends Owner {
  onRecoveredApproval: 'reverse'
}

export interface AdoptingOwner extends Owner {
  onRecoveredApproval: 'adopt'
  /**
   * Records the approval with whatever it pays: the owner's state, the payment, the event. Runs in the transaction that
   * finalizes the operation, before that statement, so that the owner's row is locked first, as by every charge. When another
   * writer has decided meanwhile, the transaction is rolled back.
   */
  adopt(tx: Tx, sale: Operation, found: FoundTransaction): Promise<void>
}

/**
 * What an operation belongs to. Checkout, saved-card sales and subscriptions each plug theirs in.
 *
 * @see PAY-20 to PAY-25
 */
export type ChargeOwner = ReversingOwner | AdoptingOwner

export type ChargeOwners = (kind: ChargeOwnerKind) => ChargeOwner

/** @throws Error when an operation names an owner that is not plugged in */
export function chargeOwners(owners: readonly ChargeOwner[]): ChargeOwners {
  const byKind = new Map(owners.map((owner) => [owner.kind, owner]))
  return (kind) => {
    const owner = byKind.get(kind)
    if (!owner) throw new Error(`No owner of charges is plugged in for "${kind}"`)
    if (owner.onRecoveredApproval !== ON_RECOVERED_APPROVAL[kind])
      throw new Error(`An approval found for "${kind}" must be ${ON_RECOVERED_APPROVAL[kind]}ed`)
    return owner
  }
}
