import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { accessibilityFaults } from '../support/accessibility.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { send } from '../support/merchant.ts'
import { openService } from '../support/service.ts'

const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
const OPERATION = '#tag/prices/POST/api/v1/prices'

interface Opened extends AsyncDisposable {
  page: Page
  /** All requested URLs. */
  asked: string[]
  /** Complaints of the browser: errors, and requests that the policy blocked. */
  complaints: string[]
}

describeWithBrowser('The API reference at {base_url}/docs', openService, ({ browser, world: service }) => {
  /** Returns the configured URL: under a different name the page redirects there first (OPS-124). */
  const base = () => service.url.replace('127.0.0.1', 'localhost')

  async function openReference(options: BrowserContextOptions, fragment = ''): Promise<Opened> {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => void complaints.push(String(error)))
    await page.goto(`${base()}/docs${fragment}`)
    await page.getByRole('heading', { name: 'Create a price' }).first().waitFor()
    return { page, asked, complaints, [Symbol.asyncDispose]: () => context.close() }
  }

  for (const [device, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
    test(`shows the operations on a ${device}, asks nobody but this service, has nothing to try keys in, and axe finds nothing, light and dark`, async () => {
      await using opened = await openReference({ viewport }, OPERATION)
      const { page, asked, complaints } = opened
      // The samples are added after the rest of the page.
      await page.getByText('YOUR_SECRET_TOKEN').first().waitFor()
      const outside = asked.filter((url) => !url.startsWith(`${base()}/`) && !/^(?:data|blob):/.test(url))
      deepEqual(outside, [])
      deepEqual(complaints, [])
      equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width)
      const buttons = page.getByRole('button', { name: /test request|^send|ask ai|api client/i })
      deepEqual(await buttons.allTextContents(), [])
      equal(await page.locator('input[type=password], textarea').count(), 0)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.waitForFunction((wanted) => document.body.classList.contains(wanted), `${colorScheme}-mode`)
        const only = colorScheme === 'light' ? 'everything' : 'colors'
        deepEqual(await accessibilityFaults(page, only), [], colorScheme)
      }
    })
  }

  test('lets no script run but its own, and nothing frame it', async () => {
    const { headers, body } = await send(`${service.url}/docs`)
    const policy = headers.get('content-security-policy') ?? ''
    match(policy, /default-src 'none'; script-src 'self' 'sha256-[\w+/]+=*';/)
    match(policy, /connect-src 'self';.*frame-ancestors 'none'/)
    ok(!/https?:/.test(body), 'the page names no other address')
  })

  test('its script is kept for ever under a name of its version', async () => {
    const { body } = await send(`${service.url}/docs`)
    const [, script = ''] = /<script src="([^"]+)">/.exec(body) ?? []
    const { status, headers } = await send(service.url + script)
    equal(status, 200)
    match(script, /^\/docs\/viewer-\d+\.\d+\.\d+\.js$/)
    match(headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    match(headers.get('content-type') ?? '', /^text\/javascript/)
  })
})
