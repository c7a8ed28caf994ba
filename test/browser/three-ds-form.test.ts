import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from '../../payment-form/messages/catalogue.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeInBrowser } from '../support/describe-in-browser.ts'
import type { OpenedScenario, Scenario } from '../support/payment-page-fixture.ts'
import { approved, declined, fillCard, payByCard, refused } from '../support/payment-page-steps.ts'
import {
  authenticated,
  bankSays,
  challenge,
  DDD_ID,
  DONE_BY_HAND,
  initMethod,
  initNotRequired,
  initReady,
  inProgress,
  notAuthenticated,
  SILENT,
  THREE_DS,
} from '../support/three-ds-steps.ts'

// 3-D Secure in the page, between the click on Pay and the payment. Each test defines the responses of the API.

const CUSTOMER = { id: '0198c0de-0000-7000-8000-0000000000c1', name: 'Ana', email: 'ana@example.com', phone: null }

describeInBrowser('3-D Secure in the payment page', ({ page, fixture, open, newPage }) => {
  const data = { three_ds: THREE_DS, customer: CUSTOMER }
  const shop = () => `${fixture.apiOrigin}/thanks`
  const openWith = (scenario: Partial<Scenario>, query = '') =>
    open({ data, init: [initReady], authenticate: [authenticated], pay: [approved(shop())], ...scenario }, query)
  const paths = ({ posts }: OpenedScenario) => posts.map(({ path }) => path)
  const bodies = ({ posts }: OpenedScenario, path: string) =>
    posts.filter((post) => post.path === path).map(({ body }) => body)
  const alert = () => page.locator('div#alert')
  const isApproved = () => page.locator('.closed.good').waitFor()
  const phase = () => page.getAttribute('#columns', 'data-phase')
  const focused = () => page.evaluate(() => document.activeElement?.id)

  /** Every content of the button and of the polite region, from now on. */
  const watchTexts = () =>
    page.evaluate(() => {
      const seen: string[] = []
      const note = () => {
        for (const id of ['pay-label', 'log']) {
          const text = `${id}: ${document.getElementById(id)?.textContent}`
          if (seen.at(-1) !== text && !seen.slice(-2).includes(text)) seen.push(text)
        }
      }
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
      Object.assign(window, { seen })
    })
  const textsSeen = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen)

  test('TDS-2: nothing is sent before the click; then init without the security code, authenticate, and pay with its id', async () => {
    const opened = await openWith({})
    await fillCard(page)
    assert.deepEqual(paths(opened), [])
    await watchTexts()
    await page.click('#pay')
    await isApproved()
    assert.deepEqual(paths(opened), ['init', 'authenticate', 'pay'])
    assert.deepEqual(bodies(opened, 'init'), [
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
    const [{ browser, ...request } = {}] = bodies(opened, 'authenticate')
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
    const [pay] = bodies(opened, 'pay')
    assert.equal(pay?.three_ds_id, DDD_ID)
    const texts = (await textsSeen()).filter((text) => !text.includes('Payment approved'))
    assert.deepEqual(texts.slice(0, 2).sort(), ['log: Processing payment', 'pay-label: Processing…'])
    assert.equal(texts.filter((text) => text.includes('Processing payment')).length, 1)
  })

  test('no authentication is required: pay names none', async () => {
    const opened = await openWith({ init: [initNotRequired] })
    await payByCard(page)
    await isApproved()
    assert.deepEqual(paths(opened), ['init', 'pay'])
    assert.ok(!('three_ds_id' in (bodies(opened, 'pay')[0] ?? {})))
  })

  test('without 3-D Secure the page asks for none of it, and has no place for a challenge', async () => {
    const opened = await open({ pay: [approved(shop())] })
    assert.equal(await page.locator('#challenge').count(), 0)
    await payByCard(page)
    await isApproved()
    assert.deepEqual(paths(opened), ['pay'])
  })

  test('TDS-20: an e-mail address that the form asked for reaches the bank, and the session', async () => {
    const customer = { body: { ok: true, customer: { id: CUSTOMER.id } } }
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
    assert.deepEqual(paths(opened), ['customer', 'init', 'authenticate', 'pay'])
    assert.deepEqual(bodies(opened, 'authenticate')[0]?.contact, { email: 'ana@example.com' })
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
    assert.deepEqual(bodies(opened, 'init'), [{ session_token: opened.token, amount: 72.41, ...card }])
    assert.equal(bodies(opened, 'pay')[0]?.three_ds_id, DDD_ID)
  })

  test('TDS-6: the method runs in a frame that nobody sees, and its message ends it', async () => {
    const opened = await openWith({ init: [initMethod], authenticate: [{ ...authenticated, delayMs: 300 }] })
    await bankSays(page, DONE_BY_HAND)
    await payByCard(page)
    const frame = page.locator('iframe')
    await frame.waitFor({ state: 'attached' })
    assert.equal(await frame.isVisible(), false)
    assert.equal(await page.textContent('#pay-label'), 'Processing…')
    assert.equal(await page.getAttribute('#pay', 'aria-disabled'), 'true')
    assert.deepEqual(paths(opened), ['init'])
    await page.frameLocator('iframe').locator('button').dispatchEvent('click')
    await isApproved()
    assert.equal(bodies(opened, 'authenticate')[0]?.three_ds_comp_ind, 'Y')
    assert.equal(await page.locator('iframe').count(), 0)
  })

  test('TDS-6: messages from elsewhere do not end it; after 10 s the page goes on without it', async () => {
    await page.clock.install()
    const opened = await openWith({ init: [initMethod] })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.locator('iframe').waitFor({ state: 'attached' })
    await page.evaluate((id) => {
      const frame = document.querySelector('iframe')?.contentWindow
      const message = { type: 'rc:ddd', id }
      // From this window itself, and as if from the frame but of another origin or about another run.
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
    assert.deepEqual(paths(opened), ['init'])
    await page.clock.runFor(1_000)
    await isApproved()
    assert.equal(bodies(opened, 'authenticate')[0]?.three_ds_comp_ind, 'N')
  })

  test('TDS-11: a challenge takes the place of the form, which keeps its content, and is said once', async () => {
    const opened = await openWith({
      authenticate: [challenge(), { ...authenticated, delayMs: 400 }],
      pay: [{ ...approved(shop()), delayMs: 300 }],
    })
    await bankSays(page, DONE_BY_HAND)
    await fillCard(page)
    await watchTexts()
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
    // The bank's page is done: the form is there again, busy as before.
    await page.locator('form').waitFor()
    assert.equal(await page.textContent('#pay-label'), 'Processing…')
    assert.equal(await focused(), 'pay')
    await isApproved()
    assert.deepEqual(paths(opened), ['init', 'authenticate', 'authenticate', 'pay'])
    const texts = await textsSeen()
    for (const text of ['Processing payment', 'Your bank asks you to confirm'])
      assert.equal(texts.filter((seen) => seen === `log: ${text}`).length, 1, text)
  })

  test('CAS-74: when the message of the challenge is lost, the page still hears of the result within 3 s', async () => {
    await page.clock.install()
    const opened = await openWith({ authenticate: [challenge(), inProgress, authenticated] })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.locator('#challenge').waitFor()
    await page.clock.runFor(3_000)
    await page.waitForFunction(() => performance.now() > 0)
    assert.equal(await phase(), 'challenge')
    while (paths(opened).length < 3) await page.clock.runFor(100)
    await page.clock.runFor(3_000)
    await isApproved()
    assert.deepEqual(paths(opened), ['init', 'authenticate', 'authenticate', 'authenticate', 'pay'])
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
    const [first, second] = bodies(opened, 'authenticate')
    assert.ok(!('challenge_canceled' in (first ?? {})))
    assert.equal(second?.challenge_canceled, true)
    assert.deepEqual(paths(opened), ['init', 'authenticate', 'authenticate'])
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
    assert.deepEqual(paths(opened), ['init', 'authenticate', 'authenticate'])
  })

  test('TDS-9: a challenge that takes more than 10 minutes is over; nothing was charged', async () => {
    await page.clock.install()
    const opened = await openWith({ authenticate: [challenge(), inProgress] })
    await bankSays(page, SILENT)
    await payByCard(page)
    await page.locator('#challenge').waitFor()
    await page.clock.fastForward(601_000)
    await alert().getByText(CATALOGUE.en.script.three_ds_expired).waitFor()
    assert.equal(await phase(), 'ready')
    assert.ok(!paths(opened).includes('pay'))
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
    while (!paths(opened).includes('pay')) {
      await page.clock.runFor(1_000)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await isApproved()
    assert.equal(bodies(opened, 'authenticate').length, 7)
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
      assert.equal(paths(opened).includes('pay'), scenario.pay !== undefined, what)
      await page.fill('#cvc', '123')
      await Promise.all([page.waitForRequest(/ddd\/init$/), page.click('#pay')])
    }
  })

  test('TDS-19: the words of the bank are quoted as its language does', async () => {
    await openWith(auth(notAuthenticated('N', { attempt_count: 1, cardholder_info: 'Appelez-nous.' })), '?locale=fr-CA')
    await payByCard(page)
    await alert().getByText('«\u00a0Appelez-nous.\u00a0»').waitFor()
  })

  test('a request that was lost is sent again, since it authenticates once', async () => {
    await page.clock.install()
    const opened = await openWith(auth({ cut: true }, authenticated))
    await payByCard(page)
    while (!paths(opened).includes('pay')) await page.clock.runFor(500)
    await isApproved()
    assert.equal(bodies(opened, 'authenticate').length, 2)
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
    assert.deepEqual(paths(opened), ['init', 'authenticate', 'pay', 'init', 'authenticate', 'pay'])
  })

  test('PAG-20: a double click is one run, and its second click does not cancel the challenge', async () => {
    const opened = await openWith({ authenticate: [challenge(), inProgress] })
    await bankSays(page, SILENT)
    await fillCard(page)
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('#pay').boundingBox()) ?? {}
    await page.mouse.click(x + width / 2, y + height / 2)
    await page.locator('#challenge').waitFor()
    const { x: left = 0, y: top = 0 } = (await page.locator('#cancel-challenge').boundingBox()) ?? {}
    // Wherever the challenge is: what stands under the pointer now is not pressed by the click that follows at once.
    await page.mouse.click(x + width / 2, y + height / 2)
    assert.ok(left > 0 && top > 0)
    assert.equal(await phase(), 'challenge')
    assert.deepEqual(paths(opened), ['init', 'authenticate'])
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
    await alert().getByText(text.not_charged).waitFor()
    assert.equal(await page.locator('iframe').count(), 0)
    assert.equal(await page.inputValue('#cardnumber'), '')
    assert.deepEqual(paths(opened), ['init', 'authenticate'])
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
      const [request = {}] = bodies(opened, 'authenticate')
      assert.deepEqual(Object(request.browser).challenge_window_size, size, `${width}`)
      assert.equal((await frame.boundingBox())?.width, shown, `${width}`)
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, `${width}`)
    }
  })
})
