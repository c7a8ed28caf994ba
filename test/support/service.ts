import { pino } from 'pino'
import { paymentPageHeaders } from '../../payment-form/page-headers.ts'
import { renderPaymentPage } from '../../payment-form/render-page.ts'
import { type App, createApp } from '../../server/app/app.ts'
import { configuredThreeDsServer } from '../../server/app/three-ds-server.ts'
import type { ClientLibrary } from '../../server/checkout/page/client-library-routes.ts'
import type { PageAssets } from '../../server/checkout/page/page-reply.ts'
import { type Config, readConfig } from '../../server/config.ts'
import type { DashboardAssets, DashboardState } from '../../server/dashboard/document.ts'
import { createDemoBusiness } from '../../server/demo/create-demo-business.ts'
import type { DemoCredentials } from '../../server/demo/demo-file.ts'
import { simulatorGateway } from '../../server/gateway/adapters/simulator/simulator-gateway.ts'
import type { SimulatorAccess } from '../../server/gateway/simulator/access.ts'
import { simulatorControl } from '../../server/gateway/simulator/control.ts'
import type { RunningSimulator } from '../../server/gateway/simulator/start-simulator.ts'
import type { Clock } from '../../server/lib/clock.ts'
import { startSimulators } from '../../server/serve/start-simulators.ts'
import type { ThreeDsServer } from '../../server/three-d-secure/three-ds-server.ts'
import { watchAudit } from './audited-calls.ts'
import { createTestDatabase } from './database.ts'
import { watchResponses } from './documented-responses.ts'
import { freePorts } from './free-ports.ts'
import { ownerPassword } from './owner-password.ts'

/** The whole service in this process, on its own database and simulator, with the demo business. */
export interface TestService extends AsyncDisposable {
  app: App
  /** {base_url} */
  url: string
  /** {dashboard_url} */
  formUrl: string
  /** URL of metrics and probes. */
  operationsUrl: string
  databaseUrl: string
  simulatorUrl: string
  /** Access to the simulator, for another gateway adapter with the same account. */
  simulatorAccess: SimulatorAccess
  simulator: ReturnType<typeof simulatorControl>
  /** Runs work while no connection to the gateway is possible. */
  whileGatewayAway: RunningSimulator['whileAway']
  demo: DemoCredentials
  /** Returns the complete log as text. */
  logged(): string
  close(): Promise<void>
}

export interface TestServiceOptions {
  /** Factor for the times of the gateway; 0.05 by default. */
  timeScale?: number
  rateLimits?: boolean
  clock?: Clock
  config?: Partial<Config>
  /** Opens another process of that service, on its database and with its demo business. */
  beside?: TestService
  /** How long a request waits for a connection to the database: by default longer than a busy machine needs. */
  databaseWaitMs?: number
  /** Returns the database URL of the service, if it goes through a proxy. */
  databaseRoute?: (url: string) => string
  /** 3-D Secure server; by default the simulator's. */
  threeDsServer?: ThreeDsServer
  /** The path of the simulator's ledger file. */
  simulatorLedger?: string
  /** The client library, for tests in which a merchant's page loads it. */
  library?: ClientLibrary
  /** The script of the payment page, for tests in which a browser runs it. */
  script?: PageAssets
  /** Called with the body of every text response. */
  onResponse?: (route: string, body: string) => void
  /** The built pages of the dashboard, for tests in which a browser opens them. */
  dashboard?: DashboardAssets | (() => DashboardState)
}

const MASTER_KEY = Buffer.alloc(32, 7)
const NO_LIBRARY: ClientLibrary = { current: [], released: [] }
const NO_CODE = { integrity: 'sha384-test', code: Buffer.from('') }
const NO_SCRIPT: PageAssets = { ...NO_CODE, file: 'form.test.js', wallet: { ...NO_CODE, file: 'button.test.js' } }

let opening: Promise<unknown> = Promise.resolve()

/**
 * Opens a service, which `await using` closes. Services open one after another: a dozen at once block the event loop
 * for longer than the connections of the first may take.
 */
export function openService(options: TestServiceOptions = {}): Promise<TestService> {
  const opened = opening.then(() => openOnce(options))
  opening = opened.catch(() => {})
  return opened
}

/**
 * Closes everything that was opened, even if opening or closing another part fails: an open listener would block the
 * run.
 */
async function openOnce(options: TestServiceOptions): Promise<TestService> {
  const {
    timeScale = 0.05,
    rateLimits = false,
    clock,
    library = NO_LIBRARY,
    script = NO_SCRIPT,
    dashboard,
    beside,
    databaseRoute = (url) => url,
    databaseWaitMs = 15_000,
    threeDsServer,
  } = options
  await using opened = new AsyncDisposableStack()
  const database = beside ? { url: beside.databaseUrl } : opened.use(await createTestDatabase())
  const { simulatorLedger: ledgerFile } = options
  const [port, dashboardPort, simulatorPort] = await freePorts()
  const simulator = opened.adopt(
    await startSimulators({
      environment: 'staging',
      timeScale,
      port: simulatorPort,
      ...(ledgerFile && { ledgerFile }),
    }),
    (started) => started.close(),
  )
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const config: Config = {
    ...readConfig({ PORT: String(port), DASHBOARD_PORT: String(dashboardPort) }),
    host: '127.0.0.1',
    rateLimits,
    timeScale,
    ...options.config,
  }
  const app = createApp({
    config,
    databaseUrl: databaseRoute(database.url),
    databaseWaitMs,
    masterKeys: [MASTER_KEY],
    gateways: { simulator: simulatorGateway({ ...simulator, notFoundFinalAfterMs: 120_000 * timeScale }) },
    threeDsServer: threeDsServer ?? configuredThreeDsServer(config, simulator),
    simulator,
    page: { render: renderPaymentPage, headers: paymentPageHeaders, assets: script },
    library,
    log,
    ...(clock && { clock }),
    ...(dashboard && { dashboard: typeof dashboard === 'function' ? dashboard : () => dashboard }),
  })
  const responses = watchResponses(app)
  opened.defer(() => responses.check())
  for (const server of [app.api, app.form])
    server.addHook('onSend', async ({ method, routeOptions: { url } }, _reply, body) => {
      if (typeof body === 'string') options.onResponse?.(`${method} ${url}`, body)
    })
  const audit = watchAudit(app)
  opened.defer(() => audit.check(database.url))
  opened.defer(() => app.close())
  const { baseUrl, dashboardUrl } = config
  const context = { ...app.services, environment: 'staging' as const, baseUrl, dashboardUrl }
  const demo = beside?.demo ?? (await createDemoBusiness(context, await ownerPassword()))
  if (!demo) throw new Error('The demo business was not made')
  await app.api.listen({ host: '127.0.0.1', port })
  await app.form.listen({ host: '127.0.0.1', port: dashboardPort })
  const operationsUrl = await app.operations.listen({ host: '127.0.0.1', port: 0 })
  const all = opened.move()
  const close = () => all.disposeAsync()
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    formUrl: dashboardUrl,
    operationsUrl,
    databaseUrl: database.url,
    simulatorUrl: simulator.url,
    simulatorAccess: simulator,
    simulator: simulatorControl(simulator),
    whileGatewayAway: simulator.whileAway,
    demo,
    logged: () => lines.join(''),
    close,
    [Symbol.asyncDispose]: close,
  }
}
