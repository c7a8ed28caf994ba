import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readClientLibrary, readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { openShopIn, type Shop } from './client-library-page.ts'
import { type KeptPages, keptPages, type TakenPage } from './kept-page.ts'
import { type SecondMerchant, secondMerchant } from './second-merchant.ts'
import { openService, type TestService } from './service.ts'

// A merchant's pages at http://localhost:PORT and the whole service behind the library: nothing here is simulated.

/** A card for the business in Canada that {@link secondMerchant} creates. */
export const CANADIAN_CARD = { postal: 'H2X 1Y4' }

/** How long Pay has to be in full view before a click pays with a saved card (PAG-129). */
export const VISIBLE_MS = 500

/** Waits longer than that. Nothing on the page shows when the time is over: the time is the rule. */
export const waitVisibleTime = (page: Page) => page.waitForTimeout(VISIBLE_MS + 400)

export interface RealShop {
  service: TestService
  merchant: SecondMerchant
  /** Returns an origin: `localhost` is the registered one; any other name is a foreign one. */
  origin(name?: string): string
  /** Opens a page with the library and a button, with its form in `#checkout`. */
  open(browser: Browser, options?: RealShopOptions): Promise<OpenedShop>
  /** Returns a browser token, as the merchant's server would create it. */
  browserToken(input?: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

interface RealShopOptions extends BrowserContextOptions {
  script?: 'rialto-checkout' | 'rapid'
  init?: Record<string, unknown>
  name?: string
}

export interface OpenedShop extends Shop {
  /** A locator inside the open form. */
  inForm: FrameLocator
  end(): Promise<void>
}

export async function openRealShop(): Promise<RealShop> {
  await buildBrowserBundles()
  const server = createServer((request, response) => servePage(request, response, service.url))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = (name = 'localhost') => `http://${name}:${port}`
  // In real time, so that a slow machine does not cause gateway timeouts.
  const service = await openService({ timeScale: 1, script: readPaymentFormScript(), library: readClientLibrary() })
  const merchant = await secondMerchant(service, { redirectUrl: origin() })
  const browserToken: RealShop['browserToken'] = async (input) => {
    const { status, body } = await merchant.post('/browser-tokens', { origin: origin(), max_uses: 20, ...input })
    if (status !== 200) throw new Error(`No browser token: ${JSON.stringify(body)}`)
    return body.browser_token
  }
  let kept: KeptPages | null = null
  return {
    service,
    merchant,
    origin,
    browserToken,
    async open(browser, { script = 'rialto-checkout', init = {}, name, ...options } = {}) {
      kept ??= keptPages(browser, () => `${origin()}/blank`)
      const { page, leave } = await (Object.keys(options).length === 0 ? kept.take() : newPage(browser, options))
      const shopPage = () => `${origin(name)}/shop?script=${script}`
      const shop = await openShopIn(page, { shopPage, origin: () => service.url }, shopPage())
      await shop.init({
        businessId: merchant.demo.business_id,
        containerId: 'checkout',
        authToken: await browserToken(),
        ...init,
      })
      return { ...shop, inForm: formIn(page), end: leave }
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([closed, service.close()])
    },
  }
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<TakenPage> {
  const page = await (await browser.newContext(options)).newPage()
  return { page, leave: () => page.context().close() }
}

function formIn(page: Page): FrameLocator {
  return page.frameLocator('iframe[src*="/customer/"]')
}

/** `/shop` has the library; `/frame?src=` frames any URL; the other paths are return URLs. */
function servePage(request: IncomingMessage, response: ServerResponse, apiUrl: string): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const framed = url.searchParams.get('src')
  const script =
    url.pathname === '/shop' ? `<script src="${apiUrl}/js/${url.searchParams.get('script')}.js"></script>` : ''
  const frame = framed ? `<iframe src="${framed.replaceAll('&', '&amp;')}" width="600" height="800"></iframe>` : ''
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shop</title>${script}<body><h1>Shop</h1><button id="buy">Buy</button><a id="link" href="#x">Link</a>
<div id="checkout"></div>${frame}<div id="tall"></div><script>document.getElementById('tall').style.height = '2000px'</script>`)
}
