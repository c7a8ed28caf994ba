import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describeInBrowser } from '../support/describe-in-browser.ts'
import {
  choicesOf,
  clickTwice,
  doubleClickTest,
  eachDoubleClick,
  GAPS,
  placesOf,
  SIZES,
  watchPlaces,
} from '../support/double-click.ts'
import { type Changes, openView } from '../support/payment-page-data.ts'
import type { OpenedScenario, Response, Scenario } from '../support/payment-page-fixture.ts'
import { approved, declined, fillCard, payByCard, refused, sessionStatus } from '../support/payment-page-steps.ts'

// A payer who double-clicks: nothing moves and nothing else reacts from the click to its result, and the second click
// does not press what the result puts under the pointer.

const BOXES: Changes = {
  session: { consent_collection: { terms_of_service: 'none', promotions: 'auto' } },
  data: { customer: { id: '0198c0de-0000-7000-8000-000000000003', name: 'Ana', email: 'a@example.com', phone: null } },
}
const SAVED: Changes = {
  data: {
    ...BOXES.data,
    saved_cards: [
      { id: 'c1', brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031, name_on_card: null, expired: false },
      { id: 'c2', brand: 'visa', last4: '1881', exp_month: 4, exp_year: 2031, name_on_card: null, expired: false },
    ],
  },
}
/** Gaps for tests that are not about place and size. */
const FEW_GAPS = [30, 300]
/** Attempts of a session on whose page many double clicks are declined. */
const MANY = 40

interface Case {
  gap: number
  delayMs: number
}

/** Returns two cases for each gap: a result during which the second click comes, and one before it. */
const casesOf = (gaps: readonly number[]): Case[] =>
  gaps.flatMap((gap) => [gap + 200, 0].map((delayMs) => ({ gap, delayMs })))
const nameOf = ({ gap, delayMs }: Case) => `${gap} ms apart, the result after ${delayMs} ms`
/** Results that are there at once. */
const AT_ONCE: Case[] = FEW_GAPS.map((gap) => ({ gap, delayMs: 0 }))
const slow = (response: object, delayMs: number) => ({ ...response, delayMs })
const isDeclined = (attempt: number): Response => {
  const { body } = declined('ND', attempt)
  return { body: { ...(body as object), max_attempts: MANY } }
}

describeInBrowser('a double click on Pay', ({ page: usual, newPage, fixture }) => {
  interface Opened extends OpenedScenario {
    page: Page
    payments(): number
  }

  async function open(scenario: Partial<Scenario>, changes: Changes = BOXES): Promise<Opened> {
    const opened = fixture.open({ view: (frame) => openView(frame, changes), ...scenario })
    await usual.goto(opened.url)
    // As on an iPhone: Chromium scrolls automatically to keep the visible content in its place.
    await usual.addStyleTag({ content: '* { overflow-anchor: none }' })
    return { ...opened, page: usual, payments: () => opened.posts.filter(({ path }) => path === 'pay').length }
  }

  /** Opens another page for this test, by default as on a phone. */
  const newSize = (options: BrowserContextOptions = {}) =>
    newPage({ viewport: SIZES['a phone'], bypassCSP: true, ...options })

  /** Runs cases that each need a document in which nothing was clicked. */
  const eachInNewDocument = async (cases: Case[], run: (one: Case) => Promise<void>) => {
    await newSize()
    await eachDoubleClick(cases, {
      name: nameOf,
      open: async () => ({ [Symbol.asyncDispose]: async () => {} }),
      run: (_, one) => run(one),
    })
  }

  /** Gets the first decline, and types the code again, as the payer in the report did. */
  async function declineOnce(page: Page) {
    await payByCard(page)
    await page.getByText('2 attempts left.').waitFor()
    await page.fill('[name=cvc]', '123')
  }

  async function assertStill(opened: Opened, { payments, choices }: { payments: number; choices: string }) {
    const { page, url } = opened
    await page.waitForTimeout(50)
    equal(page.url(), url)
    equal(opened.payments(), payments)
    equal(await choicesOf(page), choices)
    equal((await placesOf(page)).length, 1, (await placesOf(page)).join('\n'))
  }

  for (const [name, viewport] of Object.entries(SIZES))
    test(`after a decline, on ${name}, however far apart: one payment, and nothing moves`, async () => {
      await newSize({ viewport })
      await eachDoubleClick(casesOf(name === 'a phone' ? GAPS : FEW_GAPS), {
        name: nameOf,
        async open(cases) {
          const later = cases.map(({ delayMs }, index) => slow(isDeclined(index + 2), delayMs))
          const opened = await open({ pay: [isDeclined(1), ...later] })
          await payByCard(opened.page)
          await opened.page.getByText(`${MANY - 1} attempts left.`).waitFor()
          return { ...opened, [Symbol.asyncDispose]: async () => {} }
        },
        async run(opened, { gap }) {
          const { page } = opened
          const before = opened.payments()
          await page.fill('[name=cvc]', '123')
          await watchPlaces(page)
          const choices = await choicesOf(page)
          await clickTwice(page, page.locator('#pay'), gap)
          await page.getByText(`${MANY - before - 1} attempts left.`).waitFor()
          await assertStill(opened, { payments: before + 1, choices })
        },
      })
    })

  test('the first decline: what its text pushes under the pointer is not pressed', async () => {
    await eachInNewDocument(casesOf(FEW_GAPS), async ({ gap, delayMs }) => {
      const opened = await open({ pay: [slow(declined('ND'), delayMs)] })
      const { page } = opened
      await fillCard(page)
      await watchPlaces(page)
      const choices = await choicesOf(page)
      await clickTwice(page, page.locator('#pay'), gap)
      await page.getByText('2 attempts left.').waitFor()
      await assertStill(opened, { payments: 1, choices })
    })
  })

  test('with saved cards', async () => {
    await eachInNewDocument(casesOf(FEW_GAPS), async ({ gap, delayMs }) => {
      const opened = await open({ pay: [declined('ND'), slow(declined('ND', 2), delayMs)] }, SAVED)
      const { page } = opened
      await page.click('#pay')
      await page.getByText('2 attempts left.').waitFor()
      await page.check('[value="saved:c2"]')
      await watchPlaces(page)
      const choices = await choicesOf(page)
      await clickTwice(page, page.locator('#pay'), gap)
      await page.getByText('1 attempt left.').waitFor()
      await assertStill(opened, { payments: 2, choices })
    })
  })

  test('with fields that are wrong: nothing is pressed, and nothing sent', async () => {
    await eachInNewDocument(AT_ONCE, async ({ gap }) => {
      const opened = await open({ pay: [declined('ND')] })
      const { page, url } = opened
      const choices = await choicesOf(page)
      await clickTwice(page, page.locator('#pay'), gap)
      await page.getByText('details need your attention').waitFor()
      await page.waitForTimeout(50)
      deepEqual([page.url(), opened.payments(), await choicesOf(page)], [url, 0, choices])
    })
  })

  test('after an error that only the server saw', async () => {
    const errors = { 'cardData.cardNumber': ['x'], 'cardData.cvv': ['x'], 'billing_address.postal_code': ['x'] }
    const wrong = refused(422, 'validation_failed', { errors, charged: false })
    await eachInNewDocument(casesOf(FEW_GAPS), async ({ gap, delayMs }) => {
      const opened = await open({ pay: [wrong, slow(declined('ND'), delayMs)] })
      const { page } = opened
      await payByCard(page)
      await page.getByText('3 details need your attention').waitFor()
      await watchPlaces(page)
      const choices = await choicesOf(page)
      // Sooner it would still be the second click of the first payment.
      await page.waitForTimeout(800)
      await clickTwice(page, page.locator('#pay'), gap)
      await page.getByText('2 attempts left.').waitFor()
      await assertStill(opened, { payments: 2, choices })
      equal(await page.locator('[aria-invalid=true]').count(), 0)
    })
  })

  test('that ends in "checking": one payment, nothing is left but the truth', async () => {
    const running = refused(400, 'payment_in_progress', { charged: null })
    await eachInNewDocument(casesOf(FEW_GAPS), async ({ gap, delayMs }) => {
      const opened = await open({
        pay: [declined('ND'), slow(running, delayMs)],
        status: [sessionStatus(true), sessionStatus(false)],
      })
      const { page, url } = opened
      await declineOnce(page)
      await clickTwice(page, page.locator('#pay'), gap)
      await page.waitForSelector('[data-phase=checking]')
      equal(page.url(), url)
      await page.getByText('The payment did not go through.').waitFor()
      equal(opened.payments(), 2)
    })
  })

  test('that ends the session: the panel’s button is not pressed', async () => {
    const endings = [declined('ND', 3, `${fixture.apiOrigin}/cart`), approved(`${fixture.apiOrigin}/thanks`)]
    for (const ending of endings)
      await eachInNewDocument(AT_ONCE, async ({ gap }) => {
        const opened = await open({ pay: [ending] })
        const { page, url } = opened
        await fillCard(page)
        const arrivals: string[] = []
        page.on('request', (request) => request.isNavigationRequest() && arrivals.push(request.url()))
        await clickTwice(page, page.locator('#pay'), gap)
        await page.waitForSelector('.closed')
        await page.waitForTimeout(100)
        deepEqual([page.url(), arrivals, opened.payments()], [url, [], 1])
        page.removeAllListeners('request')
      })
  })

  test('while a payment runs, no link, box, list or key does anything; afterwards all do again', async () => {
    const deaf = ['#cancel', '.languages a >> nth=1', '#save_card', 'details summary', '.bottom a >> nth=0']
    const released = Promise.withResolvers<void>()
    await newSize()
    const opened = await open({ pay: [{ ...declined('ND'), held: released.promise }] })
    const { page, url } = opened
    await fillCard(page)
    const choices = await choicesOf(page)
    await page.click('#pay')
    await page.waitForSelector('[data-phase=submitting]')
    equal(await page.getAttribute('#cancel', 'aria-disabled'), 'true')
    for (const place of deaf) {
      await page.locator(place).click({ force: true })
      await page.locator(place).focus()
      for (const key of ['Enter', 'Space', 'Escape']) await page.keyboard.press(key)
    }
    await page.focus('[name=country]')
    for (const key of ['ArrowDown', 'u', 'Enter']) await page.keyboard.press(key)
    await page.evaluate(() => document.getElementById('cancel')?.click())
    deepEqual([page.url(), await choicesOf(page), opened.payments()], [url, choices, 1])
    released.resolve()
    await page.getByText('2 attempts left.').waitFor()
    equal(await page.getAttribute('#cancel', 'aria-disabled'), null)
    await page.check('#save_card')
    await page.click('.languages a >> nth=1')
    match(page.url(), /locale=fr-CA/)
  })

  test('a payer who means it is not held back: another field, another place, another moment', async () => {
    await newSize()
    const { page, payments } = await open({ pay: [declined('ND'), declined('ND', 2), declined('ND', 3)] })
    await payByCard(page)
    await page.getByText('2 attempts left.').waitFor()
    await page.fill('[name=cvc]', '123')
    await page.click('#pay')
    await page.getByText('1 attempt left.').waitFor()
    await page.fill('[name=cvc]', '123')
    await page.click('#pay')
    await page.waitForSelector('.closed.bad')
    equal(payments(), 3)
  })

  test('Cancel just after a decline cancels', async () => {
    await newSize()
    const { page } = await open({ pay: [declined('ND')] })
    await payByCard(page)
    await page.getByText('2 attempts left.').waitFor()
    await page.click('#cancel')
    await page.waitForURL('**/shop/cart**')
  })

  doubleClickTest('without JavaScript the page stays as it is until the next one comes', async () => {
    const page = await newSize({ javaScriptEnabled: false })
    const { url } = fixture.open({ view: (frame) => openView(frame, BOXES) })
    await page.goto(url)
    await fillCard(page)
    await clickTwice(page, page.locator('#pay'), 0)
    await page.waitForLoadState()
    equal(page.url(), url)
  })
})
