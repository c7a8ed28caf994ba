import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { faultsInLightAndDark } from '../support/accessibility.ts'
import { CARDS } from '../support/card-numbers.ts'
import { messagesDelivered } from '../support/client-library-page.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { fillForm, payInForm } from '../support/payment-page-steps.ts'
import { CANADIAN_CARD, type OpenedShop } from '../support/real-shop.ts'
import { listen, receivedBy } from '../support/received-messages.ts'
import { until } from '../support/until.ts'

// docs/specification/browser-client.md: the library in a merchant's page, the form in its frame, the whole service.

const DECLINED = { ...CANADIAN_CARD, cardnumber: CARDS.declined }

/** Makes the page higher. @returns the milliseconds until its frame is higher too, ten seconds at most */
async function followed(): Promise<number> {
  const resized = new Promise((resolve) => addEventListener('resize', resolve, { once: true }))
  const from = performance.now()
  const page = document.querySelector<HTMLElement>('.page')
  if (page) page.style.minBlockSize = `${page.offsetHeight + 40}px`
  await Promise.race([resized, new Promise((resolve) => setTimeout(resolve, 10_000))])
  return performance.now() - from
}

describeInShop('the frame of an embedded payment', ({ shops, browser }) => {
  const urls = () => ({ success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` })
  const create = (shop: OpenedShop) => shop.create(urls())

  test('CAS-48: the frame follows the form without a scroll bar inside and without a loop, and setHeight pins it', async () => {
    const shop = await shops.open(browser)
    await listen(shop.page)
    const form = await create(shop)
    const heights = () =>
      form.evaluate(() => ({
        content: Math.ceil(document.querySelector('.page')?.getBoundingClientRect().height ?? 0),
        scrolls: document.documentElement.scrollHeight > innerHeight,
        frame: innerHeight,
      }))
    const fits = async () => {
      await form.waitForFunction(
        () => innerHeight === Math.ceil(document.querySelector('.page')?.getBoundingClientRect().height ?? 0),
      )
      const now = await heights()
      equal(now.scrolls, false)
      return now.frame
    }
    const before = await fits()
    await form.evaluate(() => document.getElementById('pay')?.click())
    await form.waitForFunction((height) => innerHeight > height + 50, before)
    await fits()
    await messagesDelivered(shop.page)
    const said = (await receivedBy(shop.page)).filter(({ type }) => type === 'rc:checkout_height')
    ok(said.length <= 6, `${said.length} heights`)
    await shop.page.evaluate('ServiceCheckout.setHeight(500)')
    await form.waitForFunction(() => innerHeight === 500)
    await fillForm(shop.inForm, CANADIAN_CARD)
    await messagesDelivered(shop.page)
    equal((await heights()).frame, 500)
    await shop.page.evaluate("ServiceCheckout.setHeight('auto')")
    await fits()
    // The fastest of several: each one also includes the delay of a busy machine.
    const delays: number[] = []
    await until('the frame follows within 200 ms', async () => {
      delays.push(await form.evaluate(followed))
      await fits()
      ok(delays.length < 40, `${Math.min(...delays)} ms at best`)
      return Math.min(...delays) <= 200
    })
    await shop.end()
  })

  test('CAS-49: it pays where a frame may keep nothing: no cookie, no storage', async () => {
    const shop = await shops.open(browser)
    await shop.page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('blocked', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
        Object.defineProperty(window, name, { get: refuse })
      Object.defineProperty(Document.prototype, 'cookie', { get: refuse, set: refuse })
    })
    await create(shop)
    await payInForm(shop.inForm, CANADIAN_CARD)
    await shop.called('success')
    deepEqual(await shop.page.context().cookies(), [])
    deepEqual(shop.complaints, [])
    await shop.end()
  })

  test('PAG-32: the library’s locale is the form’s, and its scheme is the form’s too', async () => {
    const shop = await shops.open(browser, { init: { locale: 'fr-CA', colorScheme: 'dark' } })
    const form = await create(shop)
    equal(await form.getAttribute('html', 'lang'), 'fr-CA')
    equal(await shop.inForm.locator('label[for=exp]').textContent(), 'Date d’expiration (MM/AA)')
    const ink = () => form.evaluate(() => getComputedStyle(document.body).color)
    await form.waitForFunction(() => getComputedStyle(document.body).color === 'rgb(238, 241, 245)')
    equal(await ink(), 'rgb(238, 241, 245)')
    await shop.end()
  })

  test('CAS-38: from right to left the embedded form is mirrored, and nothing hangs over', async () => {
    const shop = await shops.open(browser, { viewport: { width: 320, height: 800 } })
    const form = await create(shop)
    await form.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    equal(await form.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
    equal(await form.locator('#cardnumber').evaluate((field) => getComputedStyle(field).direction), 'ltr')
    await shop.end()
  })

  test('CAS-33: axe finds nothing in the embedded form: open, with errors, declined, approved; light and dark', async () => {
    const shop = await shops.open(browser, { bypassCSP: true, reducedMotion: 'reduce' })
    const form = await create(shop)
    // The background that a browser paints behind a frame whose scheme differs from the surrounding page's.
    await form.addStyleTag({ content: ':root { background: Canvas }' })
    const finds = async (state: string) => deepEqual(await faultsInLightAndDark(shop.page, form), [], state)
    await finds('open')
    await shop.inForm.locator('#pay').click()
    await finds('with errors')
    await payInForm(shop.inForm, DECLINED)
    await shop.inForm.getByText('2 attempts left.').waitFor()
    await finds('declined')
    await payInForm(shop.inForm, CANADIAN_CARD)
    await shop.called('success')
    await finds('approved')
    await shop.end()
  })
})
