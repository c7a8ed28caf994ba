import { newSecret } from '../gateway/simulator/access.ts'
import { type RunningSimulator, type StartOptions, startSimulator } from '../gateway/simulator/start-simulator.ts'
import { openThreeDsSimulator } from '../three-d-secure/simulator/three-ds-simulator.ts'

export interface StartBothOptions extends StartOptions {
  environment: 'staging' | 'production'
  /** Origin at which payers' browsers reach the simulated bank; by default, the simulator's own. */
  publicUrl?: string
}

/**
 * Starts the simulated gateway, and on the same port and with the same secret the simulated 3-D Secure server
 * (`/3ds/…`) and bank (`/sim/acs/…`).
 *
 * @throws in production, and with `EADDRINUSE` if the port is taken
 */
export async function startSimulators(options: StartBothOptions): Promise<RunningSimulator> {
  const { environment, publicUrl, secret = newSecret(), timeScale = 1 } = options
  const threeDs = openThreeDsSimulator({ environment, secret, timeScale, publicUrl: () => publicUrl ?? gateway.url })
  const gateway = await startSimulator({ ...options, secret, beside: threeDs.handle })
  return gateway
}
