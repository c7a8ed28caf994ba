import { equal, match } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readClientLibrary, readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { type ExampleShop, openExampleShop } from '../support/example-shop.ts'
import { fillForm, payInForm } from '../support/payment-page-steps.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

// The example from which people copy, as its customers see it.

const CARD = { postal: 'H2X 1Y4' }

async function start() {
  await buildBrowserBundles()
  const service = await openService({ timeScale: 1, script: readPaymentFormScript(), library: readClientLibrary() })
  const shop = await openExampleShop(service)
  return { service, shop, close: () => shop.close().then(() => service.close()) }
}

describeWithBrowser('the example shop', start, ({ browser, world }) => {
  let service: TestService
  let shop: ExampleShop
  before(() => {
    ;({ service, shop } = world)
  })

  const openPage = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(shop.url)
    return page
  }
  const form = (page: Page) => page.frameLocator('iframe[src*="/customer/"]')

  test('on a page of its own: the payer comes back, and the server has verified before it says thank you', async () => {
    const page = await openPage()
    await page.getByRole('button', { name: 'Pay on its own page' }).click()
    await page.waitForURL(`${service.formUrl}/customer/checkout/**`)
    await payInForm(page, CARD)
    await page.getByText('Thank you!').waitFor()
    equal(page.url(), `${shop.url}/thanks`)
    match(shop.said(), /Paid: ship it\. Receipt \S+/)
    await page.goto(shop.url)
    match((await page.locator('#orders li').first().textContent()) ?? '', /: 68\.00 CAD, shipped, receipt \S+/)
    await page.context().close()
  })

  test('a customer who keeps a card finds it at the next payment', async () => {
    const first = await openPage()
    await first.getByRole('button', { name: 'Pay in this page' }).click()
    await form(first).locator('#pay').waitFor()
    await fillForm(form(first), { ...CARD, cardnumber: CARDS.mastercard })
    await form(first).locator('[name=save_card]').check()
    await form(first).locator('#pay').click()
    await first.getByText('Thank you! Your receipt:').waitFor()
    await first.context().close()
    const second = await openPage()
    await second.getByRole('button', { name: 'Pay in this page' }).click()
    await form(second).getByText('4444').first().waitFor()
    await second.context().close()
  })

  for (const [name, button] of [
    ['in the page', 'Pay in this page'],
    ['in a modal', 'Pay in a modal'],
  ] as const)
    test(`${name}: the callback comes, and the server has verified before it says thank you`, async () => {
      const page = await openPage()
      await page.getByRole('button', { name: button }).click()
      await form(page).locator('#pay').waitFor()
      const newCard = form(page).getByLabel('New card')
      // Chromium drops a click on a frame that has just moved, because no person would be so fast.
      if ((await newCard.count()) > 0)
        await until('a new card is chosen', async () => {
          await newCard.click()
          return newCard.isChecked()
        })
      await payInForm(form(page), CARD)
      await page.getByText('Thank you! Your receipt:').waitFor()
      const log = await page.textContent('#log')
      match(log ?? '', /^onReady .*\nonSuccess .*"amount":68,"currency":"CAD".*\nverified by .*"payment_status":"PAID"/)
      await page.context().close()
    })
})
