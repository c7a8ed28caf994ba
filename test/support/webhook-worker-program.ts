// A webhook worker in a separate process, for tests that kill it. Its arguments: the URL of the database, the factor of
// its times, and a fault point, or none. It reports when it has started, and when it has claimed something.
import { inspect } from 'node:util'
import { connect } from '../../server/db/connection.ts'
import { type DeliveryServices, deliveryTimings } from '../../server/events/delivery/delivery.ts'
import { createDeliveryWorker } from '../../server/events/delivery/delivery-worker.ts'
import { systemClock } from '../../server/lib/clock.ts'
import { type FaultPoints, killAt } from '../../server/lib/fault-points.ts'
import { createKeyring } from '../../server/lib/keyring.ts'
import { WEBHOOK_MASTER_KEY } from './webhook-master-key.ts'

const [url = '', timeScale = '1', fault = ''] = process.argv.slice(2)
const print = (...what: unknown[]) => process.stderr.write(`${inspect(what)}\n`)
const log = { warn: print, error: print } as unknown as DeliveryServices['log']
const timings = deliveryTimings(Number(timeScale))

let hasClaimed = false
const reportsFirstClaim: FaultPoints = {
  reach() {
    if (!hasClaimed) process.send?.('claimed')
    hasClaimed = true
  },
}

createDeliveryWorker({
  db: connect({ url, max: 2 }).db,
  clock: systemClock,
  log,
  keyring: createKeyring([WEBHOOK_MASTER_KEY]),
  environment: 'staging',
  subscriptionLink: null,
  faults: fault === '' ? reportsFirstClaim : killAt(fault),
  timings: { ...timings, pollMs: 30, retrySeconds: Array<number>(1_000).fill(0.05) },
  webhookTargets: { environment: 'staging', ownOrigins: [] },
  countDelivery: () => {},
}).start()
process.send?.('started')
