import { deepEqual, equal, match } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { type Merchant, merchantOf, payerOf, send } from '../support/merchant.ts'
import { payByCard } from '../support/payment-page-steps.ts'
import { openService, type TestService } from '../support/service.ts'

// The page and the service together, in a real browser: actions of a payer, and what a merchant reads afterwards.

const US_CARD = { postal: '10001' }

async function start(): Promise<TestService> {
  await buildBrowserBundles()
  return openService({ script: readPaymentFormScript() })
}

describeWithBrowser('a hosted payment', start, ({ browser, world: service }) => {
  let merchant: Merchant
  before(() => {
    merchant = merchantOf(service)
  })

  /** Opens the page. The shop does not exist on this machine: its pages are intercepted here. */
  async function openPage(token: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', ...options })
    await context.route('https://shop.example/**', (route) =>
      route.fulfill({ body: 'The shop', contentType: 'text/html' }),
    )
    const page = await context.newPage()
    await page.goto(`${service.formUrl}/customer/checkout/${token}`)
    return page
  }

  const session = async (token: string) => (await merchant.details(token)).body.checkout_session

  test('4242 4242 4242 4242 lands on success_url with the token, and the merchant reads COMPLETED and PAID', async () => {
    const token = await merchant.sessionToken({ success_url: 'https://shop.example/thanks?order=7#receipt' })
    const page = await openPage('0'.repeat(64))
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    await page.goto(`${service.formUrl}/customer/checkout/${token}`)
    match((await page.textContent('body')) ?? '', /\$25\.50/)
    await payByCard(page, US_CARD)
    await page.waitForURL('https://shop.example/**')
    // The page itself asks nobody but us.
    deepEqual([...asked].sort(), [service.formUrl, service.demo.base_url, 'https://shop.example'].sort())
    const url = new URL(page.url())
    equal(url.searchParams.get('order'), '7')
    equal(url.searchParams.get('session_token'), token)
    equal(url.searchParams.get('session_id'), token)
    equal(url.hash, '#receipt')
    const { body } = await merchant.details(token)
    equal(body.checkout_session.session_status, 'COMPLETED')
    equal(body.checkout_session.payment_status, 'PAID')
    equal(body.transaction.details.amount, 25.5)
    await page.context().close()
  })

  test('a decline says so with the attempts left, and another card pays', async () => {
    const token = await merchant.sessionToken()
    const page = await openPage(token)
    await payByCard(page, { ...US_CARD, cardnumber: CARDS.declined })
    await page.waitForSelector('#alert:not([hidden])')
    match((await page.textContent('#alert')) ?? '', /2 attempts left/)
    await payByCard(page, US_CARD)
    await page.waitForURL('https://shop.example/thanks**')
    equal((await session(token)).attempt_count, 1)
    await page.context().close()
  })

  test('the third decline closes the session and leads back to the shop', async () => {
    const token = await merchant.sessionToken()
    const page = await openPage(token)
    for (const left of [2, 1]) {
      await payByCard(page, { ...US_CARD, cardnumber: CARDS.declined })
      await page.waitForFunction(
        (count) => document.querySelector('#alert')?.textContent?.includes(`${count} attempt`),
        left,
      )
    }
    await payByCard(page, { ...US_CARD, cardnumber: CARDS.declined })
    await page.waitForURL('https://shop.example/cart**', { timeout: 15_000 })
    equal((await session(token)).session_status, 'FAILED')
    await page.context().close()
  })

  test('CAS-16: two tabs pay at once: one charge, and the other tab ends on the truth', async () => {
    const token = await merchant.sessionToken()
    const tabs = await Promise.all([openPage(token), openPage(token)])
    await Promise.all(tabs.map((tab) => payByCard(tab, US_CARD)))
    // The tab that paid goes to the shop; the other one says that it is paid, or goes there too if it only had to wait.
    const isPaid = () =>
      location.host === 'shop.example' || document.body.innerText.includes('This payment is complete')
    await Promise.all(tabs.map((tab) => tab.waitForFunction(isPaid, null, { timeout: 20_000 })))
    const { ledger } = await charges(token)
    equal(ledger, 1)
    await Promise.all(tabs.map((tab) => tab.context().close()))
  })

  test('silence: the page checks, never says declined, and when nothing was charged the payer can pay again', async () => {
    const token = await merchant.sessionToken()
    await service.app.startWorker()
    const page = await openPage(token)
    await payByCard(page, { ...US_CARD, cardnumber: CARDS.silentNotRecorded })
    await page.waitForFunction(() => document.body.innerText.includes('Do not pay again yet'))
    equal((await payerOf(service).pay(token)).body.code, 'payment_in_progress')
    await page.waitForFunction(() => document.body.innerText.includes('You have not been charged'), null, {
      timeout: 60_000,
    })
    equal((await session(token)).attempt_count, 0)
    await payByCard(page, US_CARD)
    await page.waitForURL('https://shop.example/thanks**')
    await page.context().close()
  })

  test('without JavaScript the form pays, and a decline comes back as the page', async () => {
    const token = await merchant.sessionToken()
    const page = await openPage(token, { javaScriptEnabled: false })
    await payByCard(page, { ...US_CARD, cardnumber: CARDS.declined })
    await page.waitForSelector('text=2 attempts left')
    await payByCard(page, US_CARD)
    await page.waitForSelector('text=Payment approved')
    equal((await session(token)).session_status, 'COMPLETED')
    await page.context().close()
  })

  test('a browser that is too old for the script pays as without JavaScript', async () => {
    const token = await merchant.sessionToken()
    const page = await openPage('0'.repeat(64))
    await page.addInitScript(() => Reflect.deleteProperty(AbortSignal, 'timeout'))
    const faults: Error[] = []
    page.on('pageerror', (error) => faults.push(error))
    await page.goto(`${service.formUrl}/customer/checkout/${token}`)
    await payByCard(page, { ...US_CARD, cardnumber: CARDS.declined })
    await page.waitForSelector('text=2 attempts left')
    await payByCard(page, US_CARD)
    await page.waitForSelector('text=Payment approved')
    equal((await session(token)).session_status, 'COMPLETED')
    deepEqual(faults, [])
    await page.context().close()
  })

  test('every closed state has its page, and a token that nobody made is not found', async () => {
    const cancelled = await merchant.sessionToken()
    await merchant.cancel(cancelled)
    const pageOf = (token: string) => send(`${service.formUrl}/customer/checkout/${token}`)
    match(String((await pageOf(cancelled)).body), /<main[\s\S]*Demo Shop cancelled this payment request/)
    const unknown = await pageOf('0'.repeat(64))
    equal(unknown.status, 404)
    match(unknown.headers.get('content-type') ?? '', /text\/html/)
    match(String(unknown.body), /<h1[^>]*>[^<]+<\/h1>/)
  })

  async function charges(token: string): Promise<{ ledger: number }> {
    const { id } = await session(token)
    const sales = await service.app.services.db
      .selectFrom('operation')
      .select('merchant_ref')
      .where('owner_id', '=', id)
      .where('kind', '=', 'sale')
      .execute()
    const rows = await Promise.all(
      sales.map(({ merchant_ref }) => service.simulator.rows({ merchantRef: merchant_ref })),
    )
    return { ledger: rows.flat().filter((row) => row.op === 'sale' && row.recorded).length }
  }
})
