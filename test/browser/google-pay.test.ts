import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { accessibilityFaults } from '../support/accessibility.ts'
import { inCase } from '../support/cases.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { acceptGooglePay } from '../support/google-pay-shop.ts'
import { walletFrame, walletShown } from '../support/google-wallet-played.ts'
import { pressOn, tabTo } from '../support/keyboard.ts'
import { payInForm } from '../support/payment-page-steps.ts'
import { CANADIAN_CARD } from '../support/real-shop.ts'
import { setBusiness } from '../support/recorded.ts'

// GPY-1, GPY-6, GPY-8: the simulated wallet in a browser, with the whole service behind it.

const NETWORKS = ['Visa', 'Mastercard', 'American Express']
const ACCOUNT = 'PAN_ONLY'
const DEVICE = 'CRYPTOGRAM_3DS'

describeInShop('Google Pay', ({ shops, browser }) => {
  const ours = () => ({ app: shops.service.app, demo: shops.merchant.demo })
  before(async () => {
    await acceptGooglePay(shops.service, { businessId: shops.merchant.demo.business_id })
  })

  const urls = () => ({ success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` })

  async function openPage(options: BrowserContextOptions & { locale?: string } = {}, input = {}) {
    const { locale = 'en', ...contextOptions } = options
    const context = await browser.newContext(contextOptions)
    const page = await context.newPage()
    return { page, ...(await goTo(page, locale, input)), [Symbol.asyncDispose]: () => context.close() }
  }

  /** Goes to the form of a new session. */
  async function goTo(page: Page, locale = 'en', input = {}) {
    const { merchant, service } = shops
    const token = await merchant.sessionToken({ ...urls(), ...input })
    const calls: string[] = []
    const bodies = new Map<string, string | null>()
    page.removeAllListeners('request')
    page.on('request', (request) =>
      calls.push(`${request.method()} ${new URL(request.url()).pathname.split('/').at(-1)}`),
    )
    page.on('request', (request) => bodies.set(request.url().split('/').at(-1) ?? '', request.postData()))
    await page.goto(`${service.formUrl}/customer/checkout/${token}?locale=${locale}`)
    const made = (name: string) => calls.filter((call) => call === `POST ${name}`).length
    return { token, made, bodies }
  }

  const details = async (token: string) => (await shops.merchant.details(token)).body
  const inWallet = (form: Page | FrameLocator) => form.frameLocator('#wallet iframe')
  const cardIn = (wallet: FrameLocator, network: string, method: string) =>
    wallet.getByRole('button', { name: new RegExp(`^${network}.*${method}`) })

  async function payByWallet(form: Page | FrameLocator, network = 'Visa', method = DEVICE): Promise<void> {
    const wallet = inWallet(form)
    await wallet.getByRole('button', { name: 'Google Pay' }).click()
    await cardIn(wallet, network, method).click()
  }

  test('CAS-81: each card is paid, and no field of the card was needed; with 3-D Secure only the card of an account runs it', async () => {
    await using opened = await openPage()
    const { page } = opened
    await page.route('**/thanks?**', (route) => route.abort())
    for (const isOn of [false, true]) {
      await setBusiness(ours(), { three_ds_enabled: isOn })
      // Without 3-D Secure the tokens of the other networks pay over HTTP: test/spec/google-pay-frame.test.ts.
      for (const network of isOn ? NETWORKS : ['Visa'])
        for (const method of [ACCOUNT, DEVICE])
          await inCase(`${network}, ${method}, 3-D Secure ${isOn ? 'on' : 'off'}`, async () => {
            const { token, made } = await goTo(page)
            // Only then the page can go to the next session. Another page here would need another process.
            const left = page.waitForEvent('requestfailed', (request) => request.url().includes('/thanks'))
            await payByWallet(page, network, method)
            await page.getByText('Payment approved').first().waitFor()
            const { checkout_session, transaction } = await details(token)
            deepEqual([checkout_session.payment_status, transaction.details.source], ['PAID', 'google_pay'])
            equal(made('init'), isOn ? 1 : 0)
            equal(made('authenticate') > 0, isOn && method === ACCOUNT)
            await left
          })
    }
    await setBusiness(ours(), { three_ds_enabled: false })
  })

  test('Cancel and Escape close the wallet; nothing is sent, and it opens again', async () => {
    await using opened = await openPage()
    const wallet = inWallet(opened.page)
    const button = wallet.getByRole('button', { name: 'Google Pay' })
    const height = async () => (await opened.page.locator('#wallet iframe').boundingBox())?.height
    await walletShown(opened.page)
    const closed = await height()
    for (const close of [() => wallet.getByText('Cancel').click(), () => opened.page.keyboard.press('Escape')]) {
      await button.click()
      await wallet.getByRole('dialog').waitFor()
      await opened.page.waitForFunction(
        (low) => (document.querySelector('#wallet iframe')?.clientHeight ?? 0) > low * 4,
        closed ?? 0,
      )
      await close()
      await wallet.getByRole('dialog').waitFor({ state: 'detached' })
      await opened.page.waitForFunction(
        (low) => document.querySelector('#wallet iframe')?.clientHeight === low,
        closed ?? 0,
      )
    }
    equal(opened.made('pay'), 0)
    await payByWallet(opened.page)
    await opened.page.getByText('Payment approved').first().waitFor()
  })

  test('by keyboard alone: to the button, into the wallet, and paid', async () => {
    await using opened = await openPage()
    await walletShown(opened.page)
    const frame = await walletFrame(opened.page)
    const wallet = inWallet(opened.page)
    await opened.page.focus('.languages a')
    for (let presses = 0; presses < 30 && !(await frame.evaluate(() => document.hasFocus())); presses++)
      await opened.page.keyboard.press('Tab')
    await opened.page.keyboard.press('Enter')
    await wallet.getByRole('dialog').waitFor()
    await pressOn(opened.page, cardIn(wallet, 'Mastercard', DEVICE))
    await opened.page.getByText('Payment approved').first().waitFor()
  })

  test('all of the address that a session asks for comes from the wallet', async () => {
    await using opened = await openPage({}, { billing_address_collection: 'required' })
    await payByWallet(opened.page)
    await opened.page.getByText('Payment approved').first().waitFor()
    deepEqual(JSON.parse(opened.bodies.get('pay') ?? '{}').billing_address, {
      name: 'Simulated Payer',
      line1: '301 Front Street West',
      city: 'Toronto',
      state: 'ON',
      postal_code: 'M5V 2T6',
      country: 'CA',
    })
  })

  for (const script of ['rialto-checkout', 'rapid'] as const)
    test(`CAS-81: in a merchant's page (${script}) it pays and calls back`, async () => {
      const shop = await shops.open(browser, { script })
      await shop.create(script === 'rapid' ? {} : urls())
      await payByWallet(shop.inForm, 'Visa', ACCOUNT)
      const { session_id } = await shop.called('success')
      equal((await details(String(session_id))).checkout_session.payment_status, 'PAID')
      await shop.end()
    })

  test('CAS-84: in a frame that does not delegate payment the button is absent, the console says why, the card form pays', async () => {
    const { body } = await shops.merchant.createSession({ ...urls(), ui_mode: 'embedded' })
    const { token } = body.checkout_session
    const context = await browser.newContext()
    const page = await context.newPage()
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    const src = `${shops.service.formUrl}/customer/checkout/${token}`
    await page.goto(`${shops.origin()}/frame?src=${encodeURIComponent(src)}`)
    const form = page.frameLocator('iframe')
    await form.locator('#wallet').waitFor({ state: 'detached' })
    ok(
      warnings.some((text) => /does not allow "payment"/.test(text)),
      warnings.join(),
    )
    await payInForm(form, CANADIAN_CARD)
    await form.getByText('Payment approved').first().waitFor()
    equal((await details(token)).checkout_session.payment_status, 'PAID')
    await context.close()
  })

  for (const [locale, colorScheme, width] of [
    ['en', 'light', 1280],
    ['fr-CA', 'dark', 360],
    ['es', 'light', 320],
  ] as const)
    test(`CAS-33: axe finds nothing in the page and in the wallet: ${locale}, ${colorScheme}, ${width} px`, async () => {
      const viewport = { width, height: 720 }
      await using opened = await openPage({ locale, colorScheme, viewport, bypassCSP: true, reducedMotion: 'reduce' })
      await walletShown(opened.page)
      const frame = await walletFrame(opened.page)
      const wallet = inWallet(opened.page)
      const finds = async () => [...(await accessibilityFaults(opened.page)), ...(await accessibilityFaults(frame))]
      deepEqual(await finds(), [])
      await shoot(opened.page, `wallet-${locale}-${colorScheme}-${width}`)
      await wallet.getByRole('button', { name: 'Google Pay' }).click()
      await wallet.getByRole('dialog').waitFor()
      await opened.page.waitForFunction(() => (document.querySelector('#wallet iframe')?.clientHeight ?? 0) > 300)
      deepEqual(await finds(), [])
      await shoot(opened.page, `wallet-open-${locale}-${colorScheme}-${width}`)
      equal(await opened.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
      equal(await frame.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
      equal(await frame.evaluate(() => document.documentElement.scrollHeight > innerHeight), false)
      await tabTo(opened.page, wallet.locator('.cancel'))
    })
})

async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}
