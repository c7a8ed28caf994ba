import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { describeInBrowser, describeInShop } from '../support/describe-in-browser.ts'
import { fillCard, fillForm, sessionStatus } from '../support/payment-page-steps.ts'
import { CANADIAN_CARD } from '../support/real-shop.ts'

// A browser caches the page that was left, and shows it at "Back", perhaps to somebody else: without the card.

const FORGOTTEN = { cardnumber: '', exp: '', cvc: '' }

const cardIn = (page: Page | Frame) =>
  page.evaluate(() =>
    Object.fromEntries(
      ['cardnumber', 'exp', 'cvc'].map((name) => [
        name,
        document.querySelector<HTMLInputElement>(`[name=${name}]`)?.value,
      ]),
    ),
  )

describeInBrowser('a payment page that was left', ({ page, open }) => {
  test('has no card when the payer comes back to it', async () => {
    await open({ status: [sessionStatus(false)] })
    await page.evaluate(() => {
      addEventListener(
        'pagehide',
        () => (window.name ||= [...document.querySelectorAll('input')].map(({ value }) => value).join()),
      )
    })
    await fillCard(page)
    await page.click('#cancel')
    await page.waitForURL('**/shop/cart**')
    // Listeners run in the order of registration: the page's own first.
    const left = await page.evaluate(() => window.name)
    equal(/4242|04 \/ 31|123/.test(left), false, left)
    await page.goBack()
    deepEqual(await cardIn(page), FORGOTTEN)
  })

  for (const [what, type, persisted, kept] of [
    ['hidden', 'pagehide', true, false],
    ['hidden for good', 'pagehide', false, false],
    ['shown again from what the browser kept', 'pageshow', true, false],
    ['shown for the first time', 'pageshow', false, true],
  ] as const)
    test(`${what}: the card ${kept ? 'stays' : 'goes, its picture and what was learned of it too'}`, async () => {
      await open({ status: [sessionStatus(false)] })
      const autofill = () => page.$$eval('input', (all) => all.map((one) => one.autocomplete).join())
      const before = await autofill()
      await fillCard(page)
      await page.evaluate((given) => dispatchEvent(new PageTransitionEvent(given.type, given)), { type, persisted })
      const { cardnumber } = await cardIn(page)
      equal(cardnumber, kept ? '4242 4242 4242 4242' : '')
      if (!kept) deepEqual(await cardIn(page), FORGOTTEN)
      equal(await page.locator('#detected-brand svg').count(), kept ? 1 : 0)
      deepEqual([await page.inputValue('[name=ccname]'), await autofill()], ['Ana Roy', before])
    })
})

describeInShop('a payment page that was left in a frame', ({ browser, shops }) => {
  for (const script of ['rialto-checkout', 'rapid'] as const)
    test(`of ${script}: the card goes too`, async () => {
      const shop = await shops.open(browser, { script })
      const urls = { success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` }
      const form = await shop.create(script === 'rapid' ? {} : urls)
      await fillForm(shop.inForm, CANADIAN_CARD)
      await form.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
      deepEqual(await cardIn(form), FORGOTTEN)
      await shop.end()
    })
})
