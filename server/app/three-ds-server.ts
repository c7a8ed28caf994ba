import type { Config } from '../config.ts'
import type { SimulatorAccess } from '../gateway/simulator/access.ts'
import { threeDsIoServer } from '../three-d-secure/adapters/three-ds-io/three-ds-io-server.ts'
import { MESSAGE_VERSIONS, type MessageVersion, type ThreeDsServer } from '../three-d-secure/three-ds-server.ts'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
/** Acquirer of terminals without one, in staging. */
const TEST_ACQUIRER = { acquirerBin: '400000', acquirerMerchantId: '000000000000001', categoryCode: '5999' }

/**
 * Returns the configured 3-D Secure server; in staging without one, that of the simulator; in production without one,
 * `null`: payers cannot be authenticated.
 *
 * @see TDS-18
 */
export function configuredThreeDsServer(
  config: Pick<Config, 'environment' | 'threeDsServer' | 'simulatorPublicUrl' | 'dashboardUrl'>,
  simulator: SimulatorAccess,
): ThreeDsServer | null {
  const { environment, threeDsServer, simulatorPublicUrl } = config
  const versions = usableVersions(config)
  if (environment === 'production') return threeDsServer && threeDsIoServer({ ...threeDsServer, versions })
  const { url, key } = threeDsServer ?? { url: `${simulator.url}/3ds`, key: simulator.secret }
  const bank = new URL(simulatorPublicUrl ?? simulator.url).hostname
  return threeDsIoServer({ url, key, plainHosts: [...LOOPBACK, bank], versions, testAcquirer: TEST_ACQUIRER })
}

/**
 * Returns the usable versions. Version 2.3.1 posts the browser back to HTTPS only; the simulator also trusts this
 * machine without it.
 */
function usableVersions({
  dashboardUrl,
  threeDsServer,
}: Pick<Config, 'dashboardUrl' | 'threeDsServer'>): readonly MessageVersion[] {
  const { protocol, hostname } = new URL(dashboardUrl)
  const isTrusted = protocol === 'https:' || (threeDsServer === null && LOOPBACK.includes(hostname))
  return isTrusted ? MESSAGE_VERSIONS : MESSAGE_VERSIONS.filter((version) => version !== '2.3.1')
}
