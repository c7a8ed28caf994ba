import { deepEqual, equal, ok } from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { inCase } from '../support/cases.ts'
import { SESSION_ID } from '../support/client-library-fixture.ts'
import {
  enter,
  isSubmitting,
  messagesDelivered,
  openShopIn,
  removeForm,
  type Shop,
  SUCCEEDED,
  say,
} from '../support/client-library-page.ts'
import { describeClientLibrary } from '../support/describe-in-browser.ts'

const TALL = '<div id="tall"></div><script>document.getElementById("tall").style.height = "3000px"</script>'

describeClientLibrary('Client library: modal', ({ browser, page, fixture }) => {
  let shop: Shop

  beforeEach(async () => {
    shop = await openShopIn(page, fixture, fixture.shopPage({ script: 'rapid', body: TALL }))
    await shop.init()
    await shop.page.focus('#buy')
  })

  const dialogs = () => shop.page.locator('dialog[open]').count()

  test('rapid.js asks for a modal session and shows it in a dialog with the focus in the form', async () => {
    await shop.create()
    equal(fixture.requests[0]?.path, '/api/b-1/rapid-checkout/create')
    equal('ui_mode' in (fixture.requests[0]?.body ?? {}), false)
    equal(await dialogs(), 1)
    equal(await shop.page.locator('dialog').getAttribute('aria-label'), 'Secure payment')
    equal(await focusInPage(), 'IFRAME')
    await shop.close()
  })

  test('CAS-50: Tab and Shift+Tab never lead to the page behind', async () => {
    const form = await shop.create()
    await form.focus('#number')
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 20; press++) {
        await shop.page.keyboard.press(key)
        const focus = await focusInPage()
        ok(['IFRAME', 'BUTTON', 'DIALOG', 'BODY', null].includes(focus), `${key} led to ${focus}.`)
        equal(await shop.page.evaluate(() => document.activeElement?.id ?? ''), '')
      }
    }
  })

  /** Returns the element with the focus, inside the library's shadow root or in the page. */
  function focusInPage(): Promise<string | null> {
    return shop.page.evaluate(() => {
      const { activeElement: host } = document
      return (host?.shadowRoot ? host.shadowRoot.activeElement : host)?.tagName ?? null
    })
  }

  const WAYS: [way: string, (shop: Shop) => Promise<void>][] = [
    [
      'Escape in the form',
      async ({ page, form }) => {
        await (await form()).focus('#number')
        await page.keyboard.press('Escape')
      },
    ],
    [
      'Escape outside the form',
      async ({ page }) => {
        await page.locator('dialog > button').focus()
        await page.keyboard.press('Escape')
      },
    ],
    ['a click beside it', ({ page }) => page.mouse.click(8, 8)],
    ['×', ({ page }) => page.getByRole('button', { name: 'Close' }).click()],
  ]
  test('CAS-51: each way closes it, cancels once, gives back focus and scrolling', async () => {
    for (const [way, close] of WAYS)
      await inCase(way, async () => {
        await shop.page.focus('#buy')
        await shop.page.evaluate(() => scrollTo(0, 400))
        await shop.create()
        equal(await shop.page.evaluate(() => getComputedStyle(document.documentElement).overflow), 'hidden')
        await close(shop)
        deepEqual(await shop.called('cancel'), { session_id: SESSION_ID })
        await messagesDelivered(shop.page)
        deepEqual(await shop.calls(), [['cancel', { session_id: SESSION_ID }]])
        const after = await shop.page.evaluate(() => ({
          dialogs: document.querySelectorAll('body > div:not([id])').length,
          focus: document.activeElement?.id,
          top: scrollY,
          overflow: getComputedStyle(document.documentElement).overflow,
          sheets: document.adoptedStyleSheets.length,
        }))
        deepEqual(after, { dialogs: 0, focus: 'buy', top: 400, overflow: 'visible', sheets: 0 })
        await removeForm(shop.page)
      })
  })

  test('CAS-52: nothing closes it while a payment runs, and the result still arrives', async () => {
    const form = await shop.create()
    await enter(form, 'submitting')
    await isSubmitting(shop.page)
    equal(await shop.close(), false)
    for (const [, close] of WAYS) await close(shop)
    await shop.page.keyboard.press('Escape')
    await shop.page.keyboard.press('Escape')
    await messagesDelivered(shop.page)
    equal(await dialogs(), 1)
    equal((await shop.page.evaluate<{ phase: string }>('ServiceCheckout.getState()')).phase, 'submitting')
    await say(form, SUCCEEDED)
    equal((await shop.called('success')).currency, 'CAD')
    equal(await dialogs(), 0)
    equal((await shop.calls()).length, 1)
  })

  test('after three declines it stays for the payer to read, and closes without another call', async () => {
    const form = await shop.create()
    const failed = {
      status: 'failed',
      session_id: SESSION_ID,
      message: 'No tries left',
      error_code: 'max_attempts_reached',
    }
    await say(form, failed)
    await shop.called('error')
    equal(await dialogs(), 1)
    await shop.page.getByRole('button', { name: 'Close' }).click()
    await messagesDelivered(shop.page)
    equal(await dialogs(), 0)
    equal((await shop.calls()).length, 1)
  })

  test('CAS-53: a sheet on a phone, a window on a screen', async () => {
    await shop.create()
    const box = () => shop.page.locator('dialog').boundingBox()
    for (const [width, height] of [
      [360, 640],
      [430, 932],
    ] as const) {
      await shop.page.setViewportSize({ width, height })
      deepEqual(await box(), { x: 0, y: 0, width, height })
    }
    for (const [width, height] of [
      [1280, 800],
      [800, 360],
    ] as const) {
      await shop.page.setViewportSize({ width, height })
      const window = await box()
      equal(window?.width, 440)
      ok(window && window.height <= height && window.x > 0, JSON.stringify(window))
    }
  })

  test('the shop’s own styles do not reach it', async () => {
    await shop.page.addStyleTag({
      content: 'body * { display: none !important; transform: scale(0) } iframe { height: 1px }',
    })
    await shop.create()
    equal((await shop.page.locator('dialog').boundingBox())?.width, 440)
  })

  test('BRW-30: the colours around the form are those that the shop wants, or the device; the form is told', async () => {
    for (const [wanted, device, background] of [
      [undefined, 'dark', 'rgb(18, 18, 18)'],
      [undefined, 'light', 'rgb(255, 255, 255)'],
      ['light', 'dark', 'rgb(255, 255, 255)'],
      ['dark', 'light', 'rgb(18, 18, 18)'],
    ] as const)
      await inCase(`the shop wants ${wanted}, the device ${device}`, async () => {
        await shop.page.emulateMedia({ colorScheme: device })
        await shop.init({ ...(wanted && { colorScheme: wanted }) })
        const form = await shop.create()
        const dialog = shop.page.locator('dialog')
        equal(await dialog.evaluate((element) => getComputedStyle(element).backgroundColor), background)
        if (wanted === 'dark')
          await form.waitForFunction(() => (window as never as { received: string[] }).received.includes('dark'))
        await removeForm(shop.page)
      })
  })

  test('BRW-29: a button with a URL opens the modal without a line of code, and only a form of this service', async () => {
    const page = await (await browser.newContext()).newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    const path = `customer/checkout-rapid/${'t'.repeat(64)}`
    const button = (id: string, origin: string) =>
      `<button id="${id}" data-service-checkout-url="${origin}/${path}">Pay</button>`
    const body = button('good', fixture.origin('pay')) + button('bad', 'https://pay.evil.example')
    await page.goto(fixture.shopPage({ body }))
    await page.click('#bad')
    await messagesDelivered(page)
    deepEqual(errors, ['Check checkoutOrigin'])
    await page.click('#good')
    equal(await page.locator('dialog[open] iframe').getAttribute('src'), `${fixture.origin('pay')}/${path}`)
    await page.context().close()
  })

  test('CAS-56: a hundred modals and frames leave nothing behind', async () => {
    const left = await shop.page.evaluate(
      async (url) => {
        const { ServiceCheckout } = window as never as {
          ServiceCheckout: Record<string, (session?: object) => unknown>
        }
        let listeners = 0
        const add = EventTarget.prototype.addEventListener
        EventTarget.prototype.addEventListener = function (type, listener, options) {
          const { signal } = (options ?? {}) as AddEventListenerOptions
          if (signal) {
            listeners++
            add.call(signal, 'abort', () => listeners--)
          } else listeners++
          return add.call(this, type, listener, options)
        }
        const nodes = document.querySelectorAll('*').length
        for (let round = 0; round < 100; round++) {
          ServiceCheckout.open?.({ token: '', checkout_url: url, ui_mode: 'rapid' })
          if (round < 50) ServiceCheckout.close?.()
          else ServiceCheckout.destroy?.()
          await new Promise((resolve) => setTimeout(resolve))
        }
        await new Promise((resolve) => setTimeout(resolve, 700))
        EventTarget.prototype.addEventListener = add
        const more = document.querySelectorAll('*').length - nodes
        return { listeners, more, sheets: document.adoptedStyleSheets.length, state: ServiceCheckout.getState?.() }
      },
      `${fixture.origin('pay')}/customer/checkout-rapid/${'t'.repeat(64)}?silent`,
    )
    deepEqual(left, { listeners: 0, more: 0, sheets: 0, state: { isOpen: false, sessionId: null, phase: 'idle' } })
    equal((await shop.calls()).length, 50)
  })
})
