import type { Config } from '../config.ts'
import type { SimulatorAccess } from '../gateway/simulator/access.ts'
import { threeDsIoServer } from '../three-d-secure/adapters/three-ds-io/three-ds-io-server.ts'
import type { ThreeDsServer } from '../three-d-secure/three-ds-server.ts'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
/** Of terminals without an acquirer, in staging. */
const TEST_ACQUIRER = { acquirerBin: '400000', acquirerMerchantId: '000000000000001', categoryCode: '5999' }

/**
 * The configured 3-D Secure server; in staging, without one, that of the simulator. `null` in production without one:
 * payers cannot be authenticated.
 *
 * @see TDS-18
 */
export function configuredThreeDsServer(
  config: Pick<Config, 'environment' | 'threeDsServer' | 'simulatorPublicUrl'>,
  simulator: SimulatorAccess,
): ThreeDsServer | null {
  const { environment, threeDsServer, simulatorPublicUrl } = config
  if (environment === 'production') return threeDsServer && threeDsIoServer(threeDsServer)
  const { url, key } = threeDsServer ?? { url: `${simulator.url}/3ds`, key: simulator.secret }
  const bank = new URL(simulatorPublicUrl ?? simulator.url).hostname
  return threeDsIoServer({ url, key, plainHosts: [...LOOPBACK, bank], testAcquirer: TEST_ACQUIRER })
}
