import type { ApprovedResult, GatewayResult, SaleRequest } from '../../gateway/gateway.ts'
import type { Cents } from '../../lib/money.ts'
import type { Card } from '../../vault/card.ts'
import type { NewSale } from '../new-operation.ts'
import type { OperationTrigger } from '../operation.ts'

/** One charge of a card: what is sent, and how its owner records each step. `Begun` is what the first step yields. */
export interface ChargePlan<Begun, Response> {
  operation: NewSale
  card: Card
  request: Pick<SaleRequest, 'customer' | 'storedCredential'>
  /** One statement: locks what is paid, checks it, inserts the operation. `null` when it may not be paid now. */
  begin(): Promise<Begun | null>
  /** What the caller receives then: a response that was kept, or the refusal, thrown. */
  blocked(): Promise<Response>
  approve(result: ApprovedResult, begun: Begun): Recording<Response>
  decline(result: Declined, begun: Begun): Recording<Response>
}

/** How an outcome is recorded, and what the caller receives once it is durable. */
export interface Recording<Response> {
  trigger: OperationTrigger
  /** One fenced statement, safe to repeat. `false` when another writer has decided meanwhile. */
  write(): Promise<boolean>
  response: Response
  /** After the commit; must not throw. */
  recorded?(): Promise<void>
}

/** A partial approval is a decline whose part is reversed. */
export type Declined = Pick<Extract<GatewayResult, { outcome: 'declined' | 'partial' }>, 'code' | 'message'> &
  ({ outcome: 'declined'; gatewayRef?: string } | { outcome: 'partial'; gatewayRef: string; approvedAmount: Cents })
