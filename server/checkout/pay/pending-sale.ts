import type { NewCustomer } from '../../customers/customer-queries.ts'
import type { NewStoredCard } from '../../customers/stored-card-queries.ts'
import type { Cents } from '../../lib/money.ts'
import type { SaleServices } from '../../payments/charge/send-sale.ts'
import type { Operation } from '../../payments/operation.ts'
import type { BinTable } from '../../vault/bin-table.ts'
import type { Card } from '../../vault/card.ts'
import type { SealedCard } from '../../vault/sealed-card.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import { savesCards } from '../sessions/session-customer.ts'
import type { CardTestingDefence } from './card-testing.ts'

export interface PayServices extends SaleServices {
  bins: BinTable
  cardTesting: CardTestingDefence
}

/** The approval says when. */
export type NewPayerCustomer = Omit<NewCustomer, 'createdAt'>

/** A card that is sealed already, before anything is sent. */
export interface PreparedCard {
  stored: Omit<NewStoredCard, 'createdAt' | 'networkTransactionId'>
  sealed: SealedCard
}

/** A sale that has been written down, and what is needed to write its response. */
export interface PendingSale {
  open: LoadedSession
  operation: Operation
  card: Card
  /** Made with the approval, unless somebody has the e-mail by then. */
  newCustomer: NewPayerCustomer | null
  /** Stored with the approval. */
  keptCard: PreparedCard | null
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
