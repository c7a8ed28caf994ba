import { deepEqual } from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { DashboardAssets } from '../../../server/dashboard/document.ts'
import { signIn } from '../dashboard.ts'
import type { OnDashboard } from '../describe-dashboard.ts'
import { openService, type TestService, type TestServiceOptions } from '../service.ts'
import { standIn } from '../stand-in.ts'
import { type ContextOptions, DomContext } from './dom-context.ts'
import type { DomPage } from './dom-page.ts'

/** The documents name files that no page without a browser loads. */
const ASSETS: DashboardAssets = {
  begin: 'begin.js',
  script: 'main.js',
  preloads: [],
  styles: [],
  pages: {},
  files: new Map(),
}

/**
 * Defines a suite with the whole service and the dashboard, whose pages run in this process in the DOM of happy-dom. It
 * has no layout, no policy, no focus by Tab and no other documents: tests of these belong to `describeDashboard`.
 * A test fails if a script throws.
 */
export function describeDashboardInDom(
  name: string,
  body: (given: OnDashboard) => void,
  options: TestServiceOptions = {},
): void {
  describe(name, () => {
    let opened: TestService | null = null
    const contexts: DomContext[] = []
    const faults: string[] = []
    const service = standIn(() => opened)
    before(async () => {
      opened = await openService({ ...options, dashboard: ASSETS })
    })
    after(() => opened?.close())
    beforeEach(() => void faults.splice(0))
    afterEach(async () => {
      for (const context of contexts.splice(0)) await context.close()
      deepEqual(faults, [])
    })
    async function newPage(given: ContextOptions = {}, cookie?: string): Promise<DomPage> {
      const context = new DomContext(given, (page) => page.on('pageerror', (error) => faults.push(textOf(error))))
      contexts.push(context)
      const [cookieName = '', value = ''] = cookie?.split('=') ?? []
      if (cookie) context.network.cookies.set(cookieName, value)
      await delayCalls(context)
      return context.newPage()
    }
    body({
      service,
      async open({ path = 'home', as, context, ...person } = {}) {
        const client = as ?? (await signIn(service, person))
        const page = await newPage(context, client.cookie)
        const businessId = person.businessId ?? service.demo.business_id
        await page.goto(service.formUrl + (path.startsWith('/') ? path : `/dashboard/b/${businessId}/${path}`))
        return { page: page as unknown as Page, client }
      },
      async openSignedOut(path, context) {
        const page = await newPage(context)
        await page.goto(service.formUrl + path)
        return page as unknown as Page
      },
    })
  })
}

const textOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** As in `describeDashboard`: a test that only passes because its machine is fast fails. */
async function delayCalls(context: DomContext): Promise<void> {
  const delayMs = Number(process.env.DELAY_CALLS_MS ?? 0)
  if (delayMs === 0) return
  await context.route('**/dashboard/api/**', async (route) => {
    await sleep(route.request().method() === 'GET' ? delayMs / 3 : delayMs)
    await route.continue()
  })
}
