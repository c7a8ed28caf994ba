import type { Cents } from '../../lib/money.ts'
import type { PayerProof } from '../../three-d-secure/payer-proof.ts'
import type { Card } from '../../vault/card.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { NewPayerCustomer, PreparedCard } from './kept-card.ts'
import type { PayerInput } from './session-charge-queries.ts'

/** A validated payment with the data to record it. */
export interface SessionPayment {
  /** Of the sale that charges it, when it is charged. */
  operationId: string
  loaded: LoadedSession
  card: Card
  /** Of the payer's authentication; `null` when none was needed. */
  proof: PayerProof | null
  payer: PayerInput
  ip: string
  payerIpPrefix: string
  /** Created with the approval, unless a customer has the e-mail address by then. */
  newCustomer: NewPayerCustomer | null
  /** Stored with the approval. */
  keptCard: PreparedCard | null
  /** The part of the operation's amount that is surcharge. */
  surchargeAmount: Cents
  /** The owner of the card and the payment; `null` when the payment creates the customer. */
  customerId: string | null
}
