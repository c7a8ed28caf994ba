// A worker that charges due bills, in a separate process, for tests that kill it. Its arguments: the database's URL,
// the simulator's URL and secret, the factor of its times, how many seconds its clock is ahead, and a fault point or
// none.
import { pino } from 'pino'
import { createApp } from '../../server/app/app.ts'
import { readConfig } from '../../server/config.ts'
import { simulatorGateway } from '../../server/gateway/adapters/simulator/simulator-gateway.ts'
import { runDue } from '../../server/subscriptions/bills/run-due-bills.ts'
import { movableClock } from './movable-clock.ts'

const [databaseUrl = '', url = '', secret = '', timeScale = '1', ahead = '0', fault = ''] = process.argv.slice(2)
const NO_SCRIPT = { file: 'none.js', integrity: '', code: Buffer.from('') }
const clock = movableClock()
clock.advance(Number(ahead))

const app = createApp({
  clock,
  config: readConfig({ RIALTO_RATE_LIMITS: 'off', RIALTO_TIME_SCALE: timeScale, RIALTO_FAULT: fault }),
  databaseUrl,
  // The key of test/support/service.ts.
  masterKeys: [Buffer.alloc(32, 7)],
  gateways: { simulator: simulatorGateway({ url, secret }) },
  library: { current: [], released: [] },
  page: { render: () => '', headers: () => ({}), assets: { ...NO_SCRIPT, wallet: NO_SCRIPT } },
  log: pino({ level: 'error' }, pino.destination(2)),
})
await runDue(app.services)
await app.close()
