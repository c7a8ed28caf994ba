// One webhook worker in its own process. Its argument is the URL of the database.
import { pino } from 'pino'
import { connect } from '../server/db/connection.ts'
import { deliveryTimings } from '../server/events/delivery/delivery.ts'
import { createDeliveryWorker } from '../server/events/delivery/delivery-worker.ts'
import { systemClock } from '../server/lib/clock.ts'
import { noFaults } from '../server/lib/fault-points.ts'
import { createKeyring } from '../server/lib/keyring.ts'
import { BENCH_MASTER_KEY } from './webhook-rows.ts'

const [url = ''] = process.argv.slice(2)
createDeliveryWorker({
  db: connect({ url }).db,
  clock: systemClock,
  log: pino({ level: 'warn' }, pino.destination(2)),
  keyring: createKeyring([BENCH_MASTER_KEY]),
  environment: 'staging',
  subscriptionLink: null,
  faults: noFaults,
  timings: deliveryTimings(1),
  webhookTargets: { environment: 'staging', ownOrigins: [] },
  countDelivery: () => {},
}).start()
