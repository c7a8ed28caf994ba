// What a payer waits for, in a real Chromium with an empty cache: the largest contentful paint of the payment page, and
// the first field of a form that a shop's page opens with the client library.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../test/support/browser.ts'
import type { Target } from './processes.ts'
import { median, table } from './report.ts'

export interface BenchShop {
  origin: string
  /** Sets the service in which the shop creates sessions, once it is known. */
  createAt(target: Target): void
  close(): Promise<void>
}

/** Opens a merchant's page and server, on an origin for which a client is registered. */
export async function openBenchShop(): Promise<BenchShop> {
  let target: Target | null = null
  const server = createServer(async (request, response) => {
    if (request.url === '/favicon.ico' || !target) return response.writeHead(404).end()
    if (request.url === '/') return response.setHeader('content-type', 'text/html').end(shopPage(target))
    const session = await createSession(target, request.url === '/rapid' ? 'rapid' : 'embedded', origin)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(session))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    createAt(wanted) {
      target = wanted
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

export async function measurePages(target: Target, shop: BenchShop, rounds: number): Promise<void> {
  const browser = await launchBrowser()
  try {
    // The first one starts the browser's own processes.
    await paintMs(browser, target, shop)
    const rows = [await row('payment page: largest contentful paint', () => paintMs(browser, target, shop), rounds)]
    for (const way of ['embedded', 'rapid'] as const) {
      rows.push(await row(`${way}: create() to a usable field`, () => usableMs(browser, shop, way), rounds))
    }
    console.log(`\nIn a real Chromium, nothing cached: medians of ${rounds}`)
    console.log(table(['what', 'ms (low to high)'], rows))
  } finally {
    await browser.close()
  }
}

async function row(what: string, measure: () => Promise<number>, rounds: number): Promise<string[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(Math.round(await measure()))
  return [what, `${median(times)} (${Math.min(...times)} to ${Math.max(...times)})`]
}

async function paintMs(browser: Browser, target: Target, shop: BenchShop): Promise<number> {
  const { checkout_url } = await createSession(target, 'hosted', shop.origin)
  return onPage(browser, checkout_url, (page) =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
            type: 'largest-contentful-paint',
            buffered: true,
          })
        }),
    ),
  )
}

/**
 * Measures until the first field has accepted a letter: a form that is visible but does not react yet is not usable.
 */
async function usableMs(browser: Browser, shop: BenchShop, way: 'embedded' | 'rapid'): Promise<number> {
  return onPage(browser, shop.origin, async (page) => {
    const ms = await page.evaluate(async (ui_mode) => {
      const began = performance.now()
      const { ServiceCheckout } = window as never as {
        ServiceCheckout: { create(data: object): Promise<{ opened: Promise<void> }> }
      }
      await (await ServiceCheckout.create({ ui_mode })).opened
      return performance.now() - began
    }, way)
    const field = page.frameLocator('iframe').locator('[name=cardnumber]')
    await field.pressSequentially('4')
    if ((await field.inputValue()) !== '4') throw new Error('The form said that it was ready, and took no letter')
    return ms
  })
}

async function onPage<Result>(browser: Browser, url: string, work: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'load' })
    return await work(page)
  } finally {
    await context.close()
  }
}

async function createSession({ url, businessId, shopToken }: Target, uiMode: string, origin: string) {
  const isRapid = uiMode === 'rapid'
  const urls = { ui_mode: uiMode, success_url: `${origin}/`, cancel_url: `${origin}/` }
  const response = await fetch(`${url}/api/${businessId}/${isRapid ? 'rapid-' : ''}checkout/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shopToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount_total: 25.99, customer_email: 'buyer@example.com', ...(isRapid ? {} : urls) }),
  })
  const { checkout_session } = (await response.json()) as { checkout_session?: { checkout_url: string } }
  if (!checkout_session) throw new Error(`A session was refused: ${response.status}`)
  return checkout_session
}

function shopPage({ url, businessId }: Target): string {
  const options = JSON.stringify({ businessId, apiBaseUrl: url, containerId: 'checkout' })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><script src="${url}/js/rialto-checkout.js"></script>
<body><h1>Shop</h1><div id="checkout"></div><script>
ServiceCheckout.init({ ...${options}, fetchSession: ({ ui_mode }) => fetch('/' + ui_mode).then((response) => response.json()) })
</script>`
}
