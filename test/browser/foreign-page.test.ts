import { deepEqual, equal, match } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { CARDS } from '../support/card-numbers.ts'
import { inCase } from '../support/cases.ts'
import { describeInShop } from '../support/describe-in-browser.ts'
import { payBody } from '../support/merchant.ts'
import { fillForm, payInForm } from '../support/payment-page-steps.ts'
import { CANADIAN_CARD } from '../support/real-shop.ts'

// A real Chromium: a page of a different site that tries to pay a session, and the payment form, which must continue to
// work.

const FIELDS = {
  payment_method: 'new_card',
  cardnumber: CARDS.visa,
  exp: '12/31',
  cvc: '123',
  ccname: 'Ana Roy',
  postal: 'H2X 1Y4',
  country: 'CA',
}

describeInShop('paying from a page', ({ shops, browser }) => {
  const evil = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A page</title><body>'),
  )

  before(() => void evil.listen(0, '127.0.0.1'))
  after(() => {
    evil.close()
    evil.closeAllConnections()
  })

  const urls = () => ({ success_url: `${shops.origin()}/thanks`, cancel_url: `${shops.origin()}/cart` })
  const sessionOf = async (token: string) => (await shops.merchant.details(token)).body.checkout_session
  const formUrl = (token: string) => `${shops.service.formUrl}/customer/checkout/${token}`

  const newPage = async () => (await browser.newContext()).newPage()

  /** Opens a foreign page: `localhost` is another origin of the form's site, `evil.localhost` another site. */
  const goToForeign = (page: Page, host: string) => page.goto(`http://${host}:${(evil.address() as AddressInfo).port}/`)

  /** Returns the statuses of all posts to a public session path, as the service logged them. */
  const responsesTo = (path: string) =>
    shops.service
      .logged()
      .split('\n')
      .filter((line) => line.includes(`"method":"POST","path":"/api/checkout/{token}/${path}"`))
      .map((line) => JSON.parse(line).status)

  async function assertNothingHappened(token: string): Promise<void> {
    const { session_status, attempt_count } = await sessionOf(token)
    deepEqual([session_status, attempt_count], ['PENDING', 0])
  }

  const HOSTS = ['evil.localhost', 'localhost', '127.0.0.1']

  test('a page of another site, of another origin of the site or of an address cannot by form post, with any referrer policy', async () => {
    const token = await shops.merchant.sessionToken(urls())
    const page = await newPage()
    for (const host of HOSTS)
      for (const policy of ['origin', 'no-referrer'])
        await inCase(`${host}, ${policy}`, async () => {
          await goToForeign(page, host)
          const answered = page.waitForResponse((response) => response.request().method() === 'POST')
          await page.evaluate(submitForm, { action: formUrl(token), fields: FIELDS, referrer: policy })
          equal((await answered).status(), 403)
          await page.waitForLoadState()
          match((await page.textContent('main')) ?? '', /\S/)
          await assertNothingHappened(token)
        })
    await page.context().close()
  })

  test('nor by fetch of a path of the session, with CORS or without', async () => {
    const token = await shops.merchant.sessionToken(urls())
    const page = await newPage()
    for (const host of HOSTS) {
      await goToForeign(page, host)
      for (const path of ['pay', 'customer', 'surcharge'])
        await inCase(`${host}, ${path}`, async () => {
          const before = responsesTo(path).length
          await page.evaluate(fetchThreeTimes, {
            url: `${shops.service.url}/api/checkout/${token}/${path}`,
            body: JSON.stringify(payBody()),
          })
          deepEqual(responsesTo(path).slice(before), [403, 403], 'the preflight stops the first, the others arrive')
          await assertNothingHappened(token)
        })
    }
    await page.context().close()
  })

  test('a sandboxed copy of the form, whose origin is null, cannot', async () => {
    const token = await shops.merchant.sessionToken(urls())
    const page = await newPage()
    await goToForeign(page, 'evil.localhost')
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.evaluate(
      ({ action, fields }) => {
        const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
        const frame = document.createElement('iframe')
        frame.setAttribute('sandbox', 'allow-forms allow-scripts allow-top-navigation')
        frame.srcdoc = `<form method="post" target="_top" action="${action}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`
        document.body.append(frame)
      },
      { action: formUrl(token), fields: FIELDS },
    )
    equal((await answered).status(), 403)
    await assertNothingHappened(token)
    await page.context().close()
  })

  test('the form itself pays without JavaScript, after a decline too', async () => {
    const token = await shops.merchant.sessionToken(urls())
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await page.goto(formUrl(token))
    await payInForm(page, { ...CANADIAN_CARD, cardnumber: CARDS.declined })
    await page.getByText('2 attempts left').waitFor()
    await payInForm(page, CANADIAN_CARD)
    await page.locator('[data-state=approved]').waitFor()
    equal((await sessionOf(token)).session_status, 'COMPLETED')
    await page.context().close()
  })

  test('the form pays in a frame of the shop without JavaScript', async () => {
    const token = await shops.merchant.sessionToken({ ...urls(), ui_mode: 'embedded' })
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await page.goto(`${shops.origin()}/page?src=${encodeURIComponent(formUrl(token))}`)
    const form = page.frameLocator('iframe')
    await fillForm(form, CANADIAN_CARD)
    await form.locator('#pay').click()
    await form.locator('[data-state=approved]').waitFor()
    equal((await sessionOf(token)).session_status, 'COMPLETED')
    await page.context().close()
  })

  test('the form pays with JavaScript in a frame of the shop, and tells no other site where it is', async () => {
    const shop = await shops.open(browser)
    const referrers: (string | undefined)[] = []
    shop.page.on('request', (request) => {
      const { origin } = new URL(request.url())
      if (origin !== shops.service.formUrl) referrers.push(request.headers().referer)
    })
    const form = await shop.create(urls())
    const token = new URL(form.url()).pathname.split('/').at(-1) ?? ''
    await payInForm(shop.inForm, CANADIAN_CARD)
    await shop.called('success')
    equal((await sessionOf(token)).session_status, 'COMPLETED')
    deepEqual(
      referrers.filter((referrer) => referrer?.includes(token)),
      [],
    )
    await shop.end()
  })
})

/** Submits a form of the page that it runs in. */
function submitForm({ action, fields, referrer }: { action: string; fields: typeof FIELDS; referrer: string }): void {
  document.head.append(Object.assign(document.createElement('meta'), { name: 'referrer', content: referrer }))
  const form = Object.assign(document.createElement('form'), { action, method: 'post' })
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  document.body.append(form)
  form.submit()
}

async function fetchThreeTimes({ url, body }: { url: string; body: string }): Promise<void> {
  const options = [{ headers: { 'content-type': 'application/json' } }, {}, { mode: 'no-cors' as const }]
  for (const option of options) await fetch(url, { method: 'POST', body, ...option }).catch(() => null)
}
