import { deepEqual, equal, ok } from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { TOKEN } from '../support/client-library-fixture.ts'
import { messagesDelivered, openShopIn, type Shop } from '../support/client-library-page.ts'
import { describeClientLibrary } from '../support/describe-in-browser.ts'

describeClientLibrary('Client library: options, the origin of the form, released files', ({ page, fixture }) => {
  let shop: Shop

  beforeEach(async () => {
    shop = await openShopIn(page, fixture)
  })

  test('CAS-58: wrong options are named before any request', async () => {
    for (const [options, named] of [
      [{ businessId: '' }, 'Check businessId'],
      [{ apiBaseUrl: undefined }, 'Check apiBaseUrl'],
      [{ apiBaseUrl: 'http://api.example' }, 'Check apiBaseUrl'],
      [{ authToken: 'rc_sk_stg_1' }, 'Check authToken'],
      [{ checkoutOrigin: 'pay.example' }, 'Check checkoutOrigin'],
      [{ checkoutOrigin: 'http://pay.example' }, 'Check checkoutOrigin'],
    ] as const) {
      const error = await shop.init(options).catch((reason: Error) => reason.message)
      ok(error?.includes(named), `${JSON.stringify(options)}: ${error}`)
    }
    equal(await shop.createError(), 'not_initialized')
    await shop.init({ authToken: undefined })
    equal(await shop.createError(), 'invalid_options')
    await shop.init({ containerId: 'nowhere' })
    equal(await shop.createError(), 'container_not_found')
    deepEqual(fixture.requests, [])
  })

  test('an option that does not exist is named in the console, once, with the one that was meant', async () => {
    const options = { onSucess: 1, container: 'checkout', verifySessionURL: '/verify', color_scheme: 'dark' }
    await shop.init(options)
    await shop.init(options)
    deepEqual(shop.complaints, [
      'ServiceCheckout: no option onSucess. Is it onSuccess?',
      'ServiceCheckout: no option container. Is it containerId?',
      'ServiceCheckout: no option verifySessionURL. Is it verifySessionUrl?',
      'ServiceCheckout: no option color_scheme. Is it colorScheme?',
    ])
  })

  test('an access token in the page works, and the console warns of it without saying it', async () => {
    const warning = 'ServiceCheckout: authToken is not a browser token (rc_bt_…): never put an access token in a page'
    await shop.init({ containerId: 'checkout', authToken: 'rc_at_secret' })
    equal(await shop.createError(), null)
    deepEqual(shop.complaints, [warning])
    equal(fixture.requests[0]?.headers.authorization, 'Bearer rc_at_secret')
    await shop.page.reload()
    shop.complaints.length = 0
    await shop.page.evaluate((apiBaseUrl) => {
      const { ServiceCheckout } = window as never as {
        ServiceCheckout: { init(o: object): void; create(d: object): Promise<unknown> }
      }
      const authToken = async () => 'rc_at_secret'
      ServiceCheckout.init({ businessId: 'b-1', apiBaseUrl, containerId: 'checkout', authToken })
      return ServiceCheckout.create({ amount_total: 5 })
    }, fixture.origin('api'))
    deepEqual(shop.complaints, [warning])
  })

  const released = (attributes = '') => fixture.shopPage({ script: 'released/rialto-checkout', attributes })

  test('a released file knows no origin of a form: the script tag or the option names it, and init says when none did', async () => {
    await shop.page.goto(released())
    const error = await shop.init().catch((reason: Error) => reason.message)
    ok(error?.includes('Check checkoutOrigin'), `${error}`)
    await shop.init({ containerId: 'checkout', checkoutOrigin: fixture.origin('pay') })
    equal(await shop.createError(), null)
    await shop.page.goto(released(`data-checkout-origin="${fixture.origin('pay')}"`))
    await shop.init({ containerId: 'checkout' })
    equal(await shop.createError(), null)
    await shop.page.goto(released(`data-checkout-origin="${fixture.origin('evil')}"`))
    await shop.init({ containerId: 'checkout' })
    equal(await shop.createError(), 'invalid_options')
  })

  test('a form on any origin but the one of this service is not opened, however near it is', async () => {
    await shop.init({ containerId: 'checkout' })
    const { port } = new URL(fixture.origin('pay'))
    for (const origin of [
      fixture.origin('evil'),
      fixture.origin('api'),
      fixture.origin('shop'),
      `http://localhost:${port}`,
      `http://pay.localhost:${Number(port) + 1}`,
      `https://pay.localhost:${port}`,
      'https://evil.co.uk',
    ]) {
      fixture.response({ body: { checkout_url: `${origin}/customer/checkout/${TOKEN}` } })
      equal(await shop.createError(), 'invalid_options', origin)
      equal(await shop.page.locator('iframe').count(), 0)
    }
  })

  test('CAS-65: with the right hash the script loads, with a wrong one it does not', async () => {
    const { integrity } = fixture.scripts['rialto-checkout']
    for (const [hash, type] of [
      [integrity, 'object'],
      [integrity.replace(/.{6}$/, 'AAAAAA'), 'undefined'],
    ]) {
      await shop.page.goto(released(`integrity="${hash}" crossorigin`))
      equal(await shop.page.evaluate('typeof ServiceCheckout'), type)
    }
  })

  test('CAS-66: at most 6 KiB, and no request before create', async () => {
    for (const { gzipBytes } of Object.values(fixture.scripts)) ok(gzipBytes <= 6 * 1024, `${gzipBytes} bytes`)
    const requests: string[] = []
    shop.page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await shop.page.reload()
    await shop.init({ containerId: 'checkout' })
    await messagesDelivered(shop.page)
    deepEqual(requests, ['/', '/js/rialto-checkout.js'])
  })
})
