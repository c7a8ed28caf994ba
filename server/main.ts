import { basename } from 'node:path'
import { inspect } from 'node:util'
import { clientsCommand } from './access/clients-command.ts'
import { keysCommand } from './access/keys/keys-command.ts'
import type { AccessContext } from './access/shared/context.ts'
import { dashboardCommand } from './access/sign-in/dashboard-command.ts'
import { AuditLogBroken, auditCommand } from './audit/audit-command.ts'
import { businessCommand } from './businesses/business-command.ts'
import { createSessionTokens } from './checkout/sessions/session-token.ts'
import { type Config, ConfigError, dashboardOriginOf, hasThreeDsServer, takeConfig } from './config.ts'
import type { Database } from './db/connection.ts'
import { DataDirectoryOpen } from './db/data-directory.ts'
import { DataDirectoryInUse } from './db/data-directory-lock.ts'
import { DatabaseNotMigrated, MigrationBlocked, migrate, OtherSchema, requireMigrated } from './db/migrate.ts'
import { EmbeddedPostgresError } from './db/postgres-data.ts'
import { demoFilePath, readDemoFile } from './demo/demo-file.ts'
import { ListenError, listenCommand } from './events/listen/listen-command.ts'
import { personNotices } from './events/person-notices.ts'
import { googlePayCommand } from './google-pay/google-pay-command.ts'
import { systemClock } from './lib/clock.ts'
import { UsageError } from './lib/command.ts'
import { ApiError } from './lib/errors.ts'
import { createKeyring } from './lib/keyring.ts'
import { createLog } from './log.ts'
import { reconcileCommand } from './payments/reconciliation/reconcile-command.ts'
import type { PaymentServices } from './payments/services.ts'
import { masterKeysOf } from './serve/master-key.ts'
import { PortError } from './serve/open-port.ts'
import { serve } from './serve/serve.ts'
import { explainDatabaseError } from './serve/start-error.ts'
import { withDatabase } from './serve/with-database.ts'
import { withGateways } from './serve/with-gateways.ts'
import { buildBundleLater } from './server-bundle/build-later.ts'
import { subscriptionsCommand } from './subscriptions/bills/subscriptions-command.ts'
import { contractsCommand } from './subscriptions/contracts/contracts-command.ts'
import { subscriptionLinks } from './subscriptions/subscription-link.ts'
import { BinTableError } from './vault/bin-table.ts'

const PARENT_WATCH_MS = 1_000

const USAGE = `Usage: npm start, or npm run <command> -- <arguments>

  serve              the service: API, payment form and worker (npm start)
  migrate            migrates the database to this version
  business …         creates and shows businesses
  audit …            checks the audit log
  dashboard …        lets people into the merchant dashboard: links, lost factors, the mailbox of staging
  clients …          manages OAuth clients and their allowed IP addresses
  keys …             manages secret keys of the merchant API
  contracts …        writes, sends and links contracts that customers sign
  subscriptions …    shows and releases subscriptions whose missed bills are held
  google-pay …       switches Google Pay on and off, and changes its keys
  listen …           forwards events to a receiver without a public address, for developers
  reconcile …        compares the gateway's transactions with our records
`

const COMMANDS: Record<string, (config: Config, args: string[]) => Promise<void>> = {
  serve: serveUntilStopped,
  business: (config, args) =>
    withContext(config, (context) => businessCommand({ ...context, hasThreeDsServer: hasThreeDsServer(config) }, args)),
  audit: (config, args) => withContext(config, (context) => auditCommand(context, args)),
  dashboard: async (config, args) => {
    const running = await withRunningAddress(config)
    const places = { dashboardOrigin: dashboardOriginOf(running), dashboardUrl: running.dashboardUrl }
    await withContext(config, (context) =>
      dashboardCommand({ ...context, ...places, notifyPerson: personNotices(context) }, args),
    )
  },
  clients: (config, args) => withContext(config, (context) => clientsCommand(context, args)),
  keys: (config, args) => withContext(config, (context) => keysCommand(context, args)),
  contracts: withContracts,
  subscriptions: (config, args) => withContext(config, (context) => subscriptionsCommand(context, args)),
  'google-pay': (config, args) =>
    withContext(config, (context) => googlePayCommand({ ...context, gateway: config.googlePayGateway }, args)),
  reconcile: (config, args) => withMoney(config, (services) => reconcileCommand(services, args)),
  listen,
  migrate: (config) => withDatabase(config, ({ databaseUrl }) => migrate(databaseUrl, console.log).then(() => {})),
}

await run(process.argv[2] ?? 'serve', process.argv.slice(3))

async function run(name: string, args: string[]): Promise<void> {
  const command = COMMANDS[name]
  if (!command) return fail(USAGE)
  try {
    await command(takeConfig(process.env), args)
  } catch (error) {
    fail(messageOf(error))
  }
}

/** Runs an operator's command and prints its result. */
async function withContext(config: Config, work: (context: AccessContext) => Promise<string>): Promise<void> {
  const { environment } = config
  const keyring = createKeyring(masterKeysOf(config))
  const run = async ({ db, pool }: Database) => {
    await requireMigrated(pool)
    return work({ db, keyring, clock: systemClock, environment })
  }
  console.log(await withDatabase(config, run))
}

/**
 * Returns the configuration with the running service's address, for links that a command prints. In staging the demo
 * file has it; the second terminal often lacks the `DASHBOARD_PORT` of the first.
 */
async function withRunningAddress(config: Config): Promise<Config> {
  const demo = config.environment === 'staging' ? await readDemoFile(demoFilePath(config.dataDir)) : null
  return demo ? { ...config, dashboardUrl: demo.dashboard_url } : config
}

/** Like `withContext`, with links to pages. */
async function withContracts(config: Config, args: string[]): Promise<void> {
  const keyring = createKeyring(masterKeysOf(config))
  const sessionTokens = createSessionTokens({ keyring })
  const { dashboardUrl } = await withRunningAddress(config)
  const subscriptionLink = subscriptionLinks({ sessionTokens, keyring, links: { dashboardUrl } })
  const run = async ({ db, pool }: Database) => {
    await requireMigrated(pool)
    return contractsCommand({ db, clock: systemClock, subscriptionLink }, args)
  }
  console.log(await withDatabase(config, run))
}

/** Like `withContext`, for commands that call a gateway. */
async function withMoney(config: Config, work: (services: PaymentServices) => Promise<string>): Promise<void> {
  console.log(await withDatabase(config, (database) => withGateways(config, database, work)))
}

/** Calls a running service. Unlike the other commands, it opens no database. */
async function listen(config: Config, args: string[]): Promise<void> {
  const { environment, dataDir, baseUrl, secretKey, timeScale } = config
  const demo = environment === 'staging' ? await readDemoFile(demoFilePath(dataDir)) : null
  const stopping = new AbortController()
  void stopSignal(config).then(() => stopping.abort())
  await listenCommand({ print: console.log, signal: stopping.signal, timeScale }, args, {
    baseUrl,
    secretKey,
    demo: demo?.api_key ? { url: demo.base_url, key: demo.api_key } : null,
  })
}

/**
 * Returns the message for the terminal: one line if the error explains itself; otherwise its stack and those of its
 * causes.
 */
function messageOf(error: unknown): string {
  const explained = [
    AuditLogBroken,
    BinTableError,
    ConfigError,
    DataDirectoryInUse,
    DataDirectoryOpen,
    DatabaseNotMigrated,
    EmbeddedPostgresError,
    ListenError,
    MigrationBlocked,
    OtherSchema,
    PortError,
    UsageError,
    ApiError,
  ]
  if (explained.some((kind) => error instanceof kind)) return (error as Error).message
  return explainDatabaseError(error) ?? inspect(error)
}

function fail(text: string): void {
  console.error(text)
  process.exitCode = 1
}

async function serveUntilStopped(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  const stopped = stopSignal(config)
  const stop = await serve(config, log, { isTerminal: process.stdout.isTTY === true, print: console.log })
  const stopBuilding = isStartedByEntry() ? buildBundleLater(config.environment, log) : () => {}
  log.info({ signal: await stopped }, 'stopping')
  stopBuilding()
  await stop()
}

/** Whether the entry runs the bundle. A developer or a test that runs this file needs none. */
function isStartedByEntry(): boolean {
  return basename(process.argv[1] ?? '') === 'rialto.mjs'
}

/**
 * Waits for a signal. The terminal signals the whole process group, and npm forwards its signal, too: only the first
 * one counts.
 */
function stopSignal({ startedByNpm }: Config): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
  // On a signal, npm may end the shell between us without forwarding the signal.
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && resolve('npm ended'), PARENT_WATCH_MS).unref()
  if (!startedByNpm) clearInterval(watch)
  return promise.finally(() => clearInterval(watch))
}
