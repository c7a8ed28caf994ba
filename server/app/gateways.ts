import type { Config } from '../config.ts'
import { simulatorGateway } from '../gateway/adapters/simulator/simulator-gateway.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { SimulatorAccess } from '../gateway/simulator/access.ts'

const NOT_FOUND_FINAL_AFTER_MS = 120_000

/** Returns the gateways by the name that terminals have for them. */
export function configuredGateways(
  { timeScale }: Pick<Config, 'timeScale'>,
  simulator: SimulatorAccess,
): Record<string, Gateway> {
  return {
    simulator: simulatorGateway({ ...simulator, notFoundFinalAfterMs: NOT_FOUND_FINAL_AFTER_MS * timeScale }),
  }
}

export function gatewayNamed(gateways: Record<string, Gateway>, name: string): Gateway {
  const gateway = gateways[name]
  if (!gateway) throw new Error(`No gateway named ${name} is configured`)
  return gateway
}
