import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { accessibilityFaults } from '../support/accessibility.ts'
import { CARDS } from '../support/card-numbers.ts'
import { replacementLinkOf } from '../support/customer-card-link.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { payByCard } from '../support/payment-page-steps.ts'
import { openService, type TestService } from '../support/service.ts'
import { VERIFIED_CARDS } from '../support/sign-up.ts'
import { makeSubscriber, subscriptionBody } from '../support/subscriber.ts'

// SUB-48: the page that the customer of a running subscription sees when the card link is opened.

const OTHER_CARD = { postal: '10001', cardnumber: CARDS.mastercard }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

async function start(): Promise<TestService> {
  await buildBrowserBundles()
  return openService({ script: readPaymentFormScript() })
}

describeWithBrowser('the page of a card link', start, ({ browser, world: service }) => {
  async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', bypassCSP: true, ...options })
    const page = await context.newPage()
    await page.goto(url)
    return page
  }

  async function linked(): Promise<{ id: string; url: string; card(): Promise<string> }> {
    const api = merchantApiOf(service)
    const { id } = await api.made('/subscriptions', subscriptionBody(await makeSubscriber(service)))
    const url = await replacementLinkOf(service, id)
    return { id, url, card: async () => (await api.get(`/subscriptions/${id}`)).body.payment_method }
  }

  async function shot(page: Page, name: string): Promise<void> {
    const folder = process.env.SCREENSHOTS
    if (folder) await page.screenshot({ fullPage: true, path: `${folder}/card-link-${name}.png` })
  }

  // The locales are a part of the first journey: what they say is there before anything is pressed.
  const LOCALES = [
    ['fr-CA', 'Mettre à jour votre carte chez Demo Shop', /^Rien n’est débité maintenant/],
    ['es', 'Actualizar su tarjeta en Demo Shop', /^No se cobra nada ahora/],
  ] as const

  for (const [size, options, locales] of [
    ['desk', {}, []],
    ['phone', PHONE, LOCALES],
  ] as const)
    test(`says that nothing is charged, in each language, saves the card, and says later that it was used (${size})`, async () => {
      const { url, card } = await linked()
      const before = await card()
      const page = await openPage(url, options)
      equal(await page.textContent('h1'), 'Update your card at Demo Shop')
      equal(await page.textContent('.total strong'), '$0.00')
      match((await page.locator('.plan').textContent()) ?? '', /^Nothing is charged now\./)
      equal(await page.textContent('#pay-label'), 'Save card')
      equal(await page.locator('#cancel').count(), 0)
      deepEqual(await accessibilityFaults(page), [])
      await shot(page, size)
      for (const [locale, title, note] of locales) {
        await page.goto(`${url}?locale=${locale}`)
        equal(await page.textContent('h1'), title)
        match((await page.locator('.plan').textContent()) ?? '', note)
        deepEqual(await accessibilityFaults(page), [], locale)
        await shot(page, locale)
      }
      if (locales.length > 0) await page.goto(url)
      await payByCard(page, { ...OTHER_CARD, cardnumber: VERIFIED_CARDS.declined })
      await page.getByText('2 attempts left.').waitFor()
      equal(await card(), before)
      await payByCard(page, OTHER_CARD)
      await page.getByText('Your card is updated').first().waitFor()
      match(await page.innerText('main'), /Nothing was charged\. Demo Shop will charge this card from now on/)
      deepEqual(await accessibilityFaults(page), [])
      await shot(page, `${size}-saved`)
      equal((await card()) === before, false)
      await page.goto(url)
      match(await page.innerText('main'), /This link was used, and your new card is saved/)
      await shot(page, `${size}-used`)
      await page.context().close()
    })

  test('works without JavaScript', async () => {
    const { url, card } = await linked()
    const before = await card()
    const page = await openPage(url, { javaScriptEnabled: false })
    await payByCard(page, OTHER_CARD)
    match(await page.innerText('main'), /Your card is updated\s+Nothing was charged/)
    equal((await card()) === before, false)
    await page.context().close()
  })
})
