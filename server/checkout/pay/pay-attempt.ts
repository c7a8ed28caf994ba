import type { Cents } from '../../lib/money.ts'
import type { PayerProof } from '../../three-d-secure/payer-proof.ts'
import type { Card } from '../../vault/card.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { NewPayerCustomer, PreparedCard } from './kept-card.ts'
import type { PayerInput } from './session-charge-queries.ts'

/** A validated payment with the data to record it. */
export interface PayAttempt {
  /** Id of the sale that charges the payment, if it is charged. */
  operationId: string
  loaded: LoadedSession
  card: Card
  /** Proof of the payer's 3-D Secure authentication; `null` if none was needed. */
  proof: PayerProof | null
  payer: PayerInput
  ip: string
  payerIpPrefix: string
  /** Customer that the approval creates, unless another customer has the e-mail address by then. */
  newCustomer: NewPayerCustomer | null
  /** Card that the approval stores; `null` if the card is not stored. */
  keptCard: PreparedCard | null
  /** Surcharge, in cents; included in the operation's amount. */
  surchargeAmount: Cents
  /** Owner of the card and the payment; `null` if the payment creates the customer. */
  customerId: string | null
}
