import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { isSubmitting } from '../support/client-library-page.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { choicesOf, clickTwice, doubleClickTest, placesOf, SIZES, watchPlaces } from '../support/double-click.ts'
import { fillForm, payInForm } from '../support/payment-page-steps.ts'
import { CANADIAN_CARD } from '../support/real-shop.ts'

// A double click in a frame of the shop's page and in its modal: the second click reaches nothing in the form, and
// nothing in the shop.

const DECLINED = { ...CANADIAN_CARD, cardnumber: CARDS.declined }
/** Gaps in milliseconds. The element under the pointer depends on the screen size, the work in progress on the gap. */
const GAPS = { 'a phone': [0, 300, 500], 'a desk': [300] }

describeInShop('a double click on Pay in the page of a shop', ({ shops, browser }) => {
  for (const script of ['rialto-checkout', 'rapid'] as const)
    for (const size of ['a phone', 'a desk'] as const) {
      async function open() {
        const shop = await shops.open(browser, { script, viewport: SIZES[size] })
        const urls = { success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` }
        const form = await shop.create(script === 'rapid' ? {} : urls)
        // Records clicks on the shop's own page.
        await shop.page.evaluate(() => {
          const clicked: string[] = []
          Object.assign(window, { clicked })
          document.addEventListener(
            'click',
            ({ target }) => clicked.push((target as Element).outerHTML.slice(0, 60)),
            true,
          )
        })
        const clicked = () => shop.page.evaluate(() => (window as unknown as { clicked: string[] }).clicked)
        return { shop, form, clicked }
      }

      for (const gap of GAPS[size]) {
        doubleClickTest(
          `${script}, ${size}, ${gap} ms: a second decline is one attempt, nothing moves, nothing is cancelled`,
          async () => {
            const { shop, form, clicked } = await open()
            await payInForm(shop.inForm, DECLINED)
            await shop.inForm.getByText('2 attempts left.').waitFor()
            await fillForm(shop.inForm, DECLINED)
            await watchPlaces(form)
            const choices = await choicesOf(form)
            await clickTwice(shop.page, shop.inForm.locator('#pay'), gap)
            await shop.inForm.getByText('1 attempt left.').waitFor()
            await shop.page.waitForTimeout(100)
            deepEqual([await shop.calls(), await clicked(), await choicesOf(form)], [[], [], choices])
            equal((await placesOf(form)).length, 1, (await placesOf(form)).join('\n'))
            await shop.end()
          },
        )

        doubleClickTest(
          `${script}, ${size}, ${gap} ms: the last decline is told once, and the shop is not clicked`,
          async () => {
            const { shop, clicked } = await open()
            for (const left of ['2 attempts left.', '1 attempt left.']) {
              await payInForm(shop.inForm, DECLINED)
              await shop.inForm.getByText(left).waitFor()
            }
            await fillForm(shop.inForm, DECLINED)
            await clickTwice(shop.page, shop.inForm.locator('#pay'), gap)
            equal((await shop.called('error')).error_code, 'max_attempts_reached')
            await shop.inForm.getByText('Payment closed').waitFor()
            deepEqual([(await shop.calls()).length, await clicked()], [1, []])
            await shop.end()
          },
        )

        doubleClickTest(
          `${script}, ${size}, ${gap} ms: an approval is told once, and the shop is not clicked`,
          async () => {
            const { shop, clicked } = await open()
            await fillForm(shop.inForm, CANADIAN_CARD)
            await clickTwice(shop.page, shop.inForm.locator('#pay'), gap)
            await shop.called('success')
            await shop.page.waitForTimeout(100)
            deepEqual([(await shop.calls()).length, await clicked()], [1, []])
            await shop.end()
          },
        )
      }
    }

  test('Enter, Enter in the modal is one attempt, and Escape just after it closes nothing', async () => {
    const shop = await shops.open(browser, { script: 'rapid' })
    await shop.create()
    await shop.page.route('**/pay', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await fillForm(shop.inForm, DECLINED)
    await shop.inForm.locator('#cvc').focus()
    for (const key of ['Enter', 'Enter', 'Escape', 'Escape']) await shop.page.keyboard.press(key)
    await isSubmitting(shop.page)
    equal(await shop.close(), false)
    await shop.inForm.getByText('2 attempts left.').waitFor()
    deepEqual(await shop.calls(), [])
    equal(await shop.page.locator('dialog[open]').count(), 1)
    await shop.end()
  })
})
