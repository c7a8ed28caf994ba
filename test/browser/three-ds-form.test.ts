import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from '../../payment-form/messages/catalogue.ts'
import { stopTime } from '../support/browser-clock.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeInBrowser } from '../support/describe-in-browser.ts'
import type { Scenario } from '../support/payment-page-fixture.ts'
import { approved, declined, fillCard, payByCard, refused } from '../support/payment-page-steps.ts'
import {
  ANA,
  authenticated,
  bankSays,
  bodiesOf,
  DDD_ID,
  DONE_BY_HAND,
  initMethod,
  initNotRequired,
  initReady,
  notAuthenticated,
  pathsOf,
  SILENT,
  THREE_DS,
  watchTexts,
} from '../support/three-ds-steps.ts'
import { until } from '../support/until.ts'

/** A response without a body: it counts as lost, and the browser does not repeat the request automatically. */
const LOST = {}

// 3-D Secure in the page, between the click on Pay and the payment. Each test defines the responses of the API.

describeInBrowser('3-D Secure in the payment page', ({ page, fixture, open }) => {
  const data = { three_ds: THREE_DS, customer: ANA }
  const shop = () => `${fixture.apiOrigin}/thanks`
  const openWith = (scenario: Partial<Scenario>, query = '') =>
    open({ data, init: [initReady], authenticate: [authenticated], pay: [approved(shop())], ...scenario }, query)
  const alert = () => page.locator('div#alert')
  const isApproved = () => page.locator('.closed.good').waitFor()
  const phase = () => page.getAttribute('#columns', 'data-phase')
  const focused = () => page.evaluate(() => document.activeElement?.id)

  test('TDS-2: nothing is sent before the click; then init without the security code, authenticate, and pay with its id', async () => {
    const opened = await openWith({})
    await fillCard(page)
    assert.deepEqual(pathsOf(opened), [])
    const textsSeen = await watchTexts(page)
    await page.click('#pay')
    await isApproved()
    assert.deepEqual(pathsOf(opened), ['init', 'authenticate', 'pay'])
    assert.deepEqual(bodiesOf(opened, 'init'), [
      {
        session_token: opened.token,
        amount: 72.41,
        payment_method_type: 'new_card',
        cardData: {
          cardNumber: CARDS.visa,
          month: '04',
          year: 2031,
          nameOnCard: 'Ana Roy',
          address: { postalCode: 'H2X 1Y4' },
        },
        billing_address: { postal_code: 'H2X 1Y4', country: 'CA' },
      },
    ])
    const [{ browser, ...request } = {}] = bodiesOf(opened, 'authenticate')
    assert.deepEqual(request, {
      session_token: opened.token,
      ddd_session_id: DDD_ID,
      three_ds_comp_ind: 'U',
      billing: { postal_code: 'H2X 1Y4', country: 'CA' },
    })
    assert.deepEqual(browser, {
      javascript_enabled: true,
      java_enabled: false,
      language: 'en',
      ...(await page.evaluate(() => ({
        color_depth: String(screen.colorDepth),
        screen_height: String(screen.height),
        screen_width: String(screen.width),
        tz: String(new Date().getTimezoneOffset()),
        user_agent: navigator.userAgent,
      }))),
      challenge_window_size: '03',
    })
    const [pay] = bodiesOf(opened, 'pay')
    assert.equal(pay?.three_ds_id, DDD_ID)
    const texts = (await textsSeen()).filter((text) => !text.includes('Payment approved'))
    assert.deepEqual(texts.slice(0, 2).sort(), ['log: Processing payment', 'pay-label: Processing…'])
    assert.equal(texts.filter((text) => text.includes('Processing payment')).length, 1)
  })

  test('no authentication is required: pay names none', async () => {
    const opened = await openWith({ init: [initNotRequired] })
    await payByCard(page)
    await isApproved()
    assert.deepEqual(pathsOf(opened), ['init', 'pay'])
    assert.ok(!('three_ds_id' in (bodiesOf(opened, 'pay')[0] ?? {})))
  })

  test('without 3-D Secure the page asks for none of it, and has no place for a challenge', async () => {
    const opened = await open({ pay: [approved(shop())] })
    assert.equal(await page.locator('#challenge').count(), 0)
    await payByCard(page)
    await isApproved()
    assert.deepEqual(pathsOf(opened), ['pay'])
  })

  test('TDS-20: an e-mail address that the form asked for reaches the bank, and its customer is the payment’s', async () => {
    const customer = { body: { ok: true, customer: { id: ANA.id } } }
    const opened = await open({
      data: { three_ds: THREE_DS },
      customer: [customer],
      init: [initReady],
      authenticate: [authenticated],
      pay: [approved(shop())],
    })
    await fillCard(page)
    await page.fill('#email', 'ana@example.com')
    await page.click('#pay')
    await isApproved()
    assert.deepEqual(pathsOf(opened), ['customer', 'init', 'authenticate', 'pay'])
    assert.deepEqual(bodiesOf(opened, 'customer'), [{ name: 'Ana Roy', email: 'ana@example.com' }])
    assert.deepEqual(bodiesOf(opened, 'authenticate')[0]?.contact, { email: 'ana@example.com' })
    assert.equal(bodiesOf(opened, 'pay')[0]?.customerId, ANA.id)
  })

  test('a saved card is authenticated too, by its id', async () => {
    const saved = { id: 'c1', brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031, name_on_card: 'Ana Roy' }
    const opened = await open({
      data: { ...data, saved_cards: [{ ...saved, expired: false }] },
      init: [initReady],
      authenticate: [authenticated],
      pay: [approved(shop())],
    })
    await page.click('#pay')
    await isApproved()
    const card = { payment_method_type: 'saved_card', cardId: 'c1' }
    assert.deepEqual(bodiesOf(opened, 'init'), [{ session_token: opened.token, amount: 72.41, ...card }])
    assert.equal(bodiesOf(opened, 'pay')[0]?.three_ds_id, DDD_ID)
  })

  test('TDS-6: the method runs in a frame that nobody sees, and its message ends it', async () => {
    // Without a server that waits for the method, only the method's message ends it.
    const opened = await openWith({
      init: [initMethod],
      authenticate: [LOST, { ...authenticated, delayMs: 300 }],
    })
    await bankSays(page, DONE_BY_HAND)
    await payByCard(page)
    const frame = page.locator('iframe')
    await frame.waitFor({ state: 'attached' })
    assert.equal(await frame.isVisible(), false)
    assert.equal(await page.textContent('#pay-label'), 'Processing…')
    assert.equal(await page.getAttribute('#pay', 'aria-disabled'), 'true')
    await until('the first request is sent', async () => pathsOf(opened).join() === 'init,authenticate')
    await page.frameLocator('iframe').locator('button').dispatchEvent('click')
    await isApproved()
    const [held, sent] = bodiesOf(opened, 'authenticate')
    assert.deepEqual([held?.await_method, held?.three_ds_comp_ind], [true, undefined])
    assert.deepEqual([sent?.await_method, sent?.three_ds_comp_ind], [undefined, 'Y'])
    assert.equal(await page.locator('iframe').count(), 0)
  })

  test('CAS-70, TDS-6: messages from elsewhere do not end it; after 10 s the page goes on without it', async () => {
    await stopTime(page)
    const opened = await openWith({ init: [initMethod], authenticate: [LOST, authenticated] })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.locator('iframe').waitFor({ state: 'attached' })
    await page.evaluate((id) => {
      const frame = document.querySelector('iframe')?.contentWindow
      const message = { type: 'rc:ddd', id }
      // From this window itself, and as if from the frame but from a different origin or about a different run.
      window.postMessage(message, '*')
      const from = (data: object, origin: string, source: Window | null | undefined) =>
        window.dispatchEvent(new MessageEvent('message', { data, origin, source: source ?? null }))
      from(message, 'https://bank.example', frame)
      from(message, `${location.origin}.evil.example`, frame)
      from({ ...message, id: `${id}0` }, location.origin, frame)
      from({ ...message, type: 'rc:other' }, location.origin, frame)
      from(message, location.origin, null)
    }, DDD_ID)
    await page.clock.runFor(9_500)
    assert.deepEqual(pathsOf(opened), ['init', 'authenticate'])
    await page.clock.runFor(1_000)
    await isApproved()
    assert.equal(bodiesOf(opened, 'authenticate')[1]?.three_ds_comp_ind, 'N')
  })

  test('TDS-6: the response of the request that waits at the server ends it too, without a message', async () => {
    const opened = await openWith({ init: [initMethod], authenticate: [{ ...authenticated, delayMs: 200 }] })
    await bankSays(page, SILENT)
    await payByCard(page)
    await isApproved()
    assert.deepEqual(pathsOf(opened), ['init', 'authenticate', 'pay'])
    assert.equal(bodiesOf(opened, 'authenticate')[0]?.await_method, true)
  })

  const text = CATALOGUE.en.script
  const own = (sentence: string) => sentence.replace('{business}', 'Northwind Tea')
  type Row = [what: string, scenario: Partial<Scenario>, lines: string[]]
  const auth = (...authenticate: NonNullable<Scenario['authenticate']>) => ({ authenticate })
  const REFUSALS: Row[] = [
    ['TDS-12: N', auth(notAuthenticated('N', { attempt_count: 1 })), [text.three_ds_not_confirmed, '2 attempts left.']],
    ['TDS-13: R', auth(notAuthenticated('R', { attempt_count: 2 })), [text.three_ds_refused, '1 attempt left.']],
    ['TDS-14: U', auth(notAuthenticated('U')), [text.three_ds_unavailable]],
    ['TDS-14: I', auth(notAuthenticated('I', { attempt_count: 1 })), [text.three_ds_unavailable, '2 attempts left.']],
    [
      'TDS-19: N with words of the bank',
      auth(notAuthenticated('N', { attempt_count: 1, cardholder_info: 'Call <b>us</b> {business}' })),
      [text.three_ds_not_confirmed, '“Call <b>us</b> {business}”', '2 attempts left.'],
    ],
    ['TDS-15: at init', { init: [refused(403, 'DDD_NOT_SUPPORTED')] }, [own(text.three_ds_not_supported)]],
    ['TDS-15: at authenticate', auth(refused(403, 'DDD_NOT_SUPPORTED')), [own(text.three_ds_not_supported)]],
    ['TDS-16', auth(refused(408, 'three_ds_expired')), [text.three_ds_expired]],
    ['TDS-17', { init: [refused(502, 'three_ds_server_error', { error_code: '203' })] }, [text.server_error]],
    ['500', auth(refused(500, 'internal_error', { charged: null })), [text.server_error]],
    ['init is lost', { init: [{ cut: true }] }, [text.server_error]],
    ['pay finds it too old', { pay: [refused(408, 'three_ds_expired', { charged: false })] }, [text.three_ds_expired]],
  ]
  test('what went wrong before the payment is said, nothing was charged, and the next click authenticates anew', async () => {
    for (const [what, scenario, lines] of REFUSALS) {
      const opened = await openWith(scenario)
      await payByCard(page)
      await alert().locator('p').first().waitFor()
      assert.deepEqual(await alert().locator('p').allTextContents(), lines, what)
      assert.equal(await focused(), 'alert', what)
      assert.equal(await page.inputValue('#cvc'), '', what)
      assert.equal(await page.inputValue('#cardnumber'), '4242 4242 4242 4242', what)
      assert.deepEqual([await phase(), await page.textContent('#pay-label')], ['ready', 'Pay $72.41'], what)
      assert.equal(pathsOf(opened).includes('pay'), scenario.pay !== undefined, what)
      await page.fill('#cvc', '123')
      await Promise.all([page.waitForRequest(/ddd\/init$/), page.click('#pay')])
    }
  })

  test('TDS-19: the words of the bank are quoted as its language does', async () => {
    await openWith(auth(notAuthenticated('N', { attempt_count: 1, cardholder_info: 'Appelez-nous.' })), '?locale=fr-CA')
    await payByCard(page)
    await alert().getByText('\u00ab\u00a0Appelez-nous.\u00a0\u00bb').waitFor()
  })

  test('a request that was lost is sent again, since it authenticates once', async () => {
    await page.clock.install()
    const opened = await openWith(auth({ cut: true }, authenticated))
    await payByCard(page)
    while (!pathsOf(opened).includes('pay')) await page.clock.runFor(500)
    await isApproved()
    assert.equal(bodiesOf(opened, 'authenticate').length, 2)
  })

  test('the third failed authentication closes the page as the third decline does', async () => {
    await openWith(auth(notAuthenticated('N', { attempt_count: 3 })))
    await payByCard(page)
    await page.waitForSelector('.closed.bad')
    assert.match((await page.textContent('.closed')) ?? '', /declined 3 times and is now closed/)
  })

  test('429 at init counts down in the button', async () => {
    await openWith({ init: [{ ...refused(429, 'rate_limited'), headers: { 'retry-after': '20' } }] })
    await payByCard(page)
    await page.getByText('Wait 20 s', { exact: true }).waitFor()
    assert.equal(await page.inputValue('#cvc'), '123')
  })

  test('422 stands at its field', async () => {
    const errors = { 'cardData.nameOnCard': ['required'] }
    await openWith({ init: [refused(422, 'validation_failed', { errors })] })
    await payByCard(page)
    await page.locator('#ccname-error', { hasText: text.name_on_card_invalid }).waitFor()
    assert.equal(await page.inputValue('#cvc'), '123')
  })

  test('a session that is closed meanwhile says so', async () => {
    await openWith(auth(refused(400, 'session_expired')))
    await payByCard(page)
    await page.getByRole('heading', { name: 'Link expired' }).waitFor()
  })

  test('CAS-78: after a decline the next click authenticates anew', async () => {
    const opened = await openWith({ pay: [declined('ND'), approved(shop())] })
    await payByCard(page)
    await alert().getByText('2 attempts left.').waitFor()
    await page.fill('#cvc', '123')
    await page.click('#pay')
    await isApproved()
    assert.deepEqual(pathsOf(opened), ['init', 'authenticate', 'pay', 'init', 'authenticate', 'pay'])
  })
})
