import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { paymentPageHeaders } from '../payment-form/page-headers.ts'
import { renderPaymentPage } from '../payment-form/render-page.ts'
import { buildBrowserBundles } from '../scripts/build-browser.ts'
import { demoFilePath } from './access/demo-file.ts'
import { prepareDemo } from './access/prepare-demo.ts'
import { type App, createApp } from './app.ts'
import { readClientLibrary, readPaymentFormScript } from './browser-bundle.ts'
import type { Config } from './config.ts'
import { prepareDataDirectory } from './db/data-directory.ts'
import { lockDataDirectory } from './db/data-directory-lock.ts'
import { startEmbeddedPostgres } from './db/embedded-postgres.ts'
import { migrate } from './db/migrate.ts'
import { configuredGateways } from './gateways.ts'
import { masterKeysOf } from './master-key.ts'
import { resolveAndComeBack } from './payments/payment-jobs.ts'
import { startText } from './print-start.ts'
import { startSimulatorProcess } from './simulator-process.ts'

/** Where a person may read what was started. */
interface Terminal {
  isTerminal: boolean
  print(text: string): void
}

/** What was started, to be stopped in the opposite order. */
type Stop = () => Promise<void> | void

/**
 * Runs the whole service: database, gateway simulator, the listeners and the worker.
 *
 * @returns how to stop all of it, with what runs finished first
 */
export async function serve(config: Config, log: Logger, terminal: Terminal): Promise<() => Promise<void>> {
  const stops: Stop[] = []
  const stop = async () => {
    for (let last = stops.pop(); last; last = stops.pop()) await last()
  }
  try {
    await start(config, log, terminal, stops)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(config: Config, log: Logger, terminal: Terminal, stops: Stop[]): Promise<void> {
  const dataDir = resolve(config.dataDir)
  prepareDataDirectory(dataDir)
  await buildBrowserBundles()
  const lock = lockDataDirectory(dataDir)
  stops.push(() => lock.release())
  const [databaseUrl, simulatorUrl] = await Promise.all([
    database(config, dataDir, log, stops),
    simulator(config, dataDir, stops),
  ])
  await migrate(databaseUrl, (text) => log.info(text))
  const app = createApp({
    config,
    databaseUrl,
    masterKeys: masterKeysOf(config),
    gateways: configuredGateways(config, { url: simulatorUrl }),
    page: { render: renderPaymentPage, headers: paymentPageHeaders, assets: readPaymentFormScript() },
    library: readClientLibrary(),
    log,
  })
  stops.push(() => app.close())
  // The queue comes first: a payment that ends in doubt needs it.
  await app.startWorker()
  await listen(app, config)
  recoverSoon(app, log)
  const { environment, baseUrl, dashboardUrl } = config
  const demo = await prepareDemo({ ...app.services, environment, baseUrl, dashboardUrl, dataDir })
  const { isTerminal } = terminal
  terminal.print(startText({ ...config, demoFile: join(config.dataDir, demoFilePath('')), demo, isTerminal }))
}

async function database(config: Config, dataDir: string, log: Logger, stops: Stop[]): Promise<string> {
  if (config.databaseUrl !== null) return config.databaseUrl
  const postgres = await startEmbeddedPostgres({ dataDir, log: (text) => log.info(text) })
  stops.push(() => postgres.stop())
  if (postgres.adopted) log.info('the PostgreSQL of an earlier start was still running and is used again')
  return postgres.url
}

async function simulator(config: Config, dataDir: string, stops: Stop[]): Promise<string> {
  const { simulatorPort: port, simulatorUrl, timeScale } = config
  if (simulatorUrl !== null) return simulatorUrl
  const program = await startSimulatorProcess({ port, ledger: join(dataDir, 'simulator.jsonl'), timeScale })
  stops.push(() => program.stop())
  return program.url
}

async function listen({ api, form, operations }: App, config: Config): Promise<void> {
  const { host, port, dashboardPort, operationsHost, operationsPort } = config
  await operations.listen({ host: operationsHost, port: operationsPort })
  await api.listen({ host, port })
  await form.listen({ host, port: dashboardPort })
}

/** What a crash left open is looked at now, not at the next minute of the timetable. */
function recoverSoon({ services }: App, log: Logger): void {
  resolveAndComeBack(services).catch((error: unknown) =>
    log.warn({ err: error }, 'the first look at open operations failed'),
  )
}
