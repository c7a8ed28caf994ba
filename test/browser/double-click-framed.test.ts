import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { isSubmitting, removeForm } from '../support/client-library-page.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { choicesOf, clickTwice, eachDoubleClick, placesOf, SIZES, watchPlaces } from '../support/double-click.ts'
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
      /** Opens a shop whose page shows one session after another, and records the clicks on the shop itself. */
      async function openShop() {
        const shop = await shops.open(browser, { script, viewport: SIZES[size] })
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
        return { shop, clicked, [Symbol.asyncDispose]: shop.end }
      }
      type Opened = Awaited<ReturnType<typeof openShop>>

      const newForm = ({ shop }: Opened) => {
        const urls = { success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` }
        return shop.create(script === 'rapid' ? {} : urls)
      }

      test(`${script}, ${size}: a second decline is one attempt, nothing moves, nothing is cancelled; the last decline and an approval are told once; the shop is not clicked`, async () => {
        await eachDoubleClick(GAPS[size], {
          name: (gap) => `${gap} ms`,
          open: openShop,
          async run(opened, gap) {
            await decline(opened, gap)
            await removeForm(opened.shop.page)
            await approve(opened, gap)
            await removeForm(opened.shop.page)
          },
        })
      })

      async function decline(opened: Opened, gap: number) {
        const { shop, clicked } = opened
        const form = await newForm(opened)
        await payInForm(shop.inForm, DECLINED)
        await shop.inForm.getByText('2 attempts left.').waitFor()
        await fillForm(shop.inForm, DECLINED)
        await watchPlaces(form)
        const choices = await choicesOf(form)
        await clickTwice(shop.page, shop.inForm.locator('#pay'), gap)
        await shop.inForm.getByText('1 attempt left.').waitFor()
        await shop.page.waitForTimeout(100)
        deepEqual([await shop.calls(), await clicked(), await choicesOf(form)], [[], [], choices], 'the second decline')
        equal((await placesOf(form)).length, 1, (await placesOf(form)).join('\n'))
        await fillForm(shop.inForm, DECLINED)
        await clickTwice(shop.page, shop.inForm.locator('#pay'), gap)
        equal((await shop.called('error')).error_code, 'max_attempts_reached')
        await shop.inForm.getByText('Payment closed').waitFor()
        deepEqual([(await shop.calls()).length, await clicked()], [1, []], 'the last decline')
      }

      async function approve(opened: Opened, gap: number) {
        const { shop, clicked } = opened
        await newForm(opened)
        await fillForm(shop.inForm, CANADIAN_CARD)
        await clickTwice(shop.page, shop.inForm.locator('#pay'), gap)
        await shop.called('success')
        await shop.page.waitForTimeout(100)
        deepEqual([(await shop.calls()).length, await clicked()], [1, []], 'the approval')
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
