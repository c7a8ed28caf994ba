import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { messagesDelivered, removeForm } from '../support/client-library-page.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { fillForm, payInForm } from '../support/payment-page-steps.ts'
import { CANADIAN_CARD, type OpenedShop } from '../support/real-shop.ts'
import { listen, receivedBy } from '../support/received-messages.ts'

// docs/specification/browser-client.md: the library in a merchant's page, the form in its frame, the whole service.

const DECLINED = { ...CANADIAN_CARD, cardnumber: CARDS.declined }

describeInShop('an embedded payment', ({ shops, browser }) => {
  const urls = () => ({ success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` })
  const create = (shop: OpenedShop) => shop.create(urls())
  const session = async (id: string) => (await shops.merchant.details(id)).body
  const openSession = async () => {
    const { body } = await shops.merchant.createSession({ ...urls(), ui_mode: 'embedded' })
    return body.checkout_session
  }

  test('CAS-44, CAS-46, CAS-47: after a decline an approval calls back once with its fields, however often it is said; the page stays, the server reads PAID, and no message has a card number, e-mail address or token', async () => {
    const shop = await shops.open(browser)
    await listen(shop.page)
    const form = await create(shop)
    await payInForm(shop.inForm, DECLINED)
    await shop.inForm.getByText('2 attempts left.').waitFor()
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
    assertTellsNoSecret(await receivedBy(shop.page), form.url())
    // A hosted page goes to the shop within this time.
    await shop.page.waitForTimeout(1_700)
    equal(new URL(shop.page.url()).pathname, '/shop')
    match(form.url(), /\/customer\/checkout\//)
    deepEqual(await shop.calls(), [['success', result]])
    await form.evaluate(
      (again) => window.parent.postMessage({ type: 'rc:checkout_result', v: 1, status: 'succeeded', ...again }, '*'),
      result,
    )
    await messagesDelivered(shop.page)
    equal((await shop.calls()).length, 1)
    await shop.end()
  })

  function assertTellsNoSecret(received: Awaited<ReturnType<typeof receivedBy>>, formUrl: string) {
    const types = new Set(received.map(({ type }) => type))
    deepEqual([...types].sort(), ['rc:checkout_height', 'rc:checkout_ready', 'rc:checkout_result', 'rc:checkout_state'])
    const token = new URL(formUrl).pathname.split('/').at(-1) ?? ''
    // Without ids, whose digits may look like a card number.
    const text = JSON.stringify(received).replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'id')
    for (const secret of ['4242', CARDS.declined, 'p@example.com', 'Ana', token, '123"'])
      ok(!text.includes(secret), `${secret} in ${text}`)
  }

  test('CHK-54: a plan is signed up for in the frame; one that begins later calls back with the amount 0', async () => {
    const shop = await shops.open(browser, {
      init: { authToken: await shops.browserToken({ customer_email: 'plan@example.com' }) },
    })
    const line_items = [{ name: 'Tea', quantity: 1, unit_amount: 39.55, total: 39.55 }]
    const start_date = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
    await shop.create({
      ...urls(),
      mode: 'subscription',
      line_items,
      subscription: { interval: 'Monthly', start_date, name: 'Tea' },
    })
    await payInForm(shop.inForm, CANADIAN_CARD)
    const result = await shop.called('success')
    const { checkout_session, transaction } = await session(String(result.session_id))
    deepEqual(result, {
      session_id: checkout_session.id,
      transaction_id: transaction.id,
      receipt_id: '',
      amount: 0,
      currency: 'CAD',
    })
    await shop.inForm.getByText('Your plan is set up').first().waitFor()
    await shop.end()
  })

  test('CAS-44, BRW-28: the payer’s own Cancel and the merchant’s page call back once, and the session can still be paid', async () => {
    const shop = await shops.open(browser)
    await create(shop)
    await fillForm(shop.inForm, CANADIAN_CARD)
    await shop.inForm.locator('#cancel').click()
    const { session_id } = await shop.called('cancel')
    await messagesDelivered(shop.page)
    deepEqual(await shop.calls(), [['cancel', { session_id }]])
    equal(await shop.page.locator('iframe').count(), 0)
    equal((await session(String(session_id))).checkout_session.session_status, 'PENDING')
    await removeForm(shop.page)
    await create(shop)
    equal(await shop.close(), true)
    await shop.called('cancel')
    // The library itself reports within this time that an idle form was closed.
    await shop.page.waitForTimeout(700)
    equal((await shop.calls()).length, 1)
    await shop.end()
  })

  test('CAS-44: declines 1 and 2 call nobody; the third calls back with max_attempts_reached', async () => {
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

  test('a response that was lost is found out, and the callback comes with its ids', async () => {
    const shop = await shops.open(browser)
    await create(shop)
    await shop.page.route('**/pay', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await payInForm(shop.inForm, CANADIAN_CARD)
    const result = await shop.called('success')
    await assertTellsPayment(result)
    await shop.end()
  })

  /** Asserts the payment as the merchant's server reads it. */
  async function assertTellsPayment({ session_id, ...told }: Record<string, unknown>) {
    const { checkout_session, transaction } = await session(String(session_id))
    equal(checkout_session.payment_status, 'PAID')
    const { id: transaction_id, receipt_id, details } = transaction
    deepEqual(told, { transaction_id, receipt_id, amount: details.amount, currency: checkout_session.currency })
  }

  test('CAS-43: the registered origin frames the form; others, and frames within others, do not', async () => {
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

  test('PAG-3: opened on its own an embedded session works as a hosted one', async () => {
    const { token, checkout_url } = await openSession()
    const page = await (await browser.newContext()).newPage()
    await page.goto(checkout_url)
    equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(245, 246, 248)')
    await payInForm(page, CANADIAN_CARD)
    await page.waitForURL(`${shops.origin()}/thanks?session_token=${token}**`)
    await page.context().close()
  })

  test('CAS-45: a real result of another form of ours, and forged ones, are not taken for this one’s', async () => {
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
    await messagesDelivered(shop.page)
    deepEqual(await shop.calls(), [])
    await shop.end()
  })

  test('CAS-47: a page that frames the form against its policy receives nothing', async () => {
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
    deepEqual(await receivedBy(page), [])
    await page.context().close()
  })
})
