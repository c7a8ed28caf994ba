import type { FaultPoints } from '../lib/fault-points.ts'
import type { Operation } from '../payments/operation.ts'
import type { MoneyServices } from '../payments/undo-sale.ts'
import type { Card } from '../vault/card.ts'
import type { Vault } from '../vault/vault.ts'
import type { OpenSession } from './find-payable.ts'

export interface PayServices extends MoneyServices {
  vault: Vault
  faults: FaultPoints
}

/** A sale that has been written down, and what is needed to write its answer. */
export interface PendingSale {
  open: OpenSession
  operation: Operation
  card: Card
  /** Whose the card and the payment become; `null` until the payment makes the customer. */
  customerId: string | null
}

/** The modal keeps every card (spec: «the card is tokenized automatically»), the form only when it is asked to. */
export function keepsCard({ open, card }: Pick<PendingSale, 'open' | 'card'>): boolean {
  return card.stored === null && (card.save || open.session.uiMode === 'rapid')
}
