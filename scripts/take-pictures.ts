// npm run docs:pictures: starts Rialto as a new user would, with data of its own, lets a business live for a month of
// its test clock, and photographs the pages that README and guides show. Times and ids differ at each run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type DemoCredentials, demoFilePath, readDemoFile } from '../server/demo/demo-file.ts'
import { launchBrowser } from '../test/support/browser.ts'
import { freePort } from '../test/support/free-ports.ts'
import { liveForAMonth, newPaymentPage } from './pictured-business.ts'

const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const PROGRAM = fileURLToPath(new URL('../server/rialto.mjs', import.meta.url))
const DESK: BrowserContextOptions = {
  viewport: { width: 1280, height: 1000 },
  locale: 'en-CA',
  reducedMotion: 'reduce',
}
const PHONE: BrowserContextOptions = { ...DESK, viewport: { width: 390, height: 760 } }

const dataDir = mkdtempSync(join(tmpdir(), 'rialto-pictures-'))
mkdirSync(PICTURES, { recursive: true })
const env = await environment()
const service = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  await outputHas(service.stdout, 'Rialto is ready.')
  const demo = await readDemoFile(demoFilePath(dataDir))
  if (!demo) throw new Error('The service has no demo business')
  const browser = await launchBrowser()
  try {
    await pictureAll(browser, demo)
  } finally {
    await browser.close()
  }
} finally {
  const gone = once(service, 'exit')
  service.kill('SIGTERM')
  await gone
  rmSync(dataDir, { recursive: true, force: true })
}

/** Returns the environment of the service, without rate limits, because the month passes in a minute. */
async function environment(): Promise<NodeJS.ProcessEnv> {
  const [api, form, simulator, operations] = [await freePort(), await freePort(), await freePort(), await freePort()]
  return {
    ...process.env,
    RIALTO_DATA_DIR: dataDir,
    RIALTO_RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    PORT: String(api),
    DASHBOARD_PORT: String(form),
    SIMULATOR_PORT: String(simulator),
    OPERATIONS_PORT: String(operations),
  }
}

async function pictureAll(browser: Browser, demo: DemoCredentials): Promise<void> {
  const dashboard = await signedIn(browser, demo)
  const { subscriptionId, paymentId } = await liveForAMonth(demo, () => makeSampleData(dashboard, demo))
  const pages: [name: string, path: string][] = [
    ['dashboard-home', 'home'],
    ['dashboard-payment', `payments/${paymentId}`],
    ['dashboard-subscription', `subscriptions/${subscriptionId}`],
  ]
  for (const [name, path] of pages) {
    await dashboard.goto(`${demo.dashboard_url}/dashboard/b/${demo.business_id}/${path}`)
    await picture(dashboard, name)
  }
  await picturePaymentPage(browser, demo)
}

async function picturePaymentPage(browser: Browser, demo: DemoCredentials): Promise<void> {
  const url = await newPaymentPage(demo)
  for (const [name, options] of [
    ['payment-page', DESK],
    ['payment-page-phone', PHONE],
  ] as const) {
    const page = await newPage(browser, options)
    await page.goto(url)
    await picture(page, name)
    await page.context().close()
  }
}

/** Signs in with the link that opens the dashboard of the demo's owner. */
async function signedIn(browser: Browser, demo: DemoCredentials): Promise<Page> {
  const command = spawn(process.execPath, [PROGRAM, 'dashboard', 'link', '--user', demo.username], { env })
  const link = await outputHas(command.stdout, '/dashboard/set-up#')
  const page = await newPage(browser, DESK)
  await page.goto(link.trim())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Later' }).click()
  return page
}

async function makeSampleData(page: Page, demo: DemoCredentials): Promise<void> {
  await page.goto(`${demo.dashboard_url}/dashboard/b/${demo.business_id}/test`)
  await page.getByRole('button', { name: 'Make sample data' }).click()
  await page.getByText('6 customers, 4 payments').waitFor()
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  return context.newPage()
}

async function picture(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(PICTURES, `${name}.png`) })
  console.log(`docs/pictures/${name}.png`)
}

/**
 * Waits for a line of output.
 *
 * @returns the first line that contains the text; everything after it is read and dropped
 */
async function outputHas(output: NodeJS.ReadableStream, text: string): Promise<string> {
  const lines = createInterface({ input: output })
  for await (const line of lines) {
    if (!line.includes(text)) continue
    output.resume()
    return line
  }
  throw new Error(`The command ended without "${text}"`)
}
