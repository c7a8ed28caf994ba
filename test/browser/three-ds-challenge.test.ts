import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from '../../payment-form/messages/catalogue.ts'
import { passTimeUntil, stopTime } from '../support/browser-clock.ts'
import { describeInBrowser } from '../support/describe-in-browser.ts'
import type { Scenario } from '../support/payment-page-fixture.ts'
import { approved, fillCard, payByCard, refused } from '../support/payment-page-steps.ts'
import {
  ANA,
  authenticated,
  bankSays,
  bodiesOf,
  challenge,
  DDD_ID,
  DONE_BY_HAND,
  initReady,
  inProgress,
  notAuthenticated,
  pathsOf,
  SILENT,
  THREE_DS,
  watchTexts,
} from '../support/three-ds-steps.ts'
import { until } from '../support/until.ts'

// The challenge of 3-D Secure in the page. Each test defines the responses of the API.

describeInBrowser('a challenge in the payment page', ({ page, fixture, open, newPage }) => {
  const data = { three_ds: THREE_DS, customer: ANA }
  const shop = () => `${fixture.apiOrigin}/thanks`
  const openWith = (scenario: Partial<Scenario>) =>
    open({ data, init: [initReady], authenticate: [authenticated], pay: [approved(shop())], ...scenario })
  const alert = () => page.locator('div#alert')
  const isApproved = () => page.locator('.closed.good').waitFor()
  const phase = () => page.getAttribute('#columns', 'data-phase')
  const focused = () => page.evaluate(() => document.activeElement?.id)

  test('TDS-11: a challenge takes the place of the form, which keeps its content, and is said once', async () => {
    const released = Promise.withResolvers<void>()
    const opened = await openWith({
      authenticate: [challenge(), authenticated],
      pay: [{ ...approved(shop()), held: released.promise }],
    })
    await bankSays(page, DONE_BY_HAND)
    await fillCard(page)
    const textsSeen = await watchTexts(page)
    await page.click('#pay')
    await page.locator('#challenge').waitFor()
    assert.equal(await page.textContent('#challenge h2'), 'Confirm with your bank')
    assert.equal(await focused(), 'challenge-title')
    assert.equal(await page.getAttribute('iframe', 'title'), 'Security check of your bank')
    assert.equal(
      await page.getAttribute('iframe', 'src'),
      new URL(`/customer/ddd/challenge/${DDD_ID}?locale=en`, page.url()).href,
    )
    assert.equal(await page.textContent('#log'), 'Your bank asks you to confirm')
    assert.equal(await page.isVisible('form'), false)
    assert.equal(await page.inputValue('#cardnumber'), '4242 4242 4242 4242')
    const { width, height } = (await page.locator('iframe').boundingBox()) ?? {}
    assert.deepEqual([width, height], [500, 600])
    await page.frameLocator('iframe').getByText('Confirm').click()
    // The bank's page is done: the form is visible again, still busy.
    await page.locator('form').waitFor()
    assert.equal(await page.textContent('#pay-label'), 'Processing…')
    assert.equal(await focused(), 'pay')
    released.resolve()
    await isApproved()
    assert.deepEqual(pathsOf(opened), ['init', 'authenticate', 'authenticate', 'pay'])
    const texts = await textsSeen()
    for (const text of ['Processing payment', 'Your bank asks you to confirm'])
      assert.equal(texts.filter((seen) => seen === `log: ${text}`).length, 1, text)
  })

  test('CAS-74: when the message of the challenge is lost, the page still learns the result within 3.5 s', async () => {
    await stopTime(page)
    const opened = await openWith({ authenticate: [challenge(), inProgress, authenticated] })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.locator('#challenge').waitFor()
    await page.clock.runFor(3_500)
    await until('it has asked again', () => pathsOf(opened).length === 3)
    assert.equal(await phase(), 'challenge')
    await passTimeUntil(page, 'it pays', () => pathsOf(opened).includes('pay'))
    await isApproved()
    assert.deepEqual(pathsOf(opened), ['init', 'authenticate', 'authenticate', 'authenticate', 'pay'])
  })

  test('TDS-22: Cancel closes the challenge at once, says so to the server, and counts as N', async () => {
    const opened = await openWith({
      authenticate: [challenge(), notAuthenticated('N', { attempt_count: 1, trans_status_reason: '26' })],
    })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await alert().getByText('2 attempts left.').waitFor()
    assert.equal(await page.locator('iframe').count(), 0)
    const [first, second] = bodiesOf(opened, 'authenticate')
    assert.ok(!('challenge_canceled' in (first ?? {})))
    assert.equal(second?.challenge_canceled, true)
    assert.deepEqual(pathsOf(opened), ['init', 'authenticate', 'authenticate'])
    assert.equal(await alert().locator('p').first().textContent(), CATALOGUE.en.script.three_ds_not_confirmed)
    assert.equal(await focused(), 'alert')
  })

  test('a payer who canceled does not pay, even if the bank has confirmed meanwhile', async () => {
    const opened = await openWith({ authenticate: [challenge(), authenticated] })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await alert().getByText(CATALOGUE.en.script.not_charged).waitFor()
    assert.equal(await phase(), 'ready')
    assert.deepEqual(pathsOf(opened), ['init', 'authenticate', 'authenticate'])
  })

  test('CAS-77, TDS-9: a challenge that takes more than 10 minutes is over; nothing was charged', async () => {
    await page.clock.install()
    const opened = await openWith({ authenticate: [challenge(), inProgress] })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.locator('#challenge').waitFor()
    await page.clock.fastForward(601_000)
    await alert().getByText(CATALOGUE.en.script.three_ds_expired).waitFor()
    assert.equal(await phase(), 'ready')
    assert.ok(!pathsOf(opened).includes('pay'))
  })

  test('a limit or a lost connection during the challenge does not end it', async () => {
    await page.clock.install()
    const limited = { ...refused(429, 'rate_limited'), headers: { 'retry-after': '5' } }
    const opened = await openWith({
      authenticate: [challenge(), limited, { cut: true }, { cut: true }, { cut: true }, { cut: true }, authenticated],
    })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.locator('#challenge').waitFor()
    while (!pathsOf(opened).includes('pay')) {
      await page.clock.runFor(1_000)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await isApproved()
    assert.equal(bodiesOf(opened, 'authenticate').length, 7)
  })

  test('PAG-20: a double click is one run, and its second click does not cancel the challenge', async () => {
    const opened = await openWith({ authenticate: [challenge(), inProgress] })
    await bankSays(page, SILENT)
    await fillCard(page)
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('#pay').boundingBox()) ?? {}
    await page.mouse.click(x + width / 2, y + height / 2)
    await page.locator('#challenge').waitFor()
    const { x: left = 0, y: top = 0 } = (await page.locator('#cancel-challenge').boundingBox()) ?? {}
    // Wherever the challenge is: the click that follows at once does not press what is under the pointer now.
    await page.mouse.click(x + width / 2, y + height / 2)
    assert.ok(left > 0 && top > 0)
    assert.equal(await phase(), 'challenge')
    assert.deepEqual(pathsOf(opened), ['init', 'authenticate'])
  })

  test('PAG-21: during the challenge Escape, the language and the links do nothing', async () => {
    const opened = await openWith({ authenticate: [challenge(), inProgress] })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.locator('#challenge').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Français' }).click()
    assert.equal(page.url(), opened.url)
    assert.equal(await phase(), 'challenge')
    assert.equal(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true }))), false)
  })

  test('PAG-22: a page that is left during the challenge is over, even when a browser keeps it', async () => {
    const status = { body: { ok: true, status: 'PENDING', payment_status: 'UNPAID', payment_in_progress: false } }
    const opened = await openWith({ authenticate: [challenge(), authenticated], status: [status] })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.locator('#challenge').waitFor()
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    await alert().getByText(CATALOGUE.en.script.not_charged).waitFor()
    assert.equal(await page.locator('iframe').count(), 0)
    assert.equal(await page.inputValue('#cardnumber'), '')
    assert.deepEqual(pathsOf(opened), ['init', 'authenticate'])
  })

  test('the window of the challenge is the largest that fits; below 480 px it is as wide as the page', async () => {
    const SIZES: [width: number, size: string, shown: number][] = [
      [1280, '03', 500],
      [920, '02', 390],
      [800, '03', 500],
      [490, '02', 390],
      [390, '05', 390 - 2 * 16 - 2 * 21],
      [320, '05', 320 - 2 * 16 - 2 * 21],
    ]
    for (const [width, size, shown] of SIZES) {
      await newPage({ viewport: { width, height: 900 } })
      const opened = await openWith({ authenticate: [challenge(size), inProgress] })
      await bankSays(page, SILENT)
      await payByCard(page)
      const frame = page.locator('#bank iframe')
      await frame.waitFor()
      const [request = {}] = bodiesOf(opened, 'authenticate')
      assert.deepEqual(Object(request.browser).challenge_window_size, size, `${width}`)
      assert.equal((await frame.boundingBox())?.width, shown, `${width}`)
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, `${width}`)
    }
  })
})
