import type { GatewayResult, SaleRequest } from '../../gateway/gateway.ts'
import type { FaultPoints } from '../../lib/fault-points.ts'
import type { Card } from '../../vault/card.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Operation } from '../operation.ts'
import { resolveByLateResult } from '../recovery/resolve-sale.ts'
import type { MoneyServices } from '../recovery/reverse-sale.ts'
import { callGateway } from './call-gateway.ts'

/** What a sale needs beside what every operation needs. */
export interface SaleServices extends MoneyServices {
  vault: Vault
  faults: FaultPoints
}

/** Step 2 of a sale: asks the gateway. Its response, or `unknown` after 15 seconds; what comes later settles the doubt. */
export async function sendSale(
  services: SaleServices,
  operation: Operation,
  { card, ...more }: { card: Card } & Pick<SaleRequest, 'customer' | 'storedCredential'>,
): Promise<GatewayResult> {
  const gateway = services.gateways(operation.gateway)
  const result = await callGateway(
    operation,
    (shared) =>
      gateway.sale({
        ...shared,
        amount: operation.amount,
        currency: operation.currency,
        source: { kind: 'pan', number: card.number.reveal(), expMonth: card.expMonth, expYear: card.expYear },
        ...(card.cvv && { cvv: card.cvv.reveal() }),
        billing: {
          ...(card.place.postalCode && { postalCode: card.place.postalCode }),
          ...(card.line1 && { line1: card.line1 }),
        },
        ...more,
      }),
    { ...services, onLateResult: (late) => resolveByLateResult(services, operation, late) },
  )
  services.faults.reach('after:gateway_result')
  return result
}
