import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { findBusiness } from '../../server/businesses/business-queries.ts'
import { revokeCardLinks } from '../../server/checkout/sessions/revoke-card-links.ts'
import { accessibilityFaults } from '../support/accessibility.ts'
import { CARDS } from '../support/card-numbers.ts'
import { cardLinkOf } from '../support/customer-card-link.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { payByCard } from '../support/payment-page-steps.ts'
import { openService, type TestService } from '../support/service.ts'
import { VERIFIED_CARDS } from '../support/sign-up.ts'

// CHK-60: the page that a customer sees whom the merchant asks for a card.

const CARD = { postal: '10001', cardnumber: CARDS.mastercard }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

async function start(): Promise<TestService> {
  await buildBrowserBundles()
  return openService({ script: readPaymentFormScript() })
}

describeWithBrowser('the page where a customer stores a card', start, ({ browser, world: service }) => {
  async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', bypassCSP: true, ...options })
    const page = await context.newPage()
    await page.goto(url)
    return page
  }

  async function asked() {
    const api = merchantApiOf(service)
    const { id } = await api.made('/customers', { name: 'Ana Roy' })
    const url = await cardLinkOf(service, id)
    const cards = async (): Promise<string[]> =>
      (await api.get(`/payment_methods?customer=${id}`)).body.data.map(
        ({ card }: { card: { last4: string } }) => card.last4,
      )
    return { id, url, cards }
  }

  async function shot(page: Page, name: string): Promise<void> {
    const folder = process.env.SCREENSHOTS
    if (folder) await page.screenshot({ fullPage: true, path: `${folder}/customer-card-link-${name}.png` })
  }

  // The locales are a part of the first journey: what they say is there before anything is pressed.
  const LOCALES = [
    ['fr-CA', 'Enregistrer une carte pour Demo Shop', /^Rien n’est débité maintenant/],
    ['es', 'Guardar una tarjeta para Demo Shop', /^No se cobra nada ahora/],
  ] as const

  for (const [size, options, locales] of [
    ['desk', {}, []],
    ['phone', PHONE, LOCALES],
  ] as const)
    test(`says that nothing is charged, in each language, saves the card, and says later that it was used (${size})`, async () => {
      const { url, cards } = await asked()
      const page = await openPage(url, options)
      equal(await page.textContent('h1'), 'Save a card for Demo Shop')
      equal(await page.textContent('.total strong'), '$0.00')
      match((await page.locator('.plan').textContent()) ?? '', /^Nothing is charged now\. Demo Shop keeps this card/)
      match(await page.innerText('main'), /saved for later payments to Demo Shop\. You can withdraw/)
      equal(await page.textContent('#pay-label'), 'Save card')
      deepEqual([await page.locator('#cancel').count(), await page.locator('#save_card').count()], [0, 0])
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
      await payByCard(page, { ...CARD, cardnumber: VERIFIED_CARDS.declined })
      await page.getByText('2 attempts left.').waitFor()
      deepEqual(await cards(), [])
      await payByCard(page, CARD)
      await page.getByText('Your card is saved').first().waitFor()
      match(await page.innerText('main'), /Nothing was charged\. You can close this page\./)
      deepEqual(await accessibilityFaults(page), [])
      await shot(page, `${size}-saved`)
      deepEqual(await cards(), ['4444'])
      await page.goto(url)
      match(await page.innerText('main'), /Your card is saved\s+This link was used/)
      await page.context().close()
    })

  test('works without JavaScript', async () => {
    const { url, cards } = await asked()
    const page = await openPage(url, { javaScriptEnabled: false })
    await payByCard(page, CARD)
    match(await page.innerText('main'), /Your card is saved\s+Nothing was charged/)
    deepEqual(await cards(), ['4444'])
    await page.context().close()
  })

  test('is saved once, however often the button is pressed', async () => {
    const { url, cards } = await asked()
    const page = await openPage(url)
    await page.route('**/pay', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/pay') && sent.push(request.url()))
    await payByCard(page, CARD)
    await page.locator('#pay').dispatchEvent('click')
    await page.getByText('Your card is saved').first().waitFor()
    deepEqual([sent.length, await cards()], [1, ['4444']])
    await page.context().close()
  })

  test('CHK-142: a page that is open when its link is revoked saves no card and says so', async () => {
    const { url, cards, id } = await asked()
    const page = await openPage(url)
    const business = await findBusiness(service.app.services.db, service.demo.business_id)
    if (business) await revokeCardLinks(service.app.services, { business, customerId: id })
    await payByCard(page, CARD)
    await page.getByText('Demo Shop cancelled this request to save a card.').waitFor()
    deepEqual([await cards(), await page.locator('form').count()], [[], 0])
    await page.goto(`${url}?locale=fr-CA`)
    match(await page.innerText('main'), /Demo Shop a annulé cette demande d’enregistrer une carte/)
    deepEqual(await accessibilityFaults(page), [])
    await shot(page, 'revoked')
    await page.context().close()
  })
})
