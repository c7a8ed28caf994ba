// The cost of authenticating a caller by its secret key, without the rest of a request.
import { performance } from 'node:perf_hooks'
import { readApiKey } from '../server/access/keys/api-key.ts'
import { createApiKeys } from '../server/access/keys/api-keys.ts'
import { connect } from '../server/db/connection.ts'
import { systemClock } from '../server/lib/clock.ts'
import { createKeyring } from '../server/lib/keyring.ts'
import { KEPT_MS } from '../server/lib/ttl-cache.ts'
import { table } from './report.ts'

/** @param apiKey key of a service that runs with the master key of service-program.ts */
export async function measureKeyCheck(databaseUrl: string, apiKey: string): Promise<void> {
  const database = connect({ url: databaseUrl })
  const keyring = createKeyring([Buffer.alloc(32, 7)])
  let ms = 0
  const clock = { now: systemClock.now, monotonicMs: () => ms }
  const apiKeys = createApiKeys({ db: database.db, keyring, clock, environment: 'staging' })
  if (!(await apiKeys.find(apiKey))) throw new Error('The key is not known')
  const findLater = () => {
    ms += KEPT_MS
    return apiKeys.find(apiKey)
  }
  const broken = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`
  const rows = [
    ['known within the last second', await microseconds(100_000, () => apiKeys.find(apiKey))],
    ['looked up in the database', await microseconds(2_000, findLater)],
    ['its checksum is wrong', await microseconds(100_000, () => readApiKey(broken))],
  ].map(([name, cost]) => [String(name), String(cost)])
  console.log('\nA secret key is checked')
  console.log(table(['when it is', 'microseconds'], rows))
  await database.close()
}

async function microseconds(times: number, once: () => unknown): Promise<string> {
  for (let n = 0; n < times / 10; n++) await once()
  const start = performance.now()
  for (let n = 0; n < times; n++) await once()
  return (((performance.now() - start) * 1000) / times).toFixed(1)
}
