import { deepEqual, equal } from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { stopTime } from '../support/browser-clock.ts'
import { inCase } from '../support/cases.ts'
import { type ApiResponse, TOKEN } from '../support/client-library-fixture.ts'
import { messagesDelivered, openShopIn, type Shop } from '../support/client-library-page.ts'
import { describeClientLibrary } from '../support/describe-in-browser.ts'
import { until } from '../support/until.ts'

describeClientLibrary('Client library: refusals, return pages and strict pages', ({ page, fixture }) => {
  let shop: Shop

  beforeEach(async () => {
    shop = await openShopIn(page, fixture)
  })

  const ANSWERS: [what: string, ApiResponse, code: string][] = [
    ['401', { status: 401, body: { code: 'unauthenticated' } }, 'unauthorized'],
    ['403 of another origin', { status: 403, body: { code: 'origin_not_allowed' } }, 'origin_mismatch'],
    ['422 of another origin', { status: 422, body: { code: 'origin_mismatch' } }, 'origin_mismatch'],
    ['422 of fields', { status: 422, body: { code: 'validation_failed' } }, 'validation_failed'],
    ['429', { status: 429, body: { code: 'rate_limited' } }, 'rate_limited'],
    ['500 without JSON', { status: 500, body: null }, 'server_error'],
    ['no response', { cut: true }, 'network_error'],
    [
      'a session elsewhere',
      { body: { checkout_url: `https://pay.evil.example/customer/checkout/${TOKEN}` } },
      'invalid_options',
    ],
    ['a session of a strange scheme', { body: { checkout_url: 'javascript:alert(1)' } }, 'invalid_options'],
  ]
  test('CAS-59: what the API responds becomes a code, and a new create may follow', async () => {
    await shop.init({ containerId: 'checkout' })
    for (const [what, response, code] of ANSWERS) {
      fixture.response(response)
      equal(await shop.createError(), code, what)
    }
    fixture.response()
    await shop.page.context().setOffline(true)
    await shop.page.waitForFunction(() => !navigator.onLine)
    equal(await shop.createError(), 'network_error')
    await shop.page.context().setOffline(false)
    equal(await shop.createError(), null)
    deepEqual(await shop.calls(), [])
  })

  test('BRW-27: an error says what is wrong with which field, its status, and whether to try again', async () => {
    await shop.init({ containerId: 'checkout' })
    fixture.response({
      status: 422,
      body: { code: 'validation_failed', message: 'Amount', errors: { amount_total: ['is low'] } },
    })
    const error = await shop.page.evaluate(() => {
      const { ServiceCheckout } = window as never as { ServiceCheckout: { create(data: object): Promise<never> } }
      return ServiceCheckout.create({}).catch((reason) => ({ ...reason, message: reason.message }))
    })
    deepEqual(error, {
      name: 'ServiceCheckoutError',
      code: 'validation_failed',
      message: 'Amount',
      retryable: false,
      httpStatus: 422,
      errors: { amount_total: ['is low'] },
    })
  })

  test('a create without a response ends after 30 seconds', async () => {
    await stopTime(shop.page)
    await shop.init({ containerId: 'checkout' })
    fixture.response({ isSilent: true })
    const code = shop.createError()
    await until('the request is there', () => fixture.requests.length === 1)
    await shop.page.clock.runFor(30_001)
    equal(await code, 'timeout')
  })

  test('a function gives the token, or the shop’s server the session', async () => {
    await shop.page.evaluate(
      ({ apiBaseUrl, checkout_url }) => {
        const { ServiceCheckout } = window as never as {
          ServiceCheckout: { init(o: object): void; create(d: object): Promise<unknown> }
        }
        const options = { businessId: 'b-1', apiBaseUrl, containerId: 'checkout' }
        ServiceCheckout.init({ ...options, fetchSession: async () => ({ token: 't', checkout_url }) })
        return ServiceCheckout.create({ amount_total: 5 })
      },
      { apiBaseUrl: fixture.origin('api'), checkout_url: `${fixture.origin('pay')}/customer/checkout/${TOKEN}` },
    )
    equal(await shop.page.locator('#checkout > iframe').count(), 1)
    deepEqual(fixture.requests, [])
  })

  test('BRW-6: hosted goes to the form', async () => {
    await shop.init()
    void shop.createError({ ui_mode: 'hosted' }).catch(() => {})
    await shop.page.waitForURL(`${fixture.origin('pay')}/customer/checkout/${TOKEN}`)
    equal(fixture.requests[0]?.body.ui_mode, 'hosted')
  })

  test('CAS-61: a form that is never ready is given up after 15 seconds', async () => {
    await stopTime(shop.page)
    await shop.init({ containerId: 'checkout' })
    fixture.response({ body: { checkout_url: `${fixture.origin('pay')}/customer/checkout/${TOKEN}?silent` } })
    equal(await shop.createError(), null)
    await shop.page.clock.runFor(13_000)
    deepEqual(await shop.calls(), [])
    await shop.page.clock.runFor(2_500)
    equal((await shop.called('error')).error_code, 'frame_load_timeout')
    equal(await shop.page.locator('iframe').count(), 0)
  })

  test('CAS-60: a policy that forbids the frame is named, with what to add', async () => {
    await shop.page.goto(fixture.shopPage({ policy: "frame-src 'none'" }))
    await shop.init({ containerId: 'checkout' })
    await shop.createError()
    const { error_code, message } = await shop.called('error')
    deepEqual([error_code, message], ['frame_blocked', `CSP needs frame-src ${fixture.origin('pay')}`])
  })

  test('CAS-64: a strict policy with Trusted Types is not violated, embedded and modal', async () => {
    const policy = [
      "default-src 'none'",
      "script-src 'self'",
      `frame-src ${fixture.origin('pay')}`,
      `connect-src ${fixture.origin('api')}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ')
    await shop.page.goto(fixture.shopPage({ policy }))
    shop.complaints.length = 0
    await shop.init({ containerId: 'checkout' })
    await shop.create()
    await shop.close()
    await shop.called('cancel')
    await shop.create({ ui_mode: 'rapid' })
    equal((await shop.page.locator('dialog').boundingBox())?.width, 440)
    await messagesDelivered(shop.page)
    deepEqual(shop.complaints, [])
  })

  const PAID = { session_status: 'COMPLETED', payment_status: 'PAID', session_id: 's-1', amount: 5 }
  const RETURNS: [query: string, ApiResponse[], status: string | null, rest: string][] = [
    [`?a=1&session_token=${TOKEN}&session_id=${TOKEN}#top`, [{ body: PAID }], 'succeeded', '?a=1#top'],
    [`?session_id=${TOKEN}`, [{ body: { ...PAID, payment_status: 'UNPAID' } }], 'failed', ''],
    [`?session_token=${TOKEN}`, [{ body: { checkout_session: { session_status: 'CANCELLED' } } }], 'canceled', ''],
    [`?session_token=${TOKEN}`, [{ body: { session_status: 'CANCELLED' } }], 'canceled', ''],
    [`?session_token=${TOKEN}`, [{ body: { session_status: 'PENDING' } }, { body: PAID }], 'succeeded', ''],
    [`?session_token=${TOKEN}`, [{ body: { session_status: 'PENDING' } }], 'pending', ''],
    [`?session_token=${TOKEN}`, [{ status: 500 }], 'verify_failed', `?session_token=${TOKEN}`],
    ['?session_id=somebody-elses', [], null, '?session_id=somebody-elses'],
    ['', [], null, ''],
  ]
  test('CAS-63: handleReturnPage asks the shop’s server what became of the session, calls back, and cleans the URL', async () => {
    await shop.page.clock.install()
    for (const [query, responses, status, rest] of RETURNS) {
      const said = JSON.stringify(responses.map(({ body, status: http }) => body ?? http))
      await inCase(`"${query.replaceAll(TOKEN, '…')}" when the server says ${said}`, async () => {
        fixture.response(...responses)
        await shop.page.goto(`${fixture.origin('shop')}/${query}`)
        await shop.init({ verifySessionUrl: '/verify' })
        const outcome = shop.page.evaluate(() => {
          const { ServiceCheckout } = window as never as {
            ServiceCheckout: { handleReturnPage(): Promise<{ status: string } | null> }
          }
          return ServiceCheckout.handleReturnPage().then(
            (found) => found?.status ?? null,
            (error) => error.code as string,
          )
        })
        for (let second = 0; second < 8; second++) {
          await shop.page.clock.runFor(1_000)
          await shop.page.evaluate(() => fetch('/'))
        }
        equal(await outcome, status)
        equal(shop.page.url(), `${fixture.origin('shop')}/${rest}`)
        deepEqual(
          fixture.requests.map(({ body }) => body),
          fixture.requests.map(() => ({ session_token: TOKEN })),
        )
        const callback = { succeeded: 'success', failed: 'error', canceled: 'cancel' }[status ?? '']
        deepEqual(
          (await shop.calls()).map(([name]) => name),
          callback ? [callback] : [],
        )
      })
    }
  })

  test('autoVerify verifies on init and calls back', async () => {
    fixture.response({ body: PAID })
    await shop.page.goto(`${fixture.origin('shop')}/?session_token=${TOKEN}`)
    await shop.init({ verifySessionUrl: '/verify', autoVerify: true })
    deepEqual(await shop.called('success'), { session_id: 's-1', amount: 5 })
  })

  test('the shop may forward the details of the session', async () => {
    const { session_status, payment_status } = PAID
    const checkout_session = {
      id: 's-1',
      session_status,
      payment_status,
      amount_total: 5,
      currency: 'USD',
      ui_mode: 'hosted',
    }
    const transaction = { id: 't-1', receipt_id: 'r-1', response_code: 'AA' }
    fixture.response({ body: { ok: true, message: 'Checkout session', checkout_session, transaction } })
    await shop.page.goto(`${fixture.origin('shop')}/?session_token=${TOKEN}`)
    await shop.init({ verifySessionUrl: '/verify', autoVerify: true })
    const paid = { session_id: 's-1', transaction_id: 't-1', receipt_id: 'r-1', amount: 5, currency: 'USD' }
    deepEqual(await shop.called('success'), paid)
  })
})
