import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { accessibilityFaults } from '../support/accessibility.ts'
import { launchBrowser } from '../support/browser.ts'
import { settle } from '../support/client-library-page.ts'
import { payerOf } from '../support/merchant.ts'
import { fillForm, payInForm } from '../support/payment-page-steps.ts'
import { CANADIAN_CARD, type OpenedShop, openRealShop, type RealShop } from '../support/real-shop.ts'

// Spec, «Embedded flow» and «Browser messages»: the library in a merchant's page, the form in its frame, the whole service.

const DECLINED = { ...CANADIAN_CARD, cardnumber: '4000000000000002' }

describe('an embedded payment', () => {
  let shops: RealShop
  let browser: Browser

  before(async () => {
    ;[shops, browser] = await Promise.all([openRealShop(), launchBrowser()])
  })
  after(async () => {
    await browser.close()
    await shops.close()
  })

  const urls = () => ({ success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` })
  const create = (shop: OpenedShop) => shop.create(urls())
  const session = async (id: string) => (await shops.merchant.details(id)).body
  const openSession = async () => {
    const { body } = await shops.merchant.createSession({ ...urls(), ui_mode: 'embedded' })
    return body.checkout_session
  }

  test('T44: an approval calls back once with the spec’s fields, the page stays, and the server reads PAID', async () => {
    const shop = await shops.open(browser)
    const form = await create(shop)
    await payInForm(shop.inForm, CANADIAN_CARD)
    const result = await shop.called('success')
    const { checkout_session, transaction } = await session(String(result.session_id))
    deepEqual(result, {
      session_id: checkout_session.id,
      transaction_id: transaction.id,
      receipt_id: transaction.receipt_id,
      amount: 39.55,
      currency: 'CAD',
    })
    deepEqual([checkout_session.session_status, checkout_session.payment_status], ['COMPLETED', 'PAID'])
    await shop.inForm.getByText('Payment approved').first().waitFor()
    equal(await shop.inForm.locator('.return:visible').count(), 0)
    await shop.page.waitForTimeout(1_700)
    equal(new URL(shop.page.url()).pathname, '/shop')
    match(form.url(), /\/customer\/checkout\//)
    deepEqual(await shop.calls(), [['success', result]])
    await shop.end()
  })

  test('T44: the payer’s own Cancel calls back once, and the session can still be paid', async () => {
    const shop = await shops.open(browser)
    await create(shop)
    await fillForm(shop.inForm, CANADIAN_CARD)
    await shop.inForm.locator('#cancel').click()
    const { session_id } = await shop.called('cancel')
    await settle(shop.page)
    deepEqual(await shop.calls(), [['cancel', { session_id }]])
    equal(await shop.page.locator('iframe').count(), 0)
    equal((await session(String(session_id))).checkout_session.session_status, 'PENDING')
    await shop.end()
  })

  test('L-13: when the merchant’s page closes an idle form, it cancels once', async () => {
    const shop = await shops.open(browser)
    await create(shop)
    equal(await shop.close(), true)
    await shop.called('cancel')
    await shop.page.waitForTimeout(700)
    equal((await shop.calls()).length, 1)
    await shop.end()
  })

  test('T44: declines 1 and 2 call nobody; the third calls back with max_attempts_reached', async () => {
    const shop = await shops.open(browser)
    await create(shop)
    for (const left of ['2 attempts left.', '1 attempt left.']) {
      await payInForm(shop.inForm, DECLINED)
      await shop.inForm.getByText(left).waitFor()
      deepEqual(await shop.calls(), [])
    }
    await payInForm(shop.inForm, DECLINED)
    const { session_id, ...error } = await shop.called('error')
    deepEqual(error, {
      message: 'This payment was declined 3 times and is now closed. You have not been charged.',
      error_code: 'max_attempts_reached',
    })
    equal((await session(String(session_id))).checkout_session.session_status, 'FAILED')
    equal((await shop.calls()).length, 1)
    equal(await shop.inForm.locator('.countdown:visible').count(), 0)
    await shop.end()
  })

  test('an answer that was lost is found out, and the callback comes without the ids that only the server has', async () => {
    const shop = await shops.open(browser)
    await create(shop)
    await shop.page.route('**/pay', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await payInForm(shop.inForm, CANADIAN_CARD)
    const result = await shop.called('success')
    deepEqual([result.transaction_id, result.receipt_id, result.amount], ['', '', 39.55])
    equal((await session(String(result.session_id))).checkout_session.payment_status, 'PAID')
    await shop.end()
  })

  for (const [state, close, message] of [
    ['cancelled', (token: string) => shops.merchant.cancel(token), /cancelled this payment request/],
    ['paid', (token: string) => payerOf(shops.service).pay(token), /This payment is complete/],
  ] as const)
    test(`a session that is ${state} already says so at once, and not after fifteen seconds`, async () => {
      const { token, checkout_url, id } = await openSession()
      equal((await close(token)).status, 200)
      const shop = await shops.open(browser)
      await shop.page.evaluate(
        (url) => void window.ServiceCheckout?.open({ token: '', checkout_url: url, ui_mode: 'embedded' }),
        checkout_url,
      )
      const error = await shop.called('error')
      deepEqual([error.error_code, error.session_id], ['session_closed', id])
      match(String(error.message), message)
      await shop.end()
    })

  test('T43: the registered origin frames the form; others, and frames within others, do not', async () => {
    const { checkout_url } = await openSession()
    const at = (name: string, src: string) => `${shops.origin(name)}/frame?src=${encodeURIComponent(src)}`
    const page = await (await browser.newContext()).newPage()
    const isShown = async (url: string) => {
      await page.goto(url, { waitUntil: 'load' })
      return page.frames().some((frame) => frame.url() === checkout_url)
    }
    equal(await isShown(at('localhost', checkout_url)), true)
    equal(await isShown(at('evil.localhost', checkout_url)), false)
    equal(await isShown(at('evil.localhost', at('localhost', checkout_url))), false)
    await page.context().close()
  })

  test('F-5: opened on its own an embedded session works as a hosted one', async () => {
    const { token, checkout_url } = await openSession()
    const page = await (await browser.newContext()).newPage()
    await page.goto(checkout_url)
    equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(245, 246, 248)')
    await payInForm(page, CANADIAN_CARD)
    await page.waitForURL(`${shops.origin()}/thanks?session_token=${token}**`)
    await page.context().close()
  })

  test('T45: a real result of another form of ours, and forged ones, are not taken for this one’s', async () => {
    const shop = await shops.open(browser)
    const form = await create(shop)
    const { id: session_id } = await openSession()
    const { checkout_url } = await openSession()
    const forged = { type: 'rc:checkout_result', v: 1, status: 'succeeded', session_id }
    const message = { ...forged, transaction_id: 't', receipt_id: 'r', amount: 1 }
    await shop.page.evaluate(
      ({ message, url }) => {
        window.postMessage(message, '*')
        const other = document.createElement('iframe')
        other.id = 'other'
        other.src = url
        other.width = '600'
        other.height = '900'
        document.body.append(other)
      },
      { message, url: checkout_url },
    )
    const other = shop.page.frameLocator('#other')
    await payInForm(other, CANADIAN_CARD)
    await other.getByText('Payment approved').first().waitFor()
    await form.evaluate((another) => window.parent.postMessage(another, '*'), message)
    await settle(shop.page)
    deepEqual(await shop.calls(), [])
    await shop.end()
  })

  test('T46: a result that is said twice calls back once', async () => {
    const shop = await shops.open(browser)
    const form = await create(shop)
    await payInForm(shop.inForm, CANADIAN_CARD)
    const result = await shop.called('success')
    await form.evaluate(
      (again) => window.parent.postMessage({ type: 'rc:checkout_result', v: 1, status: 'succeeded', ...again }, '*'),
      result,
    )
    await settle(shop.page)
    equal((await shop.calls()).length, 1)
    await shop.end()
  })

  test('T47: what the form says has no card number, e-mail address or token in it', async () => {
    const shop = await shops.open(browser)
    await listen(shop.page)
    const form = await create(shop)
    await payInForm(shop.inForm, DECLINED)
    await shop.inForm.getByText('2 attempts left.').waitFor()
    await payInForm(shop.inForm, CANADIAN_CARD)
    await shop.called('success')
    const heard = await heardBy(shop.page)
    const types = new Set(heard.map(({ type }) => type))
    deepEqual([...types].sort(), ['rc:checkout_height', 'rc:checkout_ready', 'rc:checkout_result', 'rc:checkout_state'])
    const token = new URL(form.url()).pathname.split('/').at(-1) ?? ''
    const text = JSON.stringify(heard)
    for (const secret of ['4242', '4000000000000002', 'p@example.com', 'Ana', token, '123"'])
      ok(!text.includes(secret), `${secret} in ${text}`)
    await shop.end()
  })

  test('T47: a page that frames the form against its policy hears nothing', async () => {
    const { checkout_url } = await openSession()
    const page = await (await browser.newContext({ permissions: ['local-network-access'] })).newPage()
    await page.route(checkout_url, async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await page.goto(`${shops.origin('evil.localhost')}/`)
    await listen(page)
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
    }, checkout_url)
    const frame = page.frameLocator('iframe')
    await payInForm(frame, CANADIAN_CARD)
    await frame.getByText('Payment approved').first().waitFor()
    deepEqual(await heardBy(page), [])
    await page.context().close()
  })

  test('T48: the frame follows the form without a scroll bar inside and without a loop, and setHeight pins it', async () => {
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
    const delay = await form.evaluate(async () => {
      const resized = new Promise((resolve) => addEventListener('resize', resolve, { once: true }))
      const from = performance.now()
      document.getElementById('pay')?.click()
      await resized
      return performance.now() - from
    })
    ok((await fits()) > before + 50)
    ok(delay <= 200, `${delay} ms`)
    await settle(shop.page)
    const said = (await heardBy(shop.page)).filter(({ type }) => type === 'rc:checkout_height')
    ok(said.length <= 6, `${said.length} heights`)
    await shop.page.evaluate('ServiceCheckout.setHeight(500)')
    await form.waitForFunction(() => innerHeight === 500)
    await fillForm(shop.inForm, CANADIAN_CARD)
    await settle(shop.page)
    equal((await heights()).frame, 500)
    await shop.page.evaluate("ServiceCheckout.setHeight('auto')")
    await fits()
    await shop.end()
  })

  test('T49: it pays where a frame may keep nothing: no cookie, no storage', async () => {
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

  test('F-90: the library’s locale is the form’s, and its scheme is the form’s too', async () => {
    const shop = await shops.open(browser, { init: { locale: 'fr-CA', colorScheme: 'dark' } })
    const form = await create(shop)
    equal(await form.getAttribute('html', 'lang'), 'fr-CA')
    equal(await shop.inForm.locator('label[for=exp]').textContent(), 'Date d’expiration (MM/AA)')
    const ink = () => form.evaluate(() => getComputedStyle(document.body).color)
    await form.waitForFunction(() => getComputedStyle(document.body).color === 'rgb(238, 241, 245)')
    equal(await ink(), 'rgb(238, 241, 245)')
    await shop.end()
  })

  test('T38: from right to left the embedded form is mirrored, and nothing hangs over', async () => {
    const shop = await shops.open(browser, { viewport: { width: 320, height: 800 } })
    const form = await create(shop)
    await form.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    equal(await form.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
    equal(await form.locator('#cardnumber').evaluate((field) => getComputedStyle(field).direction), 'ltr')
    await shop.end()
  })

  test('T33: axe finds nothing in the embedded form: open, with errors, declined, approved; light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const shop = await shops.open(browser, { colorScheme, bypassCSP: true, reducedMotion: 'reduce' })
      const form = await create(shop)
      // What a browser paints behind a frame whose scheme is not that of the page around it.
      await form.addStyleTag({ content: ':root { background: Canvas }' })
      const finds = async (state: string) => deepEqual(await accessibilityFaults(form), [], `${state}, ${colorScheme}`)
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
    }
  })
})

type Heard = { type: string } & Record<string, unknown>

function listen(page: Page): Promise<void> {
  return page.evaluate(() => {
    const heard: unknown[] = []
    Object.assign(window, { heard })
    addEventListener('message', ({ data }) => heard.push(data))
  })
}

function heardBy(page: Page): Promise<Heard[]> {
  return page.evaluate('heard')
}
