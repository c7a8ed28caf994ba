// npm run bench [-- --quick] [-- payments | costs | at-once | bills | letters | pages | three-ds | google-pay |
// merchant-api | subscriptions | webhooks | recording | start | dashboard]: every figure of
// docs/operating/performance.md, each beside its limit in the same run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { buildBrowserBundles } from '../server/browser-bundle/build.ts'
import { buildDashboard } from '../server/browser-bundle/build-dashboard.ts'
import { startEmbeddedPostgres } from '../server/db/embedded-postgres.ts'
import { migrate } from '../server/db/migrate.ts'
import { deleteCluster } from '../server/db/postgres-place.ts'
import type { SimulatorAccess } from '../server/gateway/simulator/access.ts'
import { measureBills } from './bills.ts'
import { measureCatalog } from './catalog.ts'
import { measureDashboard } from './dashboard.ts'
import { measureGooglePay } from './google-pay.ts'
import { measureKeyCheck } from './key-check.ts'
import { measureLetters } from './letters.ts'
import { measurePages, openBenchShop } from './pages.ts'
import { measurePaidAtOnce } from './paid-at-once.ts'
import { measureCosts, measureFloor, measurePayments } from './payments.ts'
import { load, startSimulator, startTarget, type Target } from './processes.ts'
import { measureRecording } from './recording.ts'
import { measureSlowGateway } from './slow-gateway.ts'
import { measureStart } from './start-up.ts'
import { measureSubscriptions } from './subscriptions.ts'
import { measureThreeDs } from './three-ds.ts'
import { measureDelay, measureDeliveries, measureSlowEndpoint } from './webhooks.ts'

const quick = process.argv.includes('--quick')
const options = { connections: [1, 8, 32], rounds: quick ? 3 : 5, seconds: quick ? 1.5 : 4 }

const PARTS: Record<string, () => Promise<void>> = {
  payments: comparePayments,
  costs: compareCosts,
  'at-once': paySessionsAtOnce,
  bills: chargeBills,
  letters: composeLetters,
  pages: openPages,
  'three-ds': authenticatePayers,
  'google-pay': async () => measureGooglePay(quick ? 3 : 9),
  'merchant-api': compareMerchantApi,
  subscriptions: compareSubscriptions,
  webhooks: deliverWebhooks,
  recording: recordWebhooks,
  start: () => measureStart(quick ? 1 : 3),
  dashboard: openDashboard,
}
const named = Object.keys(PARTS).filter((part) => process.argv.includes(part))

await buildBrowserBundles()
const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'))
const dataDir = join(folder, 'data')
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  for (const [part, measure] of Object.entries(PARTS)) if (named.length === 0 || named.includes(part)) await measure()
} finally {
  await postgres.stop()
  deleteCluster(dataDir)
  rmSync(folder, { recursive: true, force: true })
}

async function comparePayments(): Promise<void> {
  const [bareUrl, oursUrl] = [await database('bare'), await database('ours')]
  {
    await using bare = await startBare('./bare-server.ts', bareUrl)
    await using ours = await startOurs(oursUrl)
    await warmUp([bare, ours], [bareUrl, oursUrl])
    await measurePayments('Gateway in the process, answering at once', [bare, ours], options)
    await measureCosts([bare, ours], [at(bareUrl), at(oursUrl)], options)
  }
  await comparePaymentsOverHttp(bareUrl, await database('ours_http'))
  measureFloor(bareUrl, Math.ceil(options.seconds))
}

async function compareCosts(): Promise<void> {
  const [bareUrl, oursUrl] = [await database('bare_costs'), await database('ours_costs')]
  await using bare = await startBare('./bare-server.ts', bareUrl)
  await using ours = await startOurs(oursUrl)
  await warmUp([bare, ours], [bareUrl, oursUrl])
  await measureCosts([bare, ours], [at(bareUrl), at(oursUrl)], options)
}

async function paySessionsAtOnce(): Promise<void> {
  const databaseUrl = await database('at_once')
  await using simulator = await startSimulator(join(folder, 'at-once.jsonl'))
  await using ours = await startOurs(databaseUrl, accessTo(simulator))
  await measurePaidAtOnce(ours, { databaseUrl, simulator, rounds: quick ? 3 : 7 })
}

async function chargeBills(): Promise<void> {
  const url = await database('bills')
  // Without its worker, which would interfere if it ran during a round.
  await using ours = await startOurs(url, { WORKER: 'off' })
  await load(ours, { operation: 'whole', connections: 8, seconds: 2, payer: 'kept' })
  const totals = quick ? [10_000] : [10_000, 1_000_000]
  await measureBills(ours, url, { totals, due: quick ? 3_000 : 10_000, rounds: 3, seconds: options.seconds })
}

async function composeLetters(): Promise<void> {
  const url = await database('letters')
  await using ours = await startOurs(url, { WORKER: 'off' })
  const stored = await load(ours, { operation: 'whole', connections: 8, seconds: 2, payer: 'kept' })
  if (stored.done === 0) throw new Error(`No card was stored: ${JSON.stringify(stored)}`)
  const { seconds } = options
  await measureLetters(ours, at(url), { due: quick ? 300 : 1_000, rounds: quick ? 3 : 5, seconds })
}

async function openPages(): Promise<void> {
  const shop = await openBenchShop()
  try {
    await using ours = await startOurs(await database('pages'), { SHOP_ORIGIN: shop.origin })
    shop.createAt(ours)
    await measurePages(ours, shop, quick ? 5 : 15)
  } finally {
    await shop.close()
  }
}

async function authenticatePayers(): Promise<void> {
  const url = await database('three_ds')
  await using simulator = await startSimulator(join(folder, 'three-ds.jsonl'))
  await using ours = await startOurs(url, accessTo(simulator))
  await measureThreeDs(ours, url, quick ? 5 : 15)
}

async function openDashboard(): Promise<void> {
  const url = await database('dashboard')
  // The service serves the pages that are built when it starts.
  await buildDashboard()
  await using ours = await startOurs(url, { WORKER: 'off' })
  const sizes = quick ? [100_000] : [100_000, 1_000_000]
  await measureDashboard(ours, url, { sizes, rounds: quick ? 5 : 20 })
}

async function compareMerchantApi(): Promise<void> {
  const url = await database('catalog')
  await using ours = await startOurs(url)
  await using bare = await startBare('./bare-catalog.ts', url)
  await measureKeyCheck(url, ours.apiKey)
  const { rounds, seconds } = options
  await measureCatalog(url, [bare, ours], { rows: [100, 100_000, 1_000_000], connections: 16, rounds, seconds })
}

async function compareSubscriptions(): Promise<void> {
  const url = await database('subscriptions')
  await using ours = await startOurs(url)
  const { rounds, seconds } = options
  const bare = () => startBare('./bare-subscriptions.ts', url)
  await measureSubscriptions(url, ours, bare, { rows: 10_000, connections: 8, rounds, seconds })
}

async function deliverWebhooks(): Promise<void> {
  const migrated = async (name: string) => {
    const url = await database(name)
    await migrate(url)
    return url
  }
  await measureDeliveries(migrated, { count: quick ? 3_000 : 10_000, rounds: 3 })
  const url = await database('webhooks')
  await using ours = await startOurs(url)
  await measureDelay(ours, url, { count: quick ? 100 : 400 })
  await measureSlowEndpoint(ours, url, { count: quick ? 80 : 200, rounds: quick ? 3 : 5 })
}

async function recordWebhooks(): Promise<void> {
  const url = await database('recording')
  await using ours = await startOurs(url, { WORKER: 'off' })
  await load(ours, { operation: 'whole', connections: 8, seconds: 4, payer: 'known' })
  await measureRecording(ours, at(url), { pairs: quick ? 8 : 30, seconds: options.seconds })
}

/** Compares payments with the simulator as a separate program, which both servers call. */
async function comparePaymentsOverHttp(bareUrl: string, oursUrl: string): Promise<void> {
  await using simulator = await startSimulator(join(folder, 'ledger.jsonl'))
  await using bare = await startBare('./bare-server.ts', bareUrl, accessTo(simulator))
  await using ours = await startOurs(oursUrl, accessTo(simulator))
  await warmUp([bare, ours], [bareUrl, oursUrl])
  await measurePayments('Simulator over HTTP, with its durable ledger', [bare, ours], { ...options, connections: [8] })
  await measureSlowGateway(ours, simulator, options.seconds)
}

function startOurs(databaseUrl: string, env: Record<string, string> = {}) {
  return startTarget('ours', './service-program.ts', { DATABASE_URL: databaseUrl, ...env })
}

function startBare(program: string, databaseUrl: string, env: Record<string, string> = {}) {
  return startTarget('bare', program, { DATABASE_URL: databaseUrl, ...env })
}

function accessTo({ url, secret }: SimulatorAccess) {
  return { SIMULATOR_URL: url, SIMULATOR_SECRET: secret }
}

function at(url: string) {
  return { url, dataDir }
}

/** Collects statistics, which a running database has; autovacuum would do so within a minute. */
async function warmUp(targets: Target[], urls: string[]): Promise<void> {
  for (const target of targets) await load(target, { operation: 'whole', connections: 8, seconds: 3 })
  for (const connectionString of urls) {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query('analyze')
    await client.end()
  }
  for (const target of targets) await load(target, { operation: 'whole', connections: 8, seconds: 2 })
}

async function database(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(postgres.url)
  url.pathname = name
  return url.href
}
