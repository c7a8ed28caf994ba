import { equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { inCase } from '../support/cases.ts'
import { removeForm } from '../support/client-library-page.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { type OpenedShop, VISIBLE_MS, waitVisibleTime } from '../support/real-shop.ts'
import { customerOf } from '../support/recorded.ts'

// PAG-129: a script on the shop's own origin makes the form invisible above something that the payer wants to click.

describeInShop('a form that the payer does not see', ({ shops, browser }) => {
  const urls = () => ({ success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` })
  async function customerWithCard(email: string): Promise<string> {
    const { service, merchant } = shops
    const token = await merchant.sessionToken({ ...urls(), customer_email: email })
    const { body } = await payerOf(service).pay(
      token,
      payBody(undefined, { saveCard: true, address: { postalCode: 'H2X 1Y4' } }),
    )
    const customer = await customerOf({ ...service, demo: merchant.demo }, email)
    if (body.ok !== true || !customer) throw new Error(`The card was not stored: ${JSON.stringify(body)}`)
    return customer.id
  }
  let people = 0
  async function open(script: 'rialto-checkout' | 'rapid' = 'rialto-checkout', before?: () => void) {
    people += 1
    const customerId = await customerWithCard(`seen${people}@example.com`)
    const authToken = await shops.browserToken({ customer_id: customerId })
    const shop = await shops.open(browser, { script, init: { authToken } })
    if (before) await shop.page.context().addInitScript(before)
    await showForm(shop, script)
    return shop
  }
  async function showForm(shop: OpenedShop, script: 'rialto-checkout' | 'rapid' = 'rialto-checkout') {
    await shop.create(script === 'rapid' ? {} : urls())
    await shop.inForm.locator('[name=payment_method]').first().waitFor()
    await shop.inForm.locator('#pay').scrollIntoViewIfNeeded()
  }
  /** Finds the button. @returns clicks it by coordinates, as a payer who wants to click what is below */
  async function payClick({ page, inForm }: OpenedShop): Promise<() => Promise<void>> {
    const box = await inForm.locator('#pay').boundingBox()
    if (!box) throw new Error('The button has no place')
    return () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  }
  const clickPay = async (shop: OpenedShop) => (await payClick(shop))()
  const style = ({ page }: OpenedShop, css: string) =>
    page.evaluate((text) => {
      const frame = document.querySelector<HTMLElement>('#checkout iframe')
      if (frame) frame.style.cssText += text
    }, css)
  async function alertOf({ inForm }: OpenedShop): Promise<string | null> {
    const alert = inForm.locator('#alert').filter({ hasText: /\S/ })
    await alert.waitFor()
    return alert.textContent()
  }
  const paid = async (shop: OpenedShop) => (await shop.calls()).length

  const HIDDEN: [name: string, hide: (shop: OpenedShop) => Promise<unknown>][] = [
    ['transparent', (shop) => style(shop, ';opacity:0')],
    ['nearly transparent', (shop) => style(shop, ';opacity:.02')],
    ['filtered away', (shop) => style(shop, ';filter:opacity(0)')],
    ['blurred', (shop) => style(shop, ';filter:blur(20px)')],
    ['turned', (shop) => style(shop, ';transform:rotate(2deg)')],
    [
      'covered',
      ({ page }) =>
        page.evaluate(() => {
          const cover = document.createElement('div')
          cover.id = 'cover'
          cover.style.cssText = 'position:fixed;inset:0;background:#fff;pointer-events:none;z-index:9'
          document.body.append(cover)
        }),
    ],
  ]
  test('PAG-129: transparent, filtered, blurred, turned or covered: a click does not pay with a saved card', async () => {
    const shop = await open()
    for (const [name, hide] of HIDDEN)
      await inCase(name, async () => {
        await hide(shop)
        await waitVisibleTime(shop.page)
        for (const _ of [1, 2, 3]) {
          await clickPay(shop)
          await waitVisibleTime(shop.page)
        }
        match((await alertOf(shop)) ?? '', /full view/)
        equal(await paid(shop), 0)
        await removeForm(shop.page)
        await shop.page.evaluate(() => document.getElementById('cover')?.remove())
        await showForm(shop)
      })
    await shop.end()
  })

  /** Opens a form, hides it, and clicks Pay within `VISIBLE_MS` of showing it. A busy machine needs several tries. */
  async function clickJustShown(): Promise<OpenedShop> {
    for (let tries = 1; tries <= 20; tries++) {
      const shop = await open()
      await style(shop, ';opacity:0')
      await waitVisibleTime(shop.page)
      const click = await payClick(shop)
      const shownAt = performance.now()
      await style(shop, ';opacity:1')
      await click()
      if (performance.now() - shownAt < VISIBLE_MS) return shop
      await shop.end()
    }
    throw new Error(`The machine was too busy to click within ${VISIBLE_MS} ms`)
  }

  test('PAG-129: shown under the pointer just before the click: it does not pay; in sight it does', async () => {
    const shop = await clickJustShown()
    match((await alertOf(shop)) ?? '', /full view/)
    equal(await paid(shop), 0)
    await waitVisibleTime(shop.page)
    await clickPay(shop)
    await shop.called('success')
    await shop.end()
  })

  for (const script of ['rialto-checkout', 'rapid'] as const) {
    test(`PAG-129: ${script}: a form in sight is paid with one click, or with the keyboard`, async () => {
      const shop = await open(script)
      for (const how of ['click', 'Enter', 'Space'] as const)
        await inCase(how, async () => {
          if (how !== 'click') await showForm(shop, script)
          await waitVisibleTime(shop.page)
          if (how === 'click') await clickPay(shop)
          else await shop.inForm.locator('#pay').press(how)
          await shop.called('success')
          await removeForm(shop.page)
        })
      await shop.end()
    })
  }

  test('PAG-129: a browser that cannot tell asks to press again, which a double click does not', async () => {
    const shop = await open('rialto-checkout', () => {
      Reflect.deleteProperty(IntersectionObserverEntry.prototype, 'isVisible')
    })
    await waitVisibleTime(shop.page)
    await clickPay(shop)
    await clickPay(shop)
    match((await alertOf(shop)) ?? '', /press the button again/)
    await waitVisibleTime(shop.page)
    equal(await paid(shop), 0)
    await shop.inForm.locator('#pay').press('Enter')
    await shop.called('success')
    await shop.end()
  })

  test('PAG-129: a frame whose scripts the shop has switched off does not pay with a saved card', async () => {
    const customer_id = await customerWithCard('sandboxed@example.com')
    const { body } = await shops.merchant.createSession({ ...urls(), customer_id, ui_mode: 'embedded' })
    const { checkout_url: url, id } = body.checkout_session
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${shops.origin()}/shop`)
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.setAttribute('sandbox', 'allow-forms allow-same-origin')
      Object.assign(frame, { src, width: '600', height: '1200' })
      document.body.prepend(frame)
    }, url)
    const form = page.frameLocator('iframe')
    await form.locator('#pay').click()
    await form.getByText(/full view/).waitFor()
    equal((await shops.merchant.details(id)).body.checkout_session.payment_status, 'UNPAID')
    // Its own page shows the position.
    await page.goto(url)
    await page.locator('#pay').waitFor()
    await context.close()
  })
})
