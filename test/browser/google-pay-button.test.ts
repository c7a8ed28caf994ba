import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { WalletFrameData } from '../../contract/wallet-frame.ts'
import { describeWithBrowser } from '../support/describe-in-browser.ts'
import {
  PAYMENT,
  type PlayedWallet,
  playGoogle,
  type WalletCalls,
  walletCalls,
  walletFrame,
  walletShown,
} from '../support/google-wallet-played.ts'
import { type Changes, openView } from '../support/payment-page-data.ts'
import { type Scenario, startPaymentPageFixture } from '../support/payment-page-fixture.ts'
import { fillCard } from '../support/payment-page-steps.ts'
import { requestWith, startWalletHost } from '../support/wallet-host.ts'

// GPY-1, GPY-11: the button with a test replacement of Google's script, in the payment page's fixture.

interface Options extends PlayedWallet {
  session?: Changes['session']
  frame?: Partial<WalletFrameData>
  scenario?: Partial<Scenario>
  context?: BrowserContextOptions
}

const APPROVED = {
  body: { ok: true, message: 'Approved', result: { code: 'AA', recordID: 'r', receiptID: 'R7' }, success_url: null },
}
const CUSTOMER = { body: { ok: true, customer: { id: '0198c0de-0000-7000-8000-000000000003' } } }
const DECLINED = {
  body: { ok: false, message: '', code: 'ND', attempt_count: 1, max_attempts: 3, cancel_url: null, charged: false },
}

async function start() {
  const [fixture, host] = await Promise.all([startPaymentPageFixture(), startWalletHost()])
  return { fixture, host, close: async () => void (await Promise.all([fixture.close(), host.close()])) }
}

describeWithBrowser('the Google Pay button with Google’s script', start, ({ browser, world }) => {
  async function open({ session = {}, frame = {}, scenario = {}, context: options = {}, ...played }: Options = {}) {
    const context = await browser.newContext(options)
    const { requests } = await playGoogle(context, played)
    const opened = world.fixture.open({
      view: (given) => {
        const pageOrigin = new URL(given.shopUrl('')).origin
        return { ...openView(given, { session }), walletFrame: world.host.frame(pageOrigin, frame) }
      },
      pay: [APPROVED],
      customer: [CUSTOMER],
      ...scenario,
    })
    const page = await context.newPage()
    const violations: string[] = []
    page.on(
      'console',
      (message) => /Content Security|Permissions/.test(message.text()) && violations.push(message.text()),
    )
    const requestedByPage: string[] = []
    page.on('request', (request) => {
      if (request.frame() === page.mainFrame() && /google/.test(new URL(request.url()).host))
        requestedByPage.push(request.url())
    })
    await page.addInitScript(observeShifts)
    await page.goto(opened.url)
    const posts = (path: string) => opened.posts.filter((post) => post.path === path).map(({ body }) => body)
    return { page, requests, requestedByPage, posts, violations, [Symbol.asyncDispose]: () => context.close() }
  }

  const press = async (page: Page) => {
    await walletShown(page)
    await page.frameLocator('#wallet iframe').getByRole('button').click()
  }

  const RECIPIENTS = [
    ['a merchant with its own key', { type: 'DIRECT', parameters: { protocolVersion: 'ECv2', publicKey: 'BPw=' } }],
    ['one of the gateway', { type: 'PAYMENT_GATEWAY', parameters: { gateway: 'rialto', gatewayMerchantId: 'b7' } }],
  ] as const
  for (const [name, recipient] of RECIPIENTS)
    test(`GPY-11: for ${name}, Google gets exactly the request of the server`, async () => {
      const request = requestWith(recipient)
      await using opened = await open({ frame: { request, environment: 'PRODUCTION' }, sheet: 'CANCELED' })
      await press(opened.page)
      const calls = await callsAfterSheet(opened.page)
      const { type, parameters } = request.allowedPaymentMethods[0] ?? {}
      deepEqual(calls.client, [{ environment: 'PRODUCTION' }])
      deepEqual(calls.ready, [{ apiVersion: 2, apiVersionMinor: 0, allowedPaymentMethods: [{ type, parameters }] }])
      deepEqual(calls.load, [request])
      deepEqual(opened.violations, [])
    })

  test('GPY-11: the button is in two letters of the language, as round as the form, and white on a dark page', async () => {
    for (const [colorScheme, buttonColor] of [
      ['light', 'black'],
      ['dark', 'white'],
    ] as const) {
      await using opened = await open({ frame: { locale: 'fr-CA', cornerRadius: 4 }, context: { colorScheme } })
      await walletShown(opened.page)
      const { button } = await walletCalls(await walletFrame(opened.page))
      deepEqual(
        button.map(({ buttonLocale, buttonSizeMode, buttonRadius, ...look }) => [
          ...[buttonLocale, buttonSizeMode, buttonRadius],
          look.buttonColor,
        ]),
        [['fr', 'fill', 4, buttonColor]],
      )
    }
  })

  test('the token is paid with, and what the wallet knows of the payer goes with it', async () => {
    await using opened = await open()
    await press(opened.page)
    await opened.page.waitForSelector('.closed.good')
    deepEqual(opened.posts('customer'), [{ name: 'Ana Roy', email: 'ana@example.com' }])
    deepEqual(opened.posts('pay'), [
      {
        payment_method_type: 'google_pay',
        googlePayToken: PAYMENT.paymentMethodData.tokenizationData.token,
        amount: 72.41,
        customerId: '0198c0de-0000-7000-8000-000000000003',
        consents: {},
        billing_address: { name: 'Ana Roy', postal_code: 'M5V 2T6', country: 'CA' },
      },
    ])
  })

  test('a closed sheet leaves everything as it was, and opens again', async () => {
    await using opened = await open({ sheet: 'CANCELED' })
    await press(opened.page)
    await callsAfterSheet(opened.page)
    equal(await opened.page.innerText('#alert'), '')
    await press(opened.page)
    equal((await callsAfterSheet(opened.page, 2)).load.length, 2)
    deepEqual([opened.posts('pay'), await phaseOf(opened.page)], [[], 'ready'])
  })

  test('a sheet that fails says so once, and the card form stays', async () => {
    await using opened = await open({ sheet: 'DEVELOPER_ERROR' })
    await press(opened.page)
    await opened.page.getByText('Google Pay did not work this time. You have not been charged.').waitFor()
    await payByCard(opened.page)
  })

  test('a decline is shown as for a card, and the wallet can be used again', async () => {
    await using opened = await open({ scenario: { pay: [DECLINED, APPROVED], customer: [CUSTOMER] } })
    await press(opened.page)
    await opened.page.getByText('2 attempts left.').waitFor()
    equal(await opened.page.evaluate(() => document.activeElement?.id), 'alert')
    await press(opened.page)
    await opened.page.waitForSelector('.closed.good')
  })

  test('a refused token is not blamed on a field of the card', async () => {
    const refused = { errors: { googlePayToken: ['is not valid'] }, code: 'validation_failed', charged: false }
    await using opened = await open({ scenario: { pay: [{ status: 422, body: { ok: false, ...refused } }] } })
    await press(opened.page)
    await opened.page.getByText('Google Pay did not work this time.').waitFor()
    equal(await opened.page.locator('[aria-invalid=true]').count(), 0)
  })

  test('while a payment runs, the button does nothing', async () => {
    const released = Promise.withResolvers<void>()
    await using opened = await open({ scenario: { pay: [{ ...APPROVED, held: released.promise }] } })
    await walletShown(opened.page)
    await fillCard(opened.page)
    await opened.page.click('#pay')
    equal(await opened.page.locator('#wallet').getAttribute('inert'), '')
    released.resolve()
    await opened.page.waitForSelector('.closed.good')
    equal(opened.posts('pay').length, 1)
  })

  test('what the payer must agree to comes before the sheet', async () => {
    const consent_collection = { terms_of_service: 'required', promotions: 'none' } as const
    await using opened = await open({ session: { consent_collection } })
    await press(opened.page)
    await opened.page.getByText('Agree to the terms of service to pay.').first().waitFor()
    deepEqual((await walletCalls(await walletFrame(opened.page))).load, [])
    await opened.page.check('[name=terms]')
    await press(opened.page)
    await opened.page.waitForSelector('.closed.good')
    deepEqual(opened.posts('pay')[0]?.consents, { terms_of_service: true })
  })

  const ABSENT: [why: string, PlayedWallet][] = [
    ['the payer has no wallet', { isReady: false }],
    ['the script cannot be reached', { script: 'unreachable' }],
  ]
  for (const [why, played] of ABSENT)
    test(`CAS-85: when ${why}, nothing is shown, nothing moves, and the card form pays`, async () => {
      await using opened = await open(played)
      await opened.page.waitForSelector('#wallet', { state: 'detached' })
      equal(await shiftedOn(opened.page), 0)
      await payByCard(opened.page)
      equal(opened.posts('pay')[0]?.payment_method_type, 'new_card')
    })

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 360, height: 640 },
  ])
    test(`CAS-85: a slow script does not move the page when its button comes (${viewport.width} px)`, async () => {
      const released = Promise.withResolvers<void>()
      await using opened = await open({ script: { held: released.promise }, context: { viewport } })
      equal(await opened.page.locator('#wallet[data-ready]').count(), 0)
      released.resolve()
      await walletShown(opened.page)
      await opened.page.waitForTimeout(300)
      const shifted = await shiftedOn(opened.page)
      ok(shifted <= 0.05, `CLS is ${shifted}.`)
      const box = await opened.page.locator('#wallet iframe').boundingBox()
      ok(box && box.height >= 48 && box.width >= 152 && box.x >= 0 && box.x + box.width <= viewport.width)
    })

  test('CAS-85: a button that comes while the payer types leaves the field where it is', async () => {
    const released = Promise.withResolvers<void>()
    const context = { viewport: { width: 360, height: 640 } }
    await using opened = await open({ script: { held: released.promise }, context })
    const topOf = () => opened.page.evaluate(() => document.getElementById('cardnumber')?.getBoundingClientRect().top)
    await opened.page.focus('#cardnumber')
    const before = await topOf()
    released.resolve()
    await walletShown(opened.page)
    equal(await topOf(), before)
  })

  test('CAS-86: the card page has nothing of Google’s: no object, no script, no request', async () => {
    await using opened = await open()
    await walletShown(opened.page)
    equal(await opened.page.evaluate(() => 'google' in window), false)
    equal(await (await walletFrame(opened.page)).evaluate(() => 'google' in window), true)
    deepEqual(opened.requests, ['https://pay.google.com/gp/p/js/pay.js'])
    deepEqual(opened.requestedByPage, [])
    deepEqual(
      await opened.page.$$eval('script[src]', (scripts) =>
        scripts.map((script) => new URL(script.getAttribute('src') ?? '').pathname),
      ),
      [world.fixture.script.path],
    )
    deepEqual(opened.violations, [])
  })

  test('the page believes no one but its frame: neither itself nor another frame of that origin', async () => {
    await using opened = await open({ context: { bypassCSP: true } })
    await walletShown(opened.page)
    const paid = { type: 'rc:wallet_paid', googlePayToken: 'x', description: '', email: null, billing: null }
    await opened.page.evaluate((message) => window.postMessage(message, '*'), paid)
    const frame = await walletFrame(opened.page)
    await frame.evaluate((message) => {
      const inner = document.body.appendChild(document.createElement('iframe'))
      const send = inner.contentWindow as unknown as { eval(code: string): void }
      send.eval(`window.top.postMessage(${JSON.stringify(message)}, '*')`)
    }, paid)
    await opened.page.waitForTimeout(300)
    deepEqual([opened.posts('pay'), await phaseOf(opened.page)], [[], 'ready'])
  })

  async function payByCard(page: Page): Promise<void> {
    await fillCard(page)
    await page.click('#pay')
    await page.waitForSelector('.closed.good')
  }
})

const phaseOf = (page: Page) => page.locator('#columns').getAttribute('data-phase')
const shiftedOn = (page: Page) => page.evaluate(() => (window as unknown as { shifted: number }).shifted)

async function callsAfterSheet(page: Page, times = 1) {
  const frame = await walletFrame(page)
  // A function: the document forbids to evaluate a text, as a wait does that finds no at first.
  await frame.waitForFunction(
    (count) => (window as never as { played: WalletCalls }).played.load.length === count,
    times,
  )
  return walletCalls(frame)
}

/** Sums the layout shifts of the page's own document. */
function observeShifts() {
  const counted = window as unknown as { shifted: number }
  counted.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) counted.shifted += (entry as unknown as { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
}
