import type { GatewayResult } from '../../gateway/gateway.ts'
import { callGateway } from '../call-gateway.ts'
import { cardSource } from '../card-source.ts'
import { resolveByLateResult } from '../recovery/resolve-sale.ts'
import type { ChargeServices } from '../services.ts'
import type { ChargePlan } from './charge-plan.ts'

/** Step 2: calls the gateway once. Returns `unknown` after 15 seconds; a later result is handled by recovery. */
export async function sendSale(
  services: ChargeServices,
  { operation, card, proof, request }: Pick<ChargePlan<unknown, unknown>, 'operation' | 'card' | 'proof' | 'request'>,
): Promise<GatewayResult> {
  const gateway = services.gateways(operation.gateway)
  const result = await callGateway(
    operation,
    (shared) =>
      gateway.sale({
        ...shared,
        amount: operation.amount,
        currency: operation.currency,
        ...cardSource(card, proof),
        ...request,
      }),
    { ...services, onLateResult: (late) => resolveByLateResult(services, operation, late) },
  )
  services.faults.reach('after:gateway_result')
  return result
}
