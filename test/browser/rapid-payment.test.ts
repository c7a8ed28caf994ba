import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityFaults, faultsInLightAndDark } from '../support/accessibility.ts'
import { CARDS } from '../support/card-numbers.ts'
import { inCase } from '../support/cases.ts'
import { isSubmitting, messagesDelivered, removeForm } from '../support/client-library-page.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { fillForm, payInForm } from '../support/payment-page-steps.ts'
import { CANADIAN_CARD, type OpenedShop } from '../support/real-shop.ts'
import { setBusiness, storedCards } from '../support/recorded.ts'

// CHK-17, BRW-7: rapid.js in a merchant's page, the compact form in its modal, the whole service.

const DECLINED = { cardnumber: CARDS.declined }
/** Time after which the library itself reports that an idle form was closed. */
const LAST_WORD_MS = 500

describeInShop('a payment in the modal', ({ shops, browser }) => {
  const open = (options = {}) => shops.open(browser, { script: 'rapid', ...options })
  const dialogs = (shop: OpenedShop) => shop.page.locator('dialog[open]').count()
  const details = async (id: unknown) => (await shops.merchant.details(String(id))).body

  /** Returns the element with the focus, in the page or inside the library's shadow root. */
  const focusOf = (shop: OpenedShop) =>
    shop.page.evaluate(() => {
      const { activeElement: host } = document
      return { tag: (host?.shadowRoot ? host.shadowRoot.activeElement : host)?.tagName ?? null, id: host?.id ?? '' }
    })

  test('CAS-54: an approval saves the card of a customer whom the server named, closes the modal, and calls back with the currency', async () => {
    const authToken = await shops.browserToken({ customer_email: 'bound@example.com' })
    const shop = await open({ init: { authToken } })
    await shop.create()
    await payInForm(shop.inForm)
    const result = await shop.called('success')
    const { checkout_session, transaction } = await details(result.session_id)
    deepEqual(result, {
      session_id: checkout_session.id,
      transaction_id: transaction.id,
      receipt_id: transaction.receipt_id,
      amount: 39.55,
      currency: 'CAD',
    })
    deepEqual([checkout_session.payment_status, checkout_session.ui_mode], ['PAID', 'rapid'])
    equal(await dialogs(shop), 0)
    const { app } = shops.service
    deepEqual(
      (await storedCards({ app, demo: shops.merchant.demo })).map(({ last4 }) => last4),
      ['4242'],
    )
    await shop.end()
  })

  test('CAS-50: Tab and Shift+Tab never lead to the page behind', async () => {
    const shop = await open()
    const form = await shop.create()
    await form.focus('#cardnumber')
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 20; press++) {
        await shop.page.keyboard.press(key)
        const { tag, id } = await focusOf(shop)
        ok(['IFRAME', 'BUTTON', 'DIALOG', 'BODY', null].includes(tag) && id === '', `${key} led to ${tag} #${id}.`)
      }
    }
    await shop.end()
  })

  const WAYS: [way: string, close: (shop: OpenedShop) => Promise<void>][] = [
    ['Escape in the form', (shop) => shop.inForm.locator('#cardnumber').press('Escape')],
    ['Escape outside the form', (shop) => shop.page.locator('dialog > button').press('Escape')],
    ['a click beside it', ({ page }) => page.mouse.click(8, 8)],
    ['×', ({ page }) => page.getByRole('button', { name: 'Close' }).click()],
  ]
  test('CAS-51: each way closes it, cancels once, and gives back the focus and the place; the session stays open', async () => {
    const shop = await open()
    for (const [way, close] of WAYS)
      await inCase(way, async () => {
        await shop.page.evaluate(() => scrollTo(0, 300))
        await shop.page.evaluate(() => document.getElementById('buy')?.focus({ preventScroll: true }))
        await shop.create()
        await close(shop)
        const { session_id } = await shop.called('cancel')
        await shop.page.waitForTimeout(LAST_WORD_MS + 100)
        deepEqual(await shop.calls(), [['cancel', { session_id }]])
        deepEqual(await focusOf(shop), { tag: 'BUTTON', id: 'buy' })
        equal(await shop.page.evaluate(() => scrollY), 300)
        equal((await details(session_id)).checkout_session.session_status, 'PENDING')
        await removeForm(shop.page)
      })
    await shop.end()
  })

  test('CAS-52: nothing closes it while a payment runs, and its result still arrives', async () => {
    const shop = await open()
    await shop.create()
    let response = () => {}
    const held = new Promise<void>((resolve) => {
      response = resolve
    })
    await shop.page.route('**/pay', async (route) => {
      const response = await route.fetch()
      await held
      await route.fulfill({ response })
    })
    await payInForm(shop.inForm)
    await isSubmitting(shop.page)
    equal(await shop.close(), false)
    for (const [, close] of WAYS) await close(shop)
    await shop.page.keyboard.press('Escape')
    await messagesDelivered(shop.page)
    equal(await dialogs(shop), 1)
    deepEqual(await shop.calls(), [])
    response()
    const { session_id } = await shop.called('success')
    equal((await details(session_id)).checkout_session.payment_status, 'PAID')
    equal((await shop.calls()).length, 1)
    await shop.end()
  })

  test('three declines: the modal stays to be read, and has called back once', async () => {
    const shop = await open()
    await shop.create()
    for (const left of ['2 attempts left.', '1 attempt left.']) {
      await payInForm(shop.inForm, DECLINED)
      await shop.inForm.getByText(left).waitFor()
    }
    await payInForm(shop.inForm, DECLINED)
    equal((await shop.called('error')).error_code, 'max_attempts_reached')
    equal(await dialogs(shop), 1)
    await shop.inForm.getByText('Payment closed').waitFor()
    equal(await shop.close(), true)
    equal(await dialogs(shop), 0)
    equal((await shop.calls()).length, 1)
    await shop.end()
  })

  test('CAS-53: on a phone, a screen, and a phone on its side it fits, and nothing zooms', async () => {
    const shop = await open()
    const form = await shop.create()
    for (const [name, width, height] of [
      ['a phone', 360, 640],
      ['a screen', 1280, 800],
      ['a phone on its side', 740, 360],
    ] as const)
      await inCase(name, async () => {
        await shop.page.setViewportSize({ width, height })
        await form.waitForFunction((most) => innerWidth <= most, width)
        const box = await shop.page.locator('dialog').boundingBox()
        ok(box && box.width <= width && box.height <= height && box.x >= 0 && box.y >= 0, JSON.stringify(box))
        if (width < 480) deepEqual(box, { x: 0, y: 0, width, height })
        const measured = await form.evaluate(() => ({
          isWide: document.documentElement.scrollWidth > innerWidth,
          height: document.querySelector('.page')?.getBoundingClientRect().height ?? 0,
          small: [...document.querySelectorAll('input')].filter(
            (input) => input.checkVisibility() && Number.parseFloat(getComputedStyle(input).fontSize) < 16,
          ).length,
        }))
        deepEqual([measured.isWide, measured.small], [false, 0])
        ok(measured.height <= 520, `${measured.height} px`)
      })
    await shop.end()
  })

  test('with a surcharge it asks where the card is billed, shows the total before the click, and axe finds nothing', async () => {
    await setBusiness({ app: shops.service.app, demo: shops.merchant.demo }, { surcharge_rate_bp: 240, province: 'ON' })
    // Callers of the API see a setting after a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const shop = await open({ viewport: { width: 360, height: 640 }, bypassCSP: true })
    const form = await shop.create({ surcharge: true })
    await form.addStyleTag({ content: ':root { background: Canvas }' })
    const due = (amount: string) => shop.inForm.locator('#pay-label').getByText(amount).waitFor()
    await fillForm(shop.inForm, { postal: '' })
    ok((await shop.inForm.locator('.summary').innerText()).includes('may apply'))
    await shop.inForm.locator('[name=postal]').fill('M5V 2T6')
    await shop.inForm.locator('[name=postal]').press('Tab')
    await due('$40.50')
    await shop.inForm.locator('[name=postal]').fill('H2X 1Y4')
    await shop.inForm.locator('[name=postal]').press('Tab')
    await due('$39.55')
    await shop.inForm.locator('[name=postal]').fill('')
    await shop.inForm.locator('#pay').click()
    await shop.inForm.getByText('Enter the postal code.').first().waitFor()
    deepEqual(await accessibilityFaults(form), [])
    equal(await form.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
    await shop.inForm.locator('[name=postal]').fill('M5V 2T6')
    await shop.inForm.locator('[name=postal]').press('Tab')
    await due('$40.50')
    await shop.inForm.locator('#pay').click()
    equal((await shop.called('success')).amount, 40.5)
    await shop.end()
  })

  test('CAS-33: axe finds nothing in the modal: open, with errors, declined, closed; light and dark', async () => {
    const shop = await open({ bypassCSP: true, reducedMotion: 'reduce' })
    const form = await shop.create()
    await form.addStyleTag({ content: ':root { background: Canvas }' })
    const finds = async (state: string) => deepEqual(await faultsInLightAndDark(shop.page, form), [], state)
    await finds('open')
    await shop.inForm.locator('#pay').click()
    await finds('with errors')
    for (const left of ['2 attempts left.', '1 attempt left.']) {
      await payInForm(shop.inForm, { ...DECLINED, ...CANADIAN_CARD })
      await shop.inForm.getByText(left).waitFor()
    }
    await finds('declined')
    await payInForm(shop.inForm, { ...DECLINED, ...CANADIAN_CARD })
    await shop.called('error')
    await finds('closed')
    await shop.end()
  })
})
