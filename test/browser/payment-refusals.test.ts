import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passTimeUntil, stopTime } from '../support/browser-clock.ts'
import { CARDS } from '../support/card-numbers.ts'
import { describeInBrowser } from '../support/describe-in-browser.ts'
import { BUSINESS, openView } from '../support/payment-page-data.ts'
import { declined, fillCard, payByCard, refused, sessionStatus } from '../support/payment-page-steps.ts'
import { until } from '../support/until.ts'

const MINUTE = 60_000

describeInBrowser('a payment that is not simply approved or declined', ({ page, fixture, open }) => {
  const alert = () => page.locator('div#alert')
  const state = () => page.getAttribute('#columns', 'data-phase')

  test('CAS-17: a silent gateway is being checked, never called declined, and ends in the truth', async () => {
    await stopTime(page)
    const shop = `${fixture.apiOrigin}/thanks`
    const opened = await open({
      pay: [refused(400, 'gateway_timeout', { charged: null })],
      status: [sessionStatus(true), sessionStatus(true), refused(400, 'session_completed', { success_url: shop })],
    })
    await payByCard(page)
    await page.waitForSelector('[data-phase=checking]')
    assert.match((await page.textContent('#checking')) ?? '', /Do not pay again yet: we are checking with your bank\./)
    assert.ok(!(await page.isVisible('form')))
    for (const seconds of [1, 2, 4]) {
      const asked = opened.statusReads()
      const passed = await passTimeUntil(page, 'it has asked', () => opened.statusReads() === asked + 1)
      assert.ok(passed >= seconds * 1_000, `${passed} ms`)
    }
    await page.waitForSelector('.closed.good')
    await page.clock.runFor(2_000)
    await page.waitForURL(shop)
  })

  test('a payment that did not go through leaves the form usable again', async () => {
    await stopTime(page)
    await open({ pay: [refused(400, 'payment_in_progress', { charged: null })], status: [sessionStatus(false)] })
    await payByCard(page)
    await page.waitForSelector('[data-phase=checking]')
    await page.clock.runFor(1_000)
    await alert().getByText('The payment did not go through. You have not been charged. You can try again.').waitFor()
    assert.equal(await state(), 'ready')
    assert.equal(await page.inputValue('#cardnumber'), '4242 4242 4242 4242')
  })

  test('CAS-18: offline before sending says that nothing was sent', async () => {
    const opened = await open({})
    await fillCard(page)
    await page.context().setOffline(true)
    await page.waitForFunction(() => !navigator.onLine)
    await page.click('#pay')
    await alert().getByText('You are offline. Nothing was sent.').waitFor()
    assert.equal(opened.posts.length, 0)
  })

  test('CAS-18: a connection lost after sending is checked twice before it is called not charged', async () => {
    await stopTime(page)
    const opened = await open({ pay: [{ cut: true }], status: [sessionStatus(false)] })
    await payByCard(page)
    await page.waitForSelector('[data-phase=checking]')
    await page.clock.runFor(1_000)
    await until('it has asked', () => opened.statusReads() === 1)
    assert.equal(await state(), 'checking')
    await passTimeUntil(page, 'it has asked again', () => opened.statusReads() === 2)
    await alert().getByText('The payment did not go through.').waitFor()
  })

  test('CAS-19: a fault on our side says "not charged" only when that is known', async () => {
    await open({ pay: [refused(500, 'internal_error', { charged: false }), refused(502, 'internal_error')] })
    await payByCard(page)
    await alert().getByText('Something went wrong on our side. You have not been charged. Try again.').waitFor()
    assert.equal(await state(), 'ready')
    await page.click('#pay')
    await page.waitForSelector('[data-phase=checking]')
  })

  test('a payment that never reached the gateway says "not charged", and an unknown refusal is not a decline', async () => {
    const notSent = refused(400, 'gateway_unavailable', { charged: false })
    await open({ pay: [notSent, refused(403, 'something_new', { charged: false })] })
    await payByCard(page)
    await alert().getByText('Something went wrong on our side. You have not been charged. Try again.').waitFor()
    await page.click('#pay')
    await alert().getByText('Some details were not accepted. Check them and try again.').waitFor()
  })

  test('CAS-19: too many tries: the button waits as long as the server says', async () => {
    await stopTime(page)
    await open({ pay: [{ ...refused(429, 'rate_limited'), headers: { 'retry-after': '20' } }] })
    await payByCard(page)
    await alert().getByText('Too many tries. Wait 20 seconds and try again.').waitFor()
    await page.clock.runFor(5_000)
    assert.equal(await page.textContent('#pay-label'), 'Wait 15 s')
    await page.clock.runFor(15_000)
    assert.equal(await page.textContent('#pay-label'), 'Pay $72.41')
    assert.equal(await page.getAttribute('#pay', 'aria-disabled'), 'false')
  })

  test('the modal sends no name, since it asks for none', async () => {
    const opened = await open({ view: (frame) => openView({ ...frame, surface: 'rapid' }), pay: [declined('ND')] })
    for (const [id, text] of Object.entries({ cardnumber: CARDS.visa, exp: '04/31', cvc: '123' }))
      await page.fill(`#${id}`, text)
    await page.click('#pay')
    await alert().getByText('2 attempts left.').waitFor()
    const { cardData, billing_address } = opened.posts[0]?.body ?? {}
    assert.deepEqual(cardData, {
      cardNumber: CARDS.visa,
      month: '04',
      year: 2031,
      cvv: '123',
      saveCard: false,
      address: {},
    })
    assert.equal(billing_address, undefined)
  })

  for (const [code, title] of [
    ['session_expired', 'Link expired'],
    ['session_cancelled', 'Request cancelled'],
    ['session_completed', 'Payment complete'],
    ['session_failed', 'Payment closed'],
  ] as const)
    test(`CAS-16: paying a closed session shows its state in place: ${code}`, async () => {
      await open({ pay: [refused(400, code)] })
      await payByCard(page)
      await page.waitForSelector('.closed')
      assert.equal(await page.textContent('h1'), title)
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1')
      assert.equal(await page.locator('form').count(), 0)
    })

  test('CAS-22: an amount that the server refuses says so', async () => {
    await open({ pay: [refused(422, 'validation_failed', { errors: { amount: ['must be 72.41'] } })] })
    await payByCard(page)
    await alert().getByText('The amount has changed.').waitFor()
  })

  test('the server’s field errors stand at their fields', async () => {
    const errors = { 'cardData.cardNumber': ['bad'], 'cardData.address.postalCode': ['bad'] }
    await open({ pay: [refused(422, 'validation_failed', { errors })] })
    await payByCard(page)
    await page.waitForSelector('#cardnumber[aria-invalid=true]')
    assert.equal(await page.textContent('#postal-error'), 'The postal code is not valid for this country.')
    assert.equal(await page.locator('#alert li').count(), 2)
  })

  test('CUS-8: a card that is saved already is offered instead', async () => {
    const savedCard = { id: 'c1', brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031, name_on_card: null }
    const customer = { id: 'cu1', name: 'Ana', email: 'ana@example.com', phone: null }
    const opened = await open({
      view: (frame) => openView(frame, { data: { customer, saved_cards: [{ ...savedCard, expired: false }] } }),
      pay: [refused(422, 'duplicate_card', { errors: { cardData: ['saved'] }, card: savedCard }), declined('ND')],
    })
    await page.check('#new_card')
    await fillCard(page)
    await page.check('#save_card')
    await page.click('#pay')
    await alert().getByText('You saved this card before.').waitFor()
    assert.ok(await page.isChecked('[value="saved:c1"]'))
    await page.click('#pay')
    await alert().getByText('2 attempts left.').waitFor()
    assert.deepEqual(opened.posts[1]?.body, {
      amount: 72.41,
      payment_method_type: 'saved_card',
      cardId: 'c1',
      customerId: 'cu1',
      consents: {},
    })
  })

  test('PAG-42: leaving is warned of only while a payment is on its way', async () => {
    const released = Promise.withResolvers<void>()
    await open({ pay: [{ ...declined('ND'), held: released.promise }] })
    const isWarned = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
    await fillCard(page)
    assert.equal(await isWarned(), false)
    await page.click('#pay')
    assert.equal(await isWarned(), true)
    released.resolve()
    await alert().getByText('2 attempts left.').waitFor()
    assert.equal(await isWarned(), false)
  })

  test('PAG-22: a page that comes back from the history asks before it can be paid again', async () => {
    await open({ status: [refused(400, 'session_completed', { success_url: 'https://shop.example/' })] })
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await page.waitForSelector('.closed.good')
    assert.equal(await page.textContent('h1'), 'Payment complete')
  })

  test('PAG-43: the page warns ten minutes before it expires, by the server’s clock, and then closes', async () => {
    await stopTime(page, new Date('2020-01-01T00:00:00Z'))
    const times = { server_time: '2026-11-21T12:00:00Z', expires_at: '2026-11-21T12:12:00Z' }
    await open({ view: (frame) => openView(frame, { session: times }) })
    assert.equal(await page.textContent('#expiry-notice'), '')
    await page.clock.runFor(2 * MINUTE)
    assert.equal(await page.textContent('#expiry-notice'), 'This page expires in 10 minutes.')
    await page.clock.runFor(10 * MINUTE)
    await page.waitForSelector('.closed')
    assert.equal(
      await page.textContent('.closed > p'),
      `This payment link has expired. Ask ${BUSINESS.name} for a new one.`,
    )
  })
})
