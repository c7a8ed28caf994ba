import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { paymentPageHeaders } from '../../payment-form/page-headers.ts'
import { renderPaymentPage } from '../../payment-form/render-page.ts'
import { mailboxLink } from '../access/shared/mailbox-key.ts'
import { type App, createApp } from '../app/app.ts'
import { configuredGateways } from '../app/gateways.ts'
import { configuredThreeDsServer } from '../app/three-ds-server.ts'
import { buildBrowserBundles } from '../browser-bundle/build.ts'
import { readClientLibrary, readPaymentFormScript } from '../browser-bundle/read.ts'
import { type DashboardBuild, prepareDashboard } from '../browser-bundle/read-dashboard.ts'
import type { Config } from '../config.ts'
import { prepareDataDirectory } from '../db/data-directory.ts'
import { lockDataDirectory } from '../db/data-directory-lock.ts'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { migrate } from '../db/migrate.ts'
import { demoFilePath } from '../demo/demo-file.ts'
import { prepareDemo } from '../demo/prepare-demo.ts'
import type { SimulatorAccess } from '../gateway/simulator/access.ts'
import { isWeakKey } from '../lib/weak-key.ts'
import { resolveAndComeBack } from '../payments/recovery/recovery-jobs.ts'
import { masterKeysOf } from './master-key.ts'
import { openPort } from './open-port.ts'
import { prepareEntry } from './prepare-entry.ts'
import { startText } from './print-start.ts'
import { releaseStartMemory } from './release-memory.ts'
import { removeSimulatorFile, writeSimulatorFile } from './simulator-file.ts'
import { startSimulatorProcess } from './simulator-process.ts'

/** Output for the person who starts the service. */
interface Terminal {
  isTerminal: boolean
  print(text: string): void
}

/** Stops one started part. Parts stop in reverse order. */
type Stop = () => Promise<void> | void

/**
 * Runs the whole service: database, gateway simulator, listeners and worker.
 *
 * @returns a function that stops everything, after running requests and jobs have finished
 */
export async function serve(config: Config, log: Logger, terminal: Terminal): Promise<() => Promise<void>> {
  const stops: Stop[] = []
  const stop = () => stopAll(stops)
  try {
    await start(config, log, terminal, stops)
    return stop
  } catch (error) {
    await stop().catch((failed: unknown) => log.error({ err: failed }, 'some parts could not be stopped'))
    throw error
  }
}

/** Stops every part, even if stopping another one fails. */
async function stopAll(stops: Stop[]): Promise<void> {
  await using stopping = new AsyncDisposableStack()
  for (const stop of stops.splice(0)) stopping.defer(async () => stop())
}

async function start(config: Config, log: Logger, terminal: Terminal, stops: Stop[]): Promise<void> {
  const dataDir = resolve(config.dataDir)
  prepareDataDirectory(dataDir)
  warnOf(config, log)
  const lock = lockDataDirectory(dataDir)
  stops.push(() => lock.release())
  // The database is first because it takes longest. Wait for all, even if one fails: only a started part can be
  // stopped.
  const starting = [
    database(config, dataDir, log, stops),
    simulator(config, dataDir, stops),
    pages(config, log, stops),
  ] as const
  await Promise.allSettled(starting)
  const [databaseUrl, simulatorAccess, dashboard] = await Promise.all(starting)
  await migrate(databaseUrl, (text) => log.info(text))
  const app = createApp({
    config,
    databaseUrl,
    masterKeys: masterKeysOf(config),
    gateways: configuredGateways(config, simulatorAccess),
    threeDsServer: configuredThreeDsServer(config, simulatorAccess),
    simulator: simulatorAccess,
    page: { render: renderPaymentPage, headers: paymentPageHeaders, assets: readPaymentFormScript() },
    library: readClientLibrary(),
    dashboard: dashboard.state,
    log,
  })
  stops.push(() => app.close())
  const { environment, baseUrl, dashboardUrl } = config
  // Done before the first request: under load the start would find no free connection to the database, and would fail.
  const demo = await prepareDemo({ ...app.services, environment, baseUrl, dashboardUrl, dataDir })
  const entry = await prepareEntry(app.services, { user: demo?.username ?? null })
  // Done before it listens, because a payment with an unknown outcome enqueues a job.
  await app.startWorker()
  releaseStartMemory()
  await listen(app, config)
  recoverSoon(app, log)
  const { dashboardOrigin } = app.services
  const demoFile = join(config.dataDir, demoFilePath(''))
  const { isTerminal } = terminal
  const mailbox = mailboxLink(app.services.keyring, dashboardUrl)
  terminal.print(startText({ ...config, dashboardOrigin, entry, demoFile, demo, isTerminal, mailboxLink: mailbox }))
}

/** Warns of what is allowed, but should not stay. */
function warnOf({ masterKeys, environment, merchantDashboardUrl }: Config, log: Logger): void {
  if (masterKeys.some(isWeakKey)) {
    log.warn(
      'RIALTO_MASTER_KEY contains a guessable key, which production refuses; make one with: openssl rand -base64 32',
    )
  }
  if (environment === 'production' && merchantDashboardUrl === null) {
    log.warn(
      'MERCHANT_DASHBOARD_URL is not set: the dashboard shares the host of the payment form (docs/operating/people.md)',
    )
  }
}

async function database(config: Config, dataDir: string, log: Logger, stops: Stop[]): Promise<string> {
  if (config.databaseUrl !== null) return config.databaseUrl
  const postgres = await startEmbeddedPostgres({ dataDir, log: (text) => log.info(text) })
  stops.push(() => postgres.stop())
  if (postgres.adopted) log.info('using the PostgreSQL server of an earlier start, which was still running')
  return postgres.url
}

async function simulator(config: Config, dataDir: string, stops: Stop[]): Promise<SimulatorAccess> {
  const { simulatorPort: port, simulatorPublicUrl: publicUrl, timeScale, environment } = config
  if (config.simulator !== null) return config.simulator
  const ledger = join(dataDir, 'simulator.jsonl')
  const place = { name: 'gateway simulator', port, setting: 'SIMULATOR_PORT', host: '127.0.0.1', hostSetting: '' }
  const program = await openPort(place, () =>
    startSimulatorProcess({ port, ledger, timeScale, environment, publicUrl }),
  )
  stops.push(() => program.stop())
  await writeSimulatorFile(dataDir, program)
  stops.push(() => removeSimulatorFile(dataDir))
  return program
}

async function pages({ environment }: Config, log: Logger, stops: Stop[]): Promise<DashboardBuild> {
  await buildBrowserBundles()
  const dashboard = prepareDashboard(environment, log)
  stops.push(() => dashboard.stop())
  return dashboard
}

async function listen({ api, form, operations }: App, config: Config): Promise<void> {
  const host = { host: config.host, hostSetting: 'HOST' }
  const operationsHost = { host: config.operationsHost, hostSetting: 'OPERATIONS_HOST' }
  const listeners = [
    {
      listener: operations,
      name: 'metrics',
      port: config.operationsPort,
      setting: 'OPERATIONS_PORT',
      ...operationsHost,
    },
    { listener: api, name: 'API', port: config.port, setting: 'PORT', ...host },
    { listener: form, name: 'payment form', port: config.dashboardPort, setting: 'DASHBOARD_PORT', ...host },
  ]
  for (const { listener, ...place } of listeners) {
    await openPort(place, () => listener.listen({ host: place.host, port: place.port }))
  }
}

/** Resolves operations that a crash left open, without waiting for the next minute of the timetable. */
function recoverSoon({ services }: App, log: Logger): void {
  resolveAndComeBack(services).catch((error: unknown) =>
    log.warn({ err: error }, 'the first recovery of open operations failed'),
  )
}
