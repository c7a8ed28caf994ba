import { deepEqual, equal, match } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { buildBrowserBundles } from '../../scripts/build-browser.ts'
import { readClientLibrary, readPaymentFormScript } from '../../server/browser-bundle.ts'
import { launchBrowser } from '../support/browser.ts'
import { freePorts } from '../support/free-ports.ts'
import { payInForm } from '../support/payment-page-steps.ts'
import { type SecondMerchant, secondMerchant } from '../support/second-merchant.ts'
import { openService, type TestService } from '../support/service.ts'

// The example that people copy from, as a program of its own.

const PROGRAM = fileURLToPath(new URL('../../examples/shop/open.mjs', import.meta.url))
const CARD = { postal: 'H2X 1Y4' }

describe('the example shop', () => {
  let service: TestService
  let merchant: SecondMerchant
  let browser: Browser
  let shop: ChildProcess
  let folder: string
  let url: string
  let said = ''

  before(async () => {
    await buildBrowserBundles()
    const [port] = await freePorts()
    url = `http://localhost:${port}`
    ;[service, browser] = await Promise.all([
      openService({ timeScale: 1, script: readPaymentFormScript(), library: readClientLibrary() }),
      launchBrowser(),
    ])
    merchant = await secondMerchant(service, { redirectUrl: url })
    folder = await mkdtemp(join(tmpdir(), 'rialto-shop-'))
    const file = join(folder, 'shop.json')
    // Its access token is no longer good, as after a day: the shop refreshes it by itself.
    await writeFile(file, JSON.stringify({ ...merchant.demo, access_token: 'rc_at_old' }))
    shop = spawn(process.execPath, [PROGRAM], {
      env: { ...process.env, SHOP_CREDENTIALS: file, SHOP_PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    shop.stdout?.on('data', (text) => {
      said += text
    })
    await once(shop.stdout as NonNullable<typeof shop.stdout>, 'data')
  })
  after(async () => {
    const ended = once(shop, 'exit')
    shop.kill()
    await ended
    await browser.close()
    await service.close()
    await rm(folder, { recursive: true })
  })

  const openPage = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(url)
    return page
  }
  const form = (page: Page) => page.frameLocator('iframe[src*="/customer/"]')

  test('on a page of its own: the payer comes back, and the server has verified before it says thank you', async () => {
    const page = await openPage()
    await page.getByRole('button', { name: 'Pay on its own page' }).click()
    await page.waitForURL(`${service.formUrl}/customer/checkout/**`)
    await payInForm(page, CARD)
    await page.getByText('Thank you!').waitFor()
    equal(page.url(), `${url}/thanks`)
    match(said, /Paid: ship it\. Receipt \S+/)
    await page.context().close()
  })

  for (const [name, button] of [
    ['in the page', 'Pay in this page'],
    ['in a modal', 'Pay in a modal'],
  ] as const)
    test(`${name}: the callback comes, and the server has verified before it says thank you`, async () => {
      const page = await openPage()
      await page.getByRole('button', { name: button }).click()
      await payInForm(form(page), CARD)
      await page.getByText('Thank you! Your receipt:').waitFor()
      const log = await page.textContent('#log')
      match(log ?? '', /^onReady .*\nonSuccess .*"amount":68,"currency":"CAD".*\nverified by .*"payment_status":"PAID"/)
      await page.context().close()
    })

  test('its server believes Rialto and nobody else', async () => {
    const { body } = await merchant.createSession({ success_url: url, cancel_url: url, amount_total: 68 })
    const verify = async (session_token: string) => {
      const response = await fetch(`${url}/verify`, {
        method: 'POST',
        body: JSON.stringify({ session_token }),
        signal: AbortSignal.timeout(10_000),
      })
      return response.json()
    }
    deepEqual(await verify(body.checkout_session.token), { session_status: 'PENDING', payment_status: 'UNPAID' })
    match((await verify('x'.repeat(64))).message, /\S/)
  })
})
