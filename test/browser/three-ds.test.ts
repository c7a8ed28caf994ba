import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { CATALOGUE } from '../../payment-form/messages/catalogue.ts'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { type SimulatedNetwork, threeDsTestCard } from '../../server/three-d-secure/simulator/test-cards.ts'
import { accessibilityFaults } from '../support/accessibility.ts'
import { inCase } from '../support/cases.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { type Merchant, merchantOf } from '../support/merchant.ts'
import { fillForm } from '../support/payment-page-steps.ts'
import { setBusiness } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'

// 3-D Secure from the click to the result in a real browser, with the whole service, the simulated 3-D Secure server
// and its bank on another origin.

async function start(): Promise<TestService> {
  await buildBrowserBundles()
  // The gateway and the 3-D Secure server may take a while, so that a busy machine does not cause another result.
  const service = await openService({ script: readPaymentFormScript(), timeScale: 0.2 })
  await setBusiness(service, { three_ds_enabled: true })
  return service
}

const METHOD_MS = 10_000
const CHALLENGE_MS = 600_000
const { script: TEXT } = CATALOGUE.en
const PAID = 'paid'
const NOT_CONFIRMED = TEXT.three_ds_not_confirmed

/** What the payer reads at the end, for each card of the simulator, by its four digits. */
const RESULTS: Record<string, string> = {
  2000: PAID,
  1100: PAID,
  3000: PAID,
  2200: PAID,
  2300: PAID,
  2120: PAID,
  2010: NOT_CONFIRMED,
  2130: TEXT.three_ds_refused,
  2150: TEXT.three_ds_unavailable,
  2140: TEXT.three_ds_unavailable,
  2160: TEXT.server_error,
  2180: TEXT.server_error,
  2190: TEXT.server_error,
  2070: PAID,
  2071: NOT_CONFIRMED,
  2072: PAID,
  2073: NOT_CONFIRMED,
  2074: TEXT.three_ds_expired,
  2075: NOT_CONFIRMED,
  2076: PAID,
  2077: TEXT.three_ds_unavailable,
  2078: TEXT.server_error,
  2079: TEXT.three_ds_expired,
  '0000': TEXT.three_ds_not_supported,
  '0100': TEXT.three_ds_not_supported,
  '0200': TEXT.server_error,
}
/** Cards of the other networks: a challenge that fails, one by hand, and none. */
const WITH_AND_WITHOUT_CHALLENGE = ['2071', '2072', '2000']
/** Results that count as an attempt: N and R. */
const ATTEMPTS = new Set(['2010', '2130', '2071', '2073', '2075'])
const BY_HAND = threeDsTestCard('visa', '2072')

describeWithBrowser('3-D Secure in a real browser', start, ({ browser, world: service }) => {
  let merchant: Merchant
  before(() => {
    merchant = merchantOf(service)
  })

  /** Opens a page in which time can be skipped, and records the complaints of its console. */
  async function newPage(options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({ locale: 'en-US', ...options })
    await context.route('https://shop.example/**', (route) => route.fulfill({ body: 'The shop' }))
    const page = await context.newPage()
    await page.clock.install()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    return { page, complaints }
  }

  async function openSession(page: Page, query = ''): Promise<string> {
    const token = await merchant.sessionToken()
    // A paid page goes to the shop automatically, which would interrupt the navigation to the next one.
    if ((await page.locator('.closed.good').count()) > 0) await page.waitForURL('https://shop.example/**')
    await page.goto(`${service.formUrl}/customer/checkout/${token}${query}`)
    return token
  }

  const bank = (page: Page) => page.frameLocator('#bank iframe').frameLocator('iframe')
  const pay = async (page: Page, cardnumber: string) => {
    await fillForm(page, { cardnumber, postal: '10001' })
    await page.click('#pay')
  }
  const enter = async (page: Page, code: string) => {
    // A mouse click may be lost: Chromium learns late that the place of a frame in another process reacts again.
    await page.locator('#bank:not([inert])').waitFor()
    await bank(page).locator('#code').fill(code)
    await bank(page).locator('button.main').press('Enter')
  }
  /** Waits for the end. @returns its text */
  async function resultOf(page: Page, what = ''): Promise<string> {
    const end = page.locator('.closed.good, div#alert p:not(.read)').first()
    await end.waitFor().catch(async (cause: unknown) => {
      throw new Error(`${what} has no result. The page says: ${await page.locator('body').innerText()}`, { cause })
    })
    return (await page.locator('.closed.good').count()) > 0 ? PAID : ((await end.textContent()) ?? '')
  }
  const session = async (token: string) => (await merchant.details(token)).body.checkout_session

  /** Skips time for results that only time ends. */
  async function passTime(page: Page, digits: string): Promise<void> {
    if (/^2[23]/.test(digits)) {
      await page.locator('body > iframe').waitFor({ state: 'attached' })
      await page.clock.fastForward(METHOD_MS)
    }
    if (digits === '2072') await enter(page, '123456')
    if (/^207[49]/.test(digits)) {
      await bank(page).locator('h1').waitFor()
      await page.clock.fastForward(CHALLENGE_MS)
    }
  }

  /** Presses Pay a second time on a page on which a payment has failed: all fields except these are filled. */
  async function payAgain(page: Page, fields: { cardnumber: string; cvc: string }): Promise<void> {
    await page.locator('div#alert p').evaluateAll((lines) => {
      for (const line of lines) line.classList.add('read')
    })
    for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value)
    await page.click('#pay')
  }

  /** Checks cards as a payer whose card fails tries another one on the same page, so that a page has several cards. */
  async function checkCards(network: SimulatedNetwork, cards: readonly string[]): Promise<void> {
    const { page, complaints } = await newPage()
    let token: string | null = null
    let attempts = 0
    for (const digits of cards) {
      const fields = { cardnumber: threeDsTestCard(network, digits), cvc: network === 'amex' ? '1234' : '123' }
      if (token) await payAgain(page, fields)
      else {
        token = await openSession(page)
        await fillForm(page, { ...fields, postal: '10001' })
        await page.click('#pay')
      }
      await passTime(page, digits)
      const result = await resultOf(page, `${network} ${digits}`)
      const [beforeName = ''] = (RESULTS[digits] ?? '').split('{business}')
      ok(result.startsWith(beforeName) && beforeName !== '', `${network} ${digits}: ${result}`)
      if (ATTEMPTS.has(digits)) attempts += 1
      const { payment_status, attempt_count } = await session(token)
      const expected = [result === PAID ? 'PAID' : 'UNPAID', attempts]
      deepEqual([payment_status, attempt_count], expected, `${network} ${digits}`)
      // The third attempt would end the session.
      if (result === PAID || attempts === 2) [token, attempts] = [null, 0]
    }
    // A host that refuses the connection, refusals, and a field of the bank's page to which a browser does not give the
    // focus.
    const expected = /ERR_CONNECTION_REFUSED|status of (400|403|408|500|502)|Blocked autofocusing/
    deepEqual(
      complaints.filter((text) => !expected.test(text)),
      [],
    )
    await page.context().close()
  }

  test('CAS-69, TDS-18: every card ends as its digits say, and nothing complains', async () => {
    await checkCards('visa', Object.keys(RESULTS))
  })

  // The networks differ only in the form and in the proof. Every number of each runs over HTTP:
  // test/spec/three-ds-cards.test.ts.
  test('CAS-69, TDS-18: cards of other networks end as those of Visa, with a challenge and without', async () => {
    for (const network of ['mastercard', 'amex'] as const) await checkCards(network, WITH_AND_WITHOUT_CHALLENGE)
  })

  const ENTERED: [what: string, act: (page: Page) => Promise<void>, result: string][] = [
    ['123456', (page) => enter(page, '123456'), PAID],
    ['000000', (page) => enter(page, '000000'), NOT_CONFIRMED],
    [
      'three wrong codes',
      async (page) => {
        for (let tries = 0; tries < 3; tries++)
          await Promise.all([page.waitForEvent('framenavigated'), enter(page, '111111')])
      },
      NOT_CONFIRMED,
    ],
    ['Cancel in the bank’s page', (page) => bank(page).locator('button[value=cancel]').click(), NOT_CONFIRMED],
    ['Cancel in the page', (page) => page.click('#cancel-challenge'), NOT_CONFIRMED],
  ]
  test('CAS-71: a challenge by hand ends as the payer enters, and each failure counts as an attempt', async () => {
    const { page } = await newPage()
    for (const [what, act, result] of ENTERED) {
      const token = await openSession(page)
      await pay(page, BY_HAND)
      await bank(page).locator('#code').waitFor()
      await act(page)
      equal(await resultOf(page, what), result, what)
      const { payment_status: status, attempt_count: attempts } = await session(token)
      deepEqual([status, attempts], result === PAID ? ['PAID', 0] : ['UNPAID', 1], what)
    }
    await page.context().close()
  })

  test('CAS-32: the whole payment with the keyboard alone, with a challenge', async () => {
    const { page } = await newPage()
    const token = await openSession(page)
    const fields = {
      cardnumber: BY_HAND,
      exp: '0431',
      cvc: '123',
      ccname: 'Ana Roy',
      email: 'ana@example.com',
      postal: '10001',
    }
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab')
      const { id, name } = await page.evaluate(() => {
        const { id = '', name = '' } = (document.activeElement ?? {}) as HTMLInputElement
        return { id, name }
      })
      if (id === 'pay') break
      await page.keyboard.type(fields[name as keyof typeof fields] ?? '')
    }
    await page.keyboard.press('Enter')
    await bank(page).locator('#code').waitFor()
    equal(await page.evaluate(() => document.activeElement?.id), 'challenge-title')
    await page.keyboard.press('Tab')
    equal(await page.evaluate(() => document.activeElement?.id), 'cancel-challenge')
    await page.keyboard.press('Tab')
    // The bank's page is in another process, which gets the focus a moment later.
    await bank(page).locator('#code:focus').waitFor()
    await page.keyboard.type('123456')
    equal(await bank(page).locator('#code').inputValue(), '123456')
    await page.keyboard.press('Enter')
    equal(await resultOf(page), PAID)
    equal((await session(token)).payment_status, 'PAID')
    await page.context().close()
  })

  const SCREENS: [name: string, width: number, height: number, colorScheme: 'light' | 'dark', locale: string][] = [
    ['desk', 1280, 800, 'light', 'en'],
    ['dark', 1280, 800, 'dark', 'es'],
    ['phone', 390, 844, 'light', 'fr-CA'],
    ['small', 320, 640, 'light', 'fr-CA'],
  ]
  test('CAS-33: axe finds nothing in the challenge and in the bank’s page, which fits a desk and phones', async () => {
    const { page } = await newPage({ bypassCSP: true })
    for (const [name, width, height, colorScheme, locale] of SCREENS)
      await inCase(`${name}, ${locale}`, async () => {
        await page.setViewportSize({ width, height })
        await page.emulateMedia({ colorScheme })
        await openSession(page, `?locale=${locale}`)
        await pay(page, BY_HAND)
        await bank(page).locator('#code').waitFor()
        equal(await page.textContent('#challenge h2'), CATALOGUE[locale as 'en'].page.confirm_title)
        await assertFits(page, locale)
        // A second run with axe in every frame: it then also compares the landmarks of frames with those of the page.
        deepEqual(await accessibilityFaults(page), [])
      })
    await page.context().close()
  })
})

/** Asserts that axe finds nothing in the page, the card page's frame and the bank's, and that none scrolls sideways. */
async function assertFits(page: Page, locale: string): Promise<void> {
  const frames = page.frames()
  equal(frames.length, 3)
  for (const frame of frames) {
    deepEqual(await accessibilityFaults(frame), [], frame.url())
    const { language, overflow } = await frame.evaluate(() => {
      const { lang, scrollWidth } = document.documentElement
      return { language: lang, overflow: scrollWidth - innerWidth }
    })
    ok(overflow <= 0, `${frame.url()} is ${overflow} px too wide`)
    match(language, new RegExp(`^${locale.slice(0, 2)}`))
  }
}
