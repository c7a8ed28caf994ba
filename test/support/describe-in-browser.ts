import { after, afterEach, before, beforeEach, describe } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { borrowBrowser } from './browser.ts'
import { type ClientLibraryFixture, startClientLibrary } from './client-library-fixture.ts'
import { keptPages, type TakenPage } from './kept-page.ts'
import { type Changes, openView } from './payment-page-data.ts'
import {
  type OpenedScenario,
  type PaymentPageFixture,
  type Scenario,
  startPaymentPageFixture,
} from './payment-page-fixture.ts'
import { openRealShop, type RealShop } from './real-shop.ts'
import { standIn } from './stand-in.ts'

// Suites with a real browser. Tests refer to the browser, the page and the server by name, although these start only
// after the body of the suite has run.

interface InBrowser {
  browser: Browser
}

interface OnPaymentPage extends InBrowser {
  fixture: PaymentPageFixture
  /** The page of the running test, without cookies and anything else of an earlier test. */
  page: Page
  /** Opens another page for the running test, in a context with these options. */
  newPage(options: BrowserContextOptions): Promise<Page>
  /** Opens a payment page in `page`. `session`, `business` and `data` change its content. */
  open(
    scenario?: Partial<Scenario> & Changes,
    query?: string,
  ): Promise<OpenedScenario & { response: Awaited<ReturnType<Page['goto']>> }>
}

/** A suite for the payment page only: each test defines the responses of the API. */
export function describeInBrowser(name: string, body: (given: OnPaymentPage) => void): void {
  describeWithBrowser(name, startPaymentPageFixture, ({ browser, world: fixture }) => {
    let current: TakenPage | null = null
    const page = standIn(() => current?.page ?? null)
    const kept = keptPages(browser, () => fixture.blankUrl)
    async function newPage(options: BrowserContextOptions) {
      await current?.leave()
      const own = await browser.newContext(options)
      current = { page: await own.newPage(), leave: () => own.close() }
      return current.page
    }
    beforeEach(async () => {
      current = await kept.take()
    })
    afterEach(() => current?.leave())

    body({
      browser,
      fixture,
      page,
      newPage,
      async open({ session, business, data, comparedAddress, cvvRequired, ...scenario } = {}, query = '') {
        const changes = {
          ...(session && { session }),
          ...(business && { business }),
          ...(data && { data }),
          ...(comparedAddress && { comparedAddress }),
          ...(cvvRequired && { cvvRequired }),
        }
        const opened = fixture.open({ view: (frame) => openView(frame, changes), ...scenario })
        return { ...opened, response: await page.goto(opened.url + query) }
      },
    })
  })
}

/** A suite with a shop's pages, the library, the payment form and the whole service. */
export function describeInShop(name: string, body: (given: InBrowser & { shops: RealShop }) => void): void {
  describeWithBrowser(name, openRealShop, ({ browser, world: shops }) => body({ browser, shops }))
}

/** A suite for the library only, in a shop's page: each test defines the responses of service and form. */
export function describeClientLibrary(
  name: string,
  body: (given: InBrowser & { fixture: ClientLibraryFixture; page: Page }) => void,
): void {
  describeWithBrowser(name, startClientLibrary, ({ browser, world: fixture }) => {
    let current: TakenPage | null = null
    const kept = keptPages(browser, () => `${fixture.origin('shop')}/elsewhere`)
    beforeEach(async () => {
      fixture.response()
      current = await kept.take()
    })
    afterEach(() => current?.leave())
    body({ browser, fixture, page: standIn(() => current?.page ?? null) })
  })
}

/** A suite with a browser, and with a server that starts once and is closed after the browser. */
export function describeWithBrowser<World extends { close(): Promise<void> }>(
  name: string,
  start: () => Promise<World>,
  body: (given: InBrowser & { world: World }) => void,
): void {
  describe(name, () => {
    let borrowed: Awaited<ReturnType<typeof borrowBrowser>> | null = null
    let world: World | null = null
    before(async () => {
      ;[world, borrowed] = await Promise.all([start(), borrowBrowser()])
    })
    after(async () => {
      await borrowed?.giveBack()
      await world?.close()
    })
    body({ browser: standIn(() => borrowed?.browser ?? null), world: standIn(() => world) })
  })
}
