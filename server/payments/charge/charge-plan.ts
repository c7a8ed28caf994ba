import type { CheckResults } from '../../gateway/check-results.ts'
import type { ApprovedResult, DeclinedResult, GatewayResult, SaleRequest } from '../../gateway/gateway.ts'
import type { Cents } from '../../lib/money.ts'
import type { PayerProof } from '../../three-d-secure/payer-proof.ts'
import type { Card } from '../../vault/card.ts'
import type { CheckPolicy } from '../check-policy.ts'
import type { NewSale } from '../new-operation.ts'
import type { OperationTrigger } from '../operation.ts'

/** One charge of a card: what is sent, and how its owner records each step. `Begun` is the result of `begin`. */
export interface ChargePlan<Begun, Response> {
  operation: NewSale
  card: Card
  /** Proof of the payer's 3-D Secure authentication; absent if none was needed. */
  proof?: PayerProof | null
  request: Pick<SaleRequest, 'customer' | 'storedCredential'>
  /** Policy that an approval must satisfy; absent or `null` if every approval counts. */
  checkPolicy?: CheckPolicy | null
  /**
   * Locks the owner's row, checks it and inserts the operation, in one statement. Returns `null` if the owner cannot be
   * charged now.
   */
  begin(): Promise<Begun | null>
  approve(result: ApprovedResult, begun: Begun): Recording<Response>
  decline(result: Declined, begun: Begun): Recording<Response>
}

/** How an outcome is recorded, and the response that is returned once it is durable. */
export interface Recording<Response> {
  trigger: OperationTrigger
  /** Runs one fenced, repeatable statement. Returns `false` if another writer decided the outcome first. */
  write(): Promise<boolean>
  response: Response
  /** Called after the commit. Must not throw. */
  recorded?(): Promise<void>
}

/**
 * A decline, a partial approval, or an approval that the policy of the business refuses. Any amount approved in the
 * latter two cases is reversed.
 */
export type Declined = Pick<Extract<GatewayResult, { outcome: 'declined' | 'partial' }>, 'code' | 'message'> &
  (
    | ({ outcome: 'declined'; gatewayRef?: string; advice?: DeclinedResult['advice'] } & CheckResults)
    | { outcome: 'partial'; gatewayRef: string; approvedAmount: Cents }
    | ({ outcome: 'against policy' } & Omit<ApprovedResult, 'outcome' | 'code' | 'message'>)
  )
