// npm run bench [-- --quick] [-- payments | costs | at-once | bills | pages | three-ds | merchant-api | subscriptions | webhooks |
// start | dashboard]: every figure of docs/operating/performance.md, each beside its limit in the same run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { buildBrowserBundles } from '../server/browser-bundle/build.ts'
import { startEmbeddedPostgres } from '../server/db/embedded-postgres.ts'
import { migrate } from '../server/db/migrate.ts'
import { measureBills } from './bills.ts'
import { measureCatalog } from './catalog.ts'
import { measureDashboard } from './dashboard.ts'
import { measureKeyCheck } from './key-check.ts'
import { measurePages, openBenchShop } from './pages.ts'
import { measurePaidAtOnce } from './paid-at-once.ts'
import { measureCosts, measureFloor, measurePayments } from './payments.ts'
import { load, startSimulator, startTarget, type Target } from './processes.ts'
import { measureSlowGateway } from './slow-gateway.ts'
import { measureStart } from './start-up.ts'
import { measureSubscriptions } from './subscriptions.ts'
import { measureThreeDs } from './three-ds.ts'
import { measureDelay, measureDeliveries, measureRecording, measureSlowEndpoint } from './webhooks.ts'

const quick = process.argv.includes('--quick')
const options = { connections: [1, 8, 32], rounds: quick ? 3 : 5, seconds: quick ? 1.5 : 4 }

const PARTS = [
  'payments',
  'costs',
  'at-once',
  'bills',
  'pages',
  'three-ds',
  'merchant-api',
  'subscriptions',
  'webhooks',
  'start',
  'dashboard',
]
const named = PARTS.filter((part) => process.argv.includes(part))
const wanted = (part: string) => named.length === 0 || named.includes(part)

await buildBrowserBundles()
const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'))
const dataDir = join(folder, 'data')
const postgres = await startEmbeddedPostgres({ dataDir })
try {
  if (wanted('payments')) await comparePayments()
  if (wanted('costs')) await compareCosts()
  if (wanted('at-once')) await paySessionsAtOnce()
  if (wanted('bills')) await chargeBills()
  if (wanted('pages')) await openPages()
  if (wanted('three-ds')) await authenticatePayers()
  if (wanted('merchant-api')) await compareMerchantApi()
  if (wanted('subscriptions')) await compareSubscriptions()
  if (wanted('webhooks')) await deliverWebhooks()
  if (wanted('start')) await measureStart(quick ? 1 : 3)
  if (wanted('dashboard')) await openDashboard()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function comparePayments(): Promise<void> {
  const [bareUrl, oursUrl] = [await database('bare'), await database('ours')]
  const bare = await startTarget('bare', './bare-server.ts', { DATABASE_URL: bareUrl })
  const ours = await startTarget('ours', './service-program.ts', { DATABASE_URL: oursUrl })
  await warmUp([bare, ours], [bareUrl, oursUrl])
  await measurePayments('Gateway in the process, answering at once', [bare, ours], options)
  await measureCosts(
    [bare, ours],
    [
      { url: bareUrl, dataDir },
      { url: oursUrl, dataDir },
    ],
    options,
  )
  await Promise.all([bare.stop(), ours.stop()])
  await comparePaymentsOverHttp(bareUrl, await database('ours_http'))
  measureFloor(bareUrl, Math.ceil(options.seconds))
}

async function compareCosts(): Promise<void> {
  const [bareUrl, oursUrl] = [await database('bare_costs'), await database('ours_costs')]
  const bare = await startTarget('bare', './bare-server.ts', { DATABASE_URL: bareUrl })
  const ours = await startTarget('ours', './service-program.ts', { DATABASE_URL: oursUrl })
  await warmUp([bare, ours], [bareUrl, oursUrl])
  await measureCosts(
    [bare, ours],
    [
      { url: bareUrl, dataDir },
      { url: oursUrl, dataDir },
    ],
    options,
  )
  await Promise.all([bare.stop(), ours.stop()])
}

async function paySessionsAtOnce(): Promise<void> {
  const databaseUrl = await database('at_once')
  const simulator = await startSimulator(join(folder, 'at-once.jsonl'))
  const ours = await startTarget('ours', './service-program.ts', {
    DATABASE_URL: databaseUrl,
    SIMULATOR_URL: simulator.url,
    SIMULATOR_SECRET: simulator.secret,
  })
  try {
    await measurePaidAtOnce(ours, { databaseUrl, simulator, rounds: quick ? 3 : 7 })
  } finally {
    await ours.stop()
    await simulator.stop()
  }
}

async function chargeBills(): Promise<void> {
  const url = await database('bills')
  const ours = await startTarget('ours', './service-program.ts', { DATABASE_URL: url })
  try {
    await load(ours, { operation: 'whole', connections: 8, seconds: 2, payer: 'kept' })
    const totals = quick ? [10_000] : [10_000, 1_000_000]
    await measureBills(ours, url, { totals, due: quick ? 1_000 : 3_000, rounds: 3, seconds: options.seconds })
  } finally {
    await ours.stop()
  }
}

async function openPages(): Promise<void> {
  const shop = await openBenchShop()
  const ours = await startTarget('ours', './service-program.ts', {
    DATABASE_URL: await database('pages'),
    SHOP_ORIGIN: shop.origin,
  })
  try {
    shop.createAt(ours)
    await measurePages(ours, shop, quick ? 5 : 15)
  } finally {
    await ours.stop()
    await shop.close()
  }
}

async function authenticatePayers(): Promise<void> {
  const databaseUrl = await database('three_ds')
  const simulator = await startSimulator(join(folder, 'three-ds.jsonl'))
  const ours = await startTarget('ours', './service-program.ts', {
    DATABASE_URL: databaseUrl,
    SIMULATOR_URL: simulator.url,
    SIMULATOR_SECRET: simulator.secret,
  })
  try {
    await measureThreeDs(ours, databaseUrl, quick ? 5 : 15)
  } finally {
    await ours.stop()
    await simulator.stop()
  }
}

async function openDashboard(): Promise<void> {
  const url = await database('dashboard')
  const ours = await startTarget('ours', './service-program.ts', { DATABASE_URL: url, WORKER: 'off' })
  try {
    const sizes = quick ? [100_000] : [100_000, 1_000_000]
    await measureDashboard(ours, url, { sizes, rounds: quick ? 5 : 20 })
  } finally {
    await ours.stop()
  }
}

async function compareMerchantApi(): Promise<void> {
  const url = await database('catalog')
  const ours = await startTarget('ours', './service-program.ts', { DATABASE_URL: url })
  const bare = await startTarget('bare', './bare-catalog.ts', { DATABASE_URL: url })
  await measureKeyCheck(url, ours.apiKey)
  const { rounds, seconds } = options
  await measureCatalog(url, [bare, ours], { rows: [100, 100_000, 1_000_000], connections: 16, rounds, seconds })
  await Promise.all([bare.stop(), ours.stop()])
}

async function compareSubscriptions(): Promise<void> {
  const url = await database('subscriptions')
  const ours = await startTarget('ours', './service-program.ts', { DATABASE_URL: url })
  const startBare = () => startTarget('bare', './bare-subscriptions.ts', { DATABASE_URL: url })
  const { rounds, seconds } = options
  await measureSubscriptions(url, ours, startBare, { rows: 10_000, connections: 8, rounds, seconds })
  await ours.stop()
}

async function deliverWebhooks(): Promise<void> {
  const migrated = async (name: string) => {
    const url = await database(name)
    await migrate(url)
    return url
  }
  await measureDeliveries(migrated, { count: quick ? 3_000 : 10_000, rounds: 3 })
  const url = await database('webhooks')
  const ours = await startTarget('ours', './service-program.ts', { DATABASE_URL: url })
  await measureDelay(ours, url, { count: quick ? 100 : 400 })
  await measureSlowEndpoint(ours, url, { count: quick ? 80 : 200, rounds: quick ? 3 : 5 })
  await ours.stop()
  const recordingUrl = await database('recording')
  const recording = await startTarget('ours', './service-program.ts', { DATABASE_URL: recordingUrl, WORKER: 'off' })
  await load(recording, { operation: 'whole', connections: 8, seconds: 2, payer: 'known' })
  await measureRecording(
    recording,
    { url: recordingUrl, dataDir },
    { rounds: quick ? 6 : 10, seconds: options.seconds },
  )
  await recording.stop()
}

/** The same with the simulator as the program of its own that it is, asked by both. */
async function comparePaymentsOverHttp(bareUrl: string, oursUrl: string): Promise<void> {
  const simulator = await startSimulator(join(folder, 'ledger.jsonl'))
  const shared = { SIMULATOR_URL: simulator.url, SIMULATOR_SECRET: simulator.secret }
  const bare = await startTarget('bare', './bare-server.ts', { DATABASE_URL: bareUrl, ...shared })
  const ours = await startTarget('ours', './service-program.ts', { DATABASE_URL: oursUrl, ...shared })
  await warmUp([bare, ours], [bareUrl, oursUrl])
  await measurePayments('Simulator over HTTP, with its durable ledger', [bare, ours], { ...options, connections: [8] })
  await measureSlowGateway(ours, simulator, options.seconds)
  await Promise.all([bare.stop(), ours.stop()])
  await simulator.stop()
}

/** A database that lives has statistics; autovacuum would make them within a minute. */
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
