// Rialto as it runs, for benchmarks: without rate limits and log lines, and with a gateway that responds at once.
// Prints one line of JSON when it listens. SIMULATOR_URL replaces the gateway if it is set.
import { pino } from 'pino'
import { paymentPageHeaders } from '../payment-form/page-headers.ts'
import { renderPaymentPage } from '../payment-form/render-page.ts'
import { createClient } from '../server/access/clients/create-client.ts'
import { addOwner } from '../server/access/people/create-user.ts'
import { createSignInCode } from '../server/access/sign-in/set-up.ts'
import { startFamily } from '../server/access/tokens/issue-tokens.ts'
import { newTokenPair } from '../server/access/tokens/token.ts'
import { createApp } from '../server/app/app.ts'
import { configuredThreeDsServer } from '../server/app/three-ds-server.ts'
import { readClientLibrary, readPaymentFormScript } from '../server/browser-bundle/read.ts'
import { readDashboard } from '../server/browser-bundle/read-dashboard.ts'
import { readConfig } from '../server/config.ts'
import { migrate } from '../server/db/migrate.ts'
import { transaction } from '../server/db/transaction.ts'
import { createDemoBusiness, DEMO_EMAIL } from '../server/demo/create-demo-business.ts'
import { directSimulatorGateway } from '../server/gateway/adapters/simulator/direct-simulator-gateway.ts'
import { simulatorGateway } from '../server/gateway/adapters/simulator/simulator-gateway.ts'
import { openSimulator } from '../server/gateway/simulator/simulator.ts'
import { instantGateway } from './instant-gateway.ts'

const config = readConfig({ ...process.env, RIALTO_RATE_LIMITS: 'off' })
const databaseUrl = config.databaseUrl ?? ''
await migrate(databaseUrl)
const simulator = config.simulator
  ? simulatorGateway(config.simulator)
  : instantGateway(directSimulatorGateway(await openSimulator({})))
const dashboard = readDashboard()
const app = createApp({
  config,
  databaseUrl,
  masterKeys: [Buffer.alloc(32, 7)],
  gateways: { simulator },
  threeDsServer: config.simulator ? configuredThreeDsServer(config, config.simulator) : null,
  library: readClientLibrary(),
  ...(dashboard && { dashboard: () => dashboard }),
  page: { render: renderPaymentPage, headers: paymentPageHeaders, assets: readPaymentFormScript() },
  log: pino({ level: config.logLevel }, pino.destination({ dest: '/dev/null', sync: false, minLength: 4_096 })),
})
const { baseUrl, dashboardUrl } = config
const demo = await createDemoBusiness({ ...app.services, environment: 'staging', baseUrl, dashboardUrl })
const shopToken = process.env.SHOP_ORIGIN && (await registerShop(process.env.SHOP_ORIGIN))
await app.api.listen({ host: '127.0.0.1', port: config.port })
await app.form.listen({ host: '127.0.0.1', port: config.dashboardPort })
// WORKER=off: work for workers stays recorded.
if (process.env.WORKER !== 'off') await app.startWorker()
const { business_id: businessId, access_token: accessToken, api_key: apiKey } = demo ?? {}
const signInCode = await createSignInCode(app.services, DEMO_EMAIL)
console.log(JSON.stringify({ businessId, accessToken, apiKey, shopToken, dashboardUrl, signInCode }))
process.once('SIGTERM', () => app.close().then(() => process.exit(0)))

/**
 * Registers a client.
 *
 * @returns an access token of a client whose sessions may be framed by pages of that origin
 */
function registerShop(redirectUrl: string): Promise<string> {
  return transaction(app.services.db, async (tx) => {
    const context = { ...app.services, db: tx, environment: 'staging' as const }
    const businessId = demo?.business_id ?? ''
    const { client } = await createClient(context, { businessId, name: 'Bench shop', redirectUrl })
    const { userId } = await addOwner(context, { businessId, email: 'bench@shop.example' })
    const pair = newTokenPair()
    await startFamily(context, { pair, businessId, clientId: client.id, userId })
    return pair.accessToken
  })
}
