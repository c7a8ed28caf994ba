import { resolve } from 'node:path'
import { pluggedOwners } from '../app/charge-owners.ts'
import { configuredGateways, gatewayNamed } from '../app/gateways.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/connection.ts'
import { requireMigrated } from '../db/migrate.ts'
import type { SimulatorAccess } from '../gateway/simulator/access.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog } from '../log.ts'
import { gatewayTimings } from '../payments/operation.ts'
import type { PaymentServices } from '../payments/services.ts'
import { readSimulatorFile } from './simulator-file.ts'

/** Runs a command's work that calls a gateway. The running service resolves operations that a command leaves open. */
export async function withGateways<Result>(
  config: Config,
  { db, pool }: Database,
  work: (services: PaymentServices) => Promise<Result>,
): Promise<Result> {
  await requireMigrated(pool)
  const gateways = configuredGateways(config, await simulatorOf(config))
  try {
    return await work({
      db,
      gateways: (name) => gatewayNamed(gateways, name),
      owners: pluggedOwners({ db, clock: systemClock }),
      clock: systemClock,
      timings: gatewayTimings(config.timeScale),
      // Nothing is logged, because a command prints its findings.
      log: createLog('silent'),
      // The service looks for open operations every minute anyway.
      resolveSoon: async () => {},
      count: () => {},
      onVoided: async () => {
        throw new Error('a command resolves no void')
      },
    })
  } finally {
    await Promise.all(Object.values(gateways).map((gateway) => gateway.close()))
  }
}

/** Returns the simulator of the running service. Without one, each call fails to connect. */
async function simulatorOf({ simulator, simulatorPort, dataDir }: Config): Promise<SimulatorAccess> {
  if (simulator !== null) return simulator
  return (await readSimulatorFile(resolve(dataDir))) ?? { url: `http://127.0.0.1:${simulatorPort}`, secret: '' }
}
