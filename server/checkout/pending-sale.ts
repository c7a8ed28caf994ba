import type { SameCard } from '../customers/stored-card-queries.ts'
import type { Cents } from '../lib/money.ts'
import type { Operation } from '../payments/operation.ts'
import type { SaleServices } from '../payments/send-sale.ts'
import type { BinTable } from '../vault/bin-table.ts'
import type { Card } from '../vault/card.ts'
import type { CardTestingDefence } from './card-testing.ts'
import type { OpenSession } from './find-payable.ts'
import { savesCards } from './session-customer.ts'

export interface PayServices extends SaleServices {
  bins: BinTable
  cardTesting: CardTestingDefence
}

/** A sale that has been written down, and what is needed to write its answer. */
export interface PendingSale {
  open: OpenSession
  operation: Operation
  card: Card
  /** The same card, where it is on file of that customer and is to be kept again. */
  sameCard: SameCard | null
  /** What of the operation's amount is surcharge. */
  surchargeAmount: Cents
  /** Whose the card and the payment become; `null` until the payment makes the customer. */
  customerId: string | null
}

/**
 * The modal keeps every card (spec: «the card is tokenized automatically»), the form only when it is asked to; and both only for a
 * customer whom the merchant named. Otherwise `saveCard` is charged like any card.
 */
export function keepsCard({ open, card }: Pick<PendingSale, 'open' | 'card'>): boolean {
  const { session } = open
  return card.stored === null && savesCards(session) && (card.save || session.uiMode === 'rapid')
}
