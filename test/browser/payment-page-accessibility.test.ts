import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { LOCALES, type PaymentPageView } from '../../contract/payment-page.ts'
import { accessibilityFaults, faultsInLightAndDark } from '../support/accessibility.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import { BUSINESS, type Changes, openView } from '../support/payment-page-data.ts'
import { type ScenarioFrame, startPaymentPageFixture } from '../support/payment-page-fixture.ts'
import { declined, fillCard, payByCard, sessionStatus } from '../support/payment-page-steps.ts'
import { bankSays, challenge, initReady, inProgress, SILENT, THREE_DS } from '../support/three-ds-steps.ts'

// Colours do not depend on the language, so the dark ones are only tested in the longest one.
const DARK = 'fr-CA'

const EVERYTHING: Changes = {
  session: {
    billing_address_collection: 'required',
    shipping_address_collection: 'auto',
    consent_collection: { terms_of_service: 'required', promotions: 'auto' },
    surcharge: { rate: 2.4, amount: 1.7, applies: null },
  },
  data: {
    customer: { id: 'cu1', name: 'Ana', email: 'ana@example.com', phone: null },
    saved_cards: [
      { id: 'c1', brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031, name_on_card: null, expired: false },
      { id: 'c2', brand: 'amex', last4: '0005', exp_month: 4, exp_year: 2020, name_on_card: null, expired: true },
    ],
  },
}

type MakeView = (frame: ScenarioFrame) => PaymentPageView

const closed =
  (state: 'paid' | 'expired' | 'cancelled' | 'failed'): MakeView =>
  (frame) => ({ ...frame, state, business: BUSINESS, returnUrl: frame.shopUrl('cart') })

const STATES: Record<string, { view: MakeView; steps?: (page: Page) => Promise<void> }> = {
  open: { view: (frame) => openView(frame) },
  'with all parts': { view: (frame) => openView(frame, EVERYTHING), steps: (page) => page.check('#new_card') },
  'with errors': { view: (frame) => openView(frame), steps: (page) => page.click('#pay') },
  declined: {
    view: (frame) => openView(frame),
    steps: async (page) => {
      await payByCard(page)
      await page.locator('#attempts-left, div#alert p').first().waitFor()
    },
  },
  checking: { view: (frame) => ({ ...openView(frame), state: 'checking' }) as PaymentPageView },
  approved: {
    view: (frame) => ({
      ...frame,
      state: 'approved',
      business: BUSINESS,
      receiptId: 'R-7',
      amount: '$1',
      returnUrl: '/',
    }),
  },
  paid: { view: closed('paid') },
  expired: { view: closed('expired') },
  cancelled: { view: closed('cancelled') },
  failed: { view: closed('failed') },
  'not found': { view: (frame) => ({ ...frame, state: 'not_found' }) },
  'not available': { view: (frame) => ({ ...frame, state: 'error', retryAfterSeconds: 20 }) },
  challenge: {
    view: (frame) => openView(frame, { data: { three_ds: THREE_DS } }),
    steps: async (page) => {
      await bankSays(page, SILENT)
      await payByCard(page)
      await page.locator('#bank iframe').waitFor()
    },
  },
  rapid: { view: (frame) => openView({ ...frame, surface: 'rapid' }) },
  embedded: { view: (frame) => openView({ ...frame, surface: 'embedded' }) },
}

describeWithBrowser('the payment page for everybody', startPaymentPageFixture, ({ browser, world: fixture }) => {
  /** The page of tests that need no context of their own. */
  let usual: Page
  before(async () => {
    usual = await newPage({})
  })

  /** Opens a page. The checker is a script, so only here the page's own rule against foreign scripts is off. */
  const newPage = async (options: BrowserContextOptions) =>
    (await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce', ...options })).newPage()

  const open = async (page: Page, view: MakeView, query = '') => {
    const customer = [{ body: { ok: true, customer: { id: 'cu1' } } }]
    const threeDs = { init: [initReady], authenticate: [challenge(), inProgress] }
    const opened = fixture.open({ view, pay: [declined('ND')], status: [sessionStatus(true)], customer, ...threeDs })
    await page.goto(opened.url + query)
    return opened
  }

  for (const [name, { view, steps }] of Object.entries(STATES))
    test(`CAS-33: axe finds nothing in the state "${name}", light and dark, in three languages`, async () => {
      for (const locale of LOCALES) {
        await usual.emulateMedia({ colorScheme: 'light' })
        await open(usual, view, `?locale=${locale}`)
        await steps?.(usual)
        const faults = locale === DARK ? faultsInLightAndDark(usual) : accessibilityFaults(usual)
        assert.deepEqual(await faults, [], locale)
      }
    })

  test('CAS-39: brand colours that nobody could read are corrected', async () => {
    for (const brand_color of ['#ffee00', '#ffffff', '#000000', '#808080', 'url(evil)']) {
      await open(usual, (frame) => openView(frame, { business: { brand_color } }))
      assert.deepEqual(await faultsInLightAndDark(usual), [], brand_color)
    }
  })

  test('CAS-34: with text at 200 %, wide spacing and forced colours, nothing is cut off', async () => {
    const page = await newPage({ viewport: { width: 640, height: 800 }, forcedColors: 'active' })
    await open(page, (frame) => openView(frame, EVERYTHING))
    await page.check('#new_card')
    await page.addStyleTag({
      content: `html { font-size: 200% }
        * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }`,
    })
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.page *:not(.visually-hidden, .visually-hidden *, .total-label, option, select)')]
        .filter((element) => element.checkVisibility() && element instanceof HTMLElement)
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        .map((element) => element.outerHTML.slice(0, 120)),
    )
    assert.deepEqual(cut, [])
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false)
    await page.context().close()
  })

  test('CAS-34, CAS-32: with reduced motion only the spinner turns, slowly; the whole payment works by keyboard, in the order of the page', async () => {
    const page = usual
    const opened = await open(page, (frame) => openView(frame))
    assert.equal(
      await page.locator('#cardnumber').evaluate((field) => getComputedStyle(field).transitionDuration),
      '0s',
    )
    const focused = () => page.evaluate(() => document.activeElement?.id)
    await page.focus('#cardnumber')
    const order: (string | undefined)[] = []
    const values = [CARDS.visa, '0431', '123', 'Ana Roy', '', 'H2X 1Y4']
    for (const value of values) {
      order.push(await focused())
      if (value) await page.keyboard.type(value)
      await page.keyboard.press('Tab')
    }
    assert.deepEqual(order, ['cardnumber', 'exp', 'cvc', 'ccname', 'country', 'postal'])
    assert.equal(await focused(), 'pay')
    const ring = await page.locator('#pay').evaluate((button) => getComputedStyle(button).outlineWidth)
    assert.equal(ring, '2px')
    await page.keyboard.press('Enter')
    await page.getByText('2 attempts left.').waitFor()
    assert.equal(opened.posts.length, 1)
  })

  test('PAG-34 and WCAG 2.5.8: fields are 44 px high, their text 16 px, and every target at least 24 px', async () => {
    const page = await newPage({ viewport: { width: 375, height: 800 } })
    await open(page, (frame) => openView(frame, EVERYTHING))
    await page.check('#new_card')
    await fillCard(page)
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('input:not([type=checkbox], [type=radio]), select, button')]
        .filter((element) => element.checkVisibility())
        .filter((field) => {
          const { height } = field.getBoundingClientRect()
          return height < 44 || Number.parseFloat(getComputedStyle(field).fontSize) < 16
        })
        .map((field) => field.id),
    )
    assert.deepEqual(small, [])
    await page.context().close()
  })
})
