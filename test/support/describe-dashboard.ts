import { deepEqual } from 'node:assert/strict'
import { afterEach, beforeEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../contract/permissions.ts'
import { buildDashboard } from '../../server/browser-bundle/build-dashboard.ts'
import { readDashboard } from '../../server/browser-bundle/read-dashboard.ts'
import { accessibilityFaults } from './accessibility.ts'
import { type DashboardClient, signIn } from './dashboard.ts'
import { describeWithBrowser } from './describe-in-browser.ts'
import { openService, type TestService, type TestServiceOptions } from './service.ts'

interface OpenOptions {
  role?: Role
  /** Path within the business: `payments`; a path that begins with / is used as it is. */
  path?: string
  isSteppedUp?: boolean
  businessId?: string
  /** Opens another tab or browser of the same person. */
  as?: DashboardClient
  context?: BrowserContextOptions
}

interface OpenedPage {
  page: Page
  /** The signed-in person, whose calls use the same session. */
  client: DashboardClient
}

/** Without motion: otherwise a test would wait for each dialog's animations. */
const USUAL: BrowserContextOptions = { locale: 'en-CA', timezoneId: 'America/Toronto', reducedMotion: 'reduce' }

export interface OnDashboard {
  service: TestService
  /** Opens a page of a person with this role, in a separate browser context. It is closed after the test. */
  open(options?: OpenOptions): Promise<OpenedPage>
  /** Opens a page without signing in. */
  openSignedOut(path: string, context?: BrowserContextOptions): Promise<Page>
}

/**
 * Defines a suite with the whole service, the built dashboard and a browser. A test fails if a page violates its
 * policy, or if a script throws.
 */
export function describeDashboard(
  name: string,
  body: (given: OnDashboard) => void,
  options: TestServiceOptions = {},
): void {
  describeWithBrowser(
    name,
    () => openBuilt(options),
    ({ browser, world: service }) => {
      const opened: Page[] = []
      const faults: string[] = []
      beforeEach(() => void faults.splice(0))
      afterEach(async () => {
        for (const page of opened.splice(0)) await page.context().close()
        deepEqual(faults, [])
      })
      async function newPage(context: BrowserContextOptions = {}, cookie?: string): Promise<Page> {
        const made = await browser.newContext({ ...USUAL, ...context })
        if (cookie) await made.addCookies([cookieOf(cookie, service.formUrl)])
        await delayCalls(made)
        const page = await made.newPage()
        opened.push(page)
        collectFaults(page, faults)
        return page
      }
      body({
        service,
        async open({ path = 'home', as, context, ...person } = {}) {
          const client = as ?? (await signIn(service, person))
          const page = await newPage(context, client.cookie)
          const businessId = person.businessId ?? service.demo.business_id
          await page.goto(service.formUrl + (path.startsWith('/') ? path : `/dashboard/b/${businessId}/${path}`))
          return { page, client }
        },
        async openSignedOut(path, context) {
          const page = await newPage(context)
          await page.goto(service.formUrl + path)
          return page
        },
      })
    },
  )
}

async function openBuilt(options: TestServiceOptions): Promise<TestService> {
  await buildDashboard()
  const dashboard = readDashboard()
  if (!dashboard) throw new Error('The dashboard was not built')
  return openService({ ...options, dashboard })
}

/**
 * With the variable DELAY_CALLS_MS, every write of the pages reaches the service that much later, and every read a
 * third of it: a test that only passes because its machine is fast fails.
 */
async function delayCalls(context: BrowserContext): Promise<void> {
  const delayMs = Number(process.env.DELAY_CALLS_MS ?? 0)
  if (delayMs === 0) return
  await context.route('**/dashboard/api/**', async (route) => {
    await sleep(route.request().method() === 'GET' ? delayMs / 3 : delayMs)
    // The page may have been closed meanwhile.
    await route.continue().catch(() => {})
  })
}

function cookieOf(text: string, url: string) {
  const [name = '', value = ''] = text.split('=')
  return { name, value, url, httpOnly: true, sameSite: 'Strict' as const }
}

/** Messages of the console about a violation of the policy, or a fault of our document. */
const FAULT =
  /Content Security Policy|Content-Security-Policy|Trusted ?Type|violates the following|Permissions-Policy|credentials mode/i

/** Message about a page of another site that frames ours, which is refused as it should be. */
const FRAMING = /^Framing /

/** Collects faults, including everything that a script throws. */
function collectFaults(page: Page, faults: string[]): void {
  page.on('console', (message) => {
    if (FAULT.test(message.text()) && !FRAMING.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
}

/** Runs axe, in light and dark by default. The policy stays in force: Chromium evaluates what the debugger sends. */
export async function expectAccessible(page: Page, schemes: ('light' | 'dark')[] = ['light', 'dark']): Promise<void> {
  for (const [index, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Rows are dimmed while new ones are loading.
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    deepEqual(await accessibilityFaults(page, index === 0 ? 'everything' : 'colors'), [], colorScheme)
  }
}

/** Expects that nothing is cut off or wider than a phone of 320 px; tables scroll within their own region. */
export async function expectFits(page: Page, width = 320): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize({ width, height: 800 })
  deepEqual(await page.evaluate(widerThanWindow), [])
  if (before) await page.setViewportSize(before)
}

/** Returns some of the elements that make the page wider than its window. Runs in the page. */
export function widerThanWindow(): string[] {
  if (document.documentElement.scrollWidth <= innerWidth) return []
  const all = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth)
  return all.slice(0, 5).map((one) => one.outerHTML.slice(0, 200))
}

const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

/**
 * Takes screenshots for people, in the folder of the variable SCREENSHOTS: desktop and phone, light and dark. Does
 * nothing without it.
 */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  const before = page.viewportSize()
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: `${folder}/${name}-${size}-${colorScheme}.png`, fullPage: true })
    }
  }
  if (before) await page.setViewportSize(before)
}
