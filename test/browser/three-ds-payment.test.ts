import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import type { FrameLocator, Page } from 'playwright-core'
import { threeDsTestCard } from '../../server/three-d-secure/simulator/test-cards.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { payInForm } from '../support/payment-page-steps.ts'
import { setBusiness } from '../support/recorded.ts'
import { until } from '../support/until.ts'

// The whole flow in a real Chromium: the payment page, the bridge documents and the simulated bank, with nothing
// mocked.

const BY_HAND = threeDsTestCard('visa', '2072')

/**
 * Whether the message is ours: the bank's page asks for the focus, which a browser does not give to a frame of another
 * origin.
 */
const isOurs = (text: string) => !text.startsWith('Blocked autofocusing')

describeInShop('a payment with 3-D Secure', ({ shops, browser }) => {
  before(() => setBusiness({ app: shops.service.app, demo: shops.merchant.demo }, { three_ds_enabled: true }))

  const urls = () => ({ success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` })
  /** Returns the bank's page: the frame in the bridge, which is the frame in the card page. */
  const bankIn = (card: Page | FrameLocator) => card.frameLocator('iframe.bank-frame').frameLocator('iframe[name=bank]')
  const details = async (token: string) => (await shops.merchant.details(token)).body

  async function openHosted(): Promise<{ page: Page; token: string; complaints: string[] }> {
    const token = await shops.merchant.sessionToken(urls())
    const page = await (await browser.newContext()).newPage()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(`${shops.service.formUrl}/customer/checkout/${token}`)
    return { page, token, complaints }
  }

  /** Returns the newest authentication of the session. */
  const authenticationOf = async (token: string) =>
    shops.service.app.services.db
      .selectFrom('authentication')
      .selectAll()
      .where('session_id', '=', (await details(token)).checkout_session.id)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()

  async function enterCode(card: Page | FrameLocator, code: string): Promise<void> {
    await bankIn(card).locator('#code').fill(code)
    await bankIn(card).locator('button.main').click()
  }

  test('CAS-79, TDS-5: hosted: the method runs, the payer enters the code, one charge uses it; the policy of the page is what it was, and frames no bank', async () => {
    const { page, token, complaints } = await openHosted()
    await payInForm(page, { cardnumber: BY_HAND })
    await bankIn(page).locator('#code').waitFor()
    const broken = await page.evaluate(async (bank) => {
      const violated = new Promise<string>((resolve) =>
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective)),
      )
      const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { src: bank }))
      const directive = await violated
      frame.remove()
      return directive
    }, shops.service.simulatorUrl)
    equal(broken, 'frame-src')
    await enterCode(page, '123456')
    await page.waitForURL(/\/thanks\?/)
    const { method_done_at, challenge_opened_at, challenge_returned_at, state, trans_status } =
      await authenticationOf(token)
    deepEqual([state, trans_status], ['CONSUMED', 'Y'])
    ok(method_done_at && challenge_opened_at && challenge_returned_at)
    equal((await details(token)).checkout_session.payment_status, 'PAID')
    const refusedFrames = complaints.filter((text) => text.includes(shops.service.simulatorUrl))
    deepEqual([refusedFrames.length, complaints.filter(isOurs).length], [1, 1], complaints.join('\n'))
    await page.context().close()
  })

  for (const script of ['rialto-checkout', 'rapid'] as const) {
    test(`CAS-72: ${script}: the same three frames deep, in a merchant's page`, async () => {
      const shop = await shops.open(browser, { script })
      await shop.create(urls())
      await payInForm(shop.inForm, { cardnumber: BY_HAND })
      await bankIn(shop.inForm).locator('#code').waitFor()
      const box = await shop.inForm.locator('iframe.bank-frame').boundingBox()
      ok(box && box.height >= 400, `${box?.height} px`)
      // The frame of the form has grown with the challenge: it does not need its own scroll bar.
      const hidden = () => shop.inForm.locator('html').evaluate((html) => html.scrollHeight - innerHeight)
      await until('the form has no hidden part', async () => (await hidden()) <= 0)
      await enterCode(shop.inForm, '123456')
      const { session_id } = await shop.called('success')
      const { checkout_session } = await details(String(session_id))
      equal(checkout_session.payment_status, 'PAID')
      match(shop.page.url(), /\/shop\?/)
      deepEqual(shop.complaints.filter(isOurs), [])
      await shop.end()
    })
  }

  const forged: Record<string, { digits: string; outcome: 'PAID' | 'UNPAID' }> = {
    'CAS-73, TDS-7: the browser says Y and the bank N: nothing is charged': { digits: '2075', outcome: 'UNPAID' },
    'TDS-7: the browser brings rubbish and the bank says Y: it is paid': { digits: '2076', outcome: 'PAID' },
  }
  for (const [name, { digits, outcome }] of Object.entries(forged)) {
    test(name, async () => {
      const { page, token } = await openHosted()
      const before = (await shops.service.simulator.rows()).length
      await payInForm(page, { cardnumber: threeDsTestCard('visa', digits) })
      if (outcome === 'PAID') await page.waitForURL(/\/thanks\?/)
      else await page.getByText('Your bank could not confirm it is you.').first().waitFor()
      equal((await details(token)).checkout_session.payment_status, outcome)
      equal((await shops.service.simulator.rows()).length - before, outcome === 'PAID' ? 1 : 0)
      await page.context().close()
    })
  }

  test('CAS-74, TDS-3: with all messages lost the page asks the service, and finishes', async () => {
    const { page, token } = await openHosted()
    await page.evaluate(() =>
      addEventListener('message', (event) => event.stopImmediatePropagation(), { capture: true }),
    )
    await payInForm(page, { cardnumber: threeDsTestCard('visa', '2172') })
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/ddd/authenticate')) asked++
    })
    await enterCode(page, '123456')
    await page.waitForURL(/\/thanks\?/)
    // At most one request that was in progress with the code, and the next one.
    ok(asked <= 2, `${asked} questions`)
    equal((await details(token)).checkout_session.payment_status, 'PAID')
    await page.context().close()
  })
})
