// Rialto as it runs, for benchmarks: rate limits off, no log lines, and a gateway that answers at once. Prints one line of
// JSON when it listens. GATEWAY=direct puts the simulator behind the port without a socket; else SIMULATOR_URL is asked.
import { pino } from 'pino'
import { paymentPageHeaders } from '../payment-form/page-headers.ts'
import { renderPaymentPage } from '../payment-form/render-page.ts'
import { createDemoBusiness } from '../server/access/create-demo-business.ts'
import { createApp } from '../server/app.ts'
import { readPaymentFormScript } from '../server/browser-bundle.ts'
import { readConfig } from '../server/config.ts'
import { migrate } from '../server/db/migrate.ts'
import { directSimulatorGateway } from '../server/gateway/direct-simulator-gateway.ts'
import { openSimulator } from '../server/gateway/simulator/simulator.ts'
import { simulatorGateway } from '../server/gateway/simulator-gateway.ts'

const config = readConfig({ ...process.env, RIALTO_RATE_LIMITS: 'off' })
const databaseUrl = config.databaseUrl ?? ''
await migrate(databaseUrl)
const simulator = config.simulator
  ? simulatorGateway(config.simulator)
  : directSimulatorGateway(await openSimulator({}))
const app = createApp({
  config,
  databaseUrl,
  masterKeys: [Buffer.alloc(32, 7)],
  gateways: { simulator },
  library: { current: [], released: [] },
  page: { render: renderPaymentPage, headers: paymentPageHeaders, assets: readPaymentFormScript() },
  log: pino({ level: config.logLevel }, pino.destination({ dest: '/dev/null', sync: false, minLength: 4_096 })),
})
const { baseUrl, dashboardUrl } = config
const demo = await createDemoBusiness({ ...app.services, environment: 'staging', baseUrl, dashboardUrl })
await app.api.listen({ host: '127.0.0.1', port: config.port })
await app.startWorker()
console.log(JSON.stringify({ businessId: demo?.business_id, accessToken: demo?.access_token, apiKey: demo?.api_key }))
process.once('SIGTERM', () => app.close().then(() => process.exit(0)))
